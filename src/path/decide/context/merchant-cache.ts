import { MODES, type Mode } from "../../../domain/vocabulary/vocabulary.js";
import type { WorkspaceContext } from "./decision-contexts.js";

interface Cached {
  readonly merchantId: string;
  /** The approximate memory of the merchant. */
  readonly bytes: number;
}

/** The cached merchants of one workspace. */
interface CachedWorkspace<Merchant> extends Record<Mode, Map<string, Merchant> | null> {
  readonly workspace: WorkspaceContext;
  bytes: number;
}

/**
 * The memory of a cached workspace, and of its map for one mode, including their entries in maps. Measured on Node 20.
 */
const WORKSPACE_BYTES = 150;
const MODE_BYTES = 200;

/**
 * Caches merchants by workspace, mode and id. Workspace and mode are often the same strings as before, whose hashes V8
 * knows, so only the merchant id must be hashed. A full cache is emptied. A dropped merchant costs one read at its next
 * decision.
 */
export class MerchantCache<Merchant extends Cached> {
  #workspaces = new Map<string, CachedWorkspace<Merchant>>();
  #bytes = 0;
  readonly #bytesMax: number;

  constructor(bytesMax: number) {
    this.#bytesMax = bytesMax;
  }

  /** The approximate memory of the merchants. */
  get bytes(): number {
    return this.#bytes;
  }

  find(workspaceId: string, mode: Mode, merchantId: string): Merchant | undefined {
    return this.#workspaces.get(workspaceId)?.[mode]?.get(merchantId);
  }

  workspace(workspaceId: string): WorkspaceContext | undefined {
    return this.#workspaces.get(workspaceId)?.workspace;
  }

  add(workspaceId: string, workspace: WorkspaceContext, mode: Mode, merchant: Merchant): void {
    this.dropMerchant(workspaceId, merchant.merchantId, [mode]);
    if (this.#bytes + merchant.bytes > this.#bytesMax) this.clear();
    let known = this.#workspaces.get(workspaceId);
    if (known === undefined) {
      known = { workspace, bytes: 0, test: null, live: null };
      this.#workspaces.set(workspaceId, known);
      this.#count(known, WORKSPACE_BYTES);
    }
    let merchants = known[mode];
    if (merchants === null) {
      merchants = known[mode] = new Map();
      this.#count(known, MODE_BYTES);
    }
    merchants.set(merchant.merchantId, merchant);
    this.#count(known, merchant.bytes);
  }

  dropWorkspace(workspaceId: string): void {
    this.#bytes -= this.#workspaces.get(workspaceId)?.bytes ?? 0;
    this.#workspaces.delete(workspaceId);
  }

  dropMerchant(workspaceId: string, merchantId: string, modes: readonly Mode[] = MODES): void {
    const known = this.#workspaces.get(workspaceId);
    if (known === undefined) return;
    for (const mode of modes) {
      const merchant = known[mode]?.get(merchantId);
      if (merchant === undefined) continue;
      known[mode]?.delete(merchantId);
      this.#count(known, -merchant.bytes);
    }
  }

  clear(): void {
    this.#workspaces = new Map();
    this.#bytes = 0;
  }

  #count(workspace: CachedWorkspace<Merchant>, bytes: number): void {
    workspace.bytes += bytes;
    this.#bytes += bytes;
  }
}
