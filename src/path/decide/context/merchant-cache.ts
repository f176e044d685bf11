import { MODES, type Mode } from "../../../domain/vocabulary/vocabulary.js";
import type { WorkspaceContext } from "./decision-contexts.js";

interface Cached {
  readonly merchantId: string;
  /** The approximate memory it takes. */
  readonly bytes: number;
}

/** A workspace with those of its merchants that were asked for. */
interface CachedWorkspace<Merchant> extends Record<Mode, Map<string, Merchant> | null> {
  readonly workspace: WorkspaceContext;
  bytes: number;
}

/**
 * Merchants by workspace and mode, then by id. Workspace and mode repeat from request to request, so only one fresh
 * string is hashed instead of three.
 */
class Generation<Merchant extends Cached> {
  readonly workspaces = new Map<string, CachedWorkspace<Merchant>>();
  bytes = 0;

  find(workspaceId: string, mode: Mode, merchantId: string): Merchant | undefined {
    return this.workspaces.get(workspaceId)?.[mode]?.get(merchantId);
  }

  add(workspaceId: string, workspace: WorkspaceContext, mode: Mode, merchant: Merchant): void {
    let known = this.workspaces.get(workspaceId);
    if (known === undefined) {
      known = { workspace, bytes: 0, test: null, live: null };
      this.workspaces.set(workspaceId, known);
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
    this.bytes -= this.workspaces.get(workspaceId)?.bytes ?? 0;
    this.workspaces.delete(workspaceId);
  }

  dropMerchant(workspaceId: string, mode: Mode, merchantId: string): void {
    const known = this.workspaces.get(workspaceId);
    const merchant = known?.[mode]?.get(merchantId);
    if (known === undefined || merchant === undefined) return;
    known[mode]?.delete(merchantId);
    this.#count(known, -merchant.bytes);
  }

  #count(workspace: CachedWorkspace<Merchant>, bytes: number): void {
    workspace.bytes += bytes;
    this.bytes += bytes;
  }
}

/** Measured on Node 20, including the map entry. */
const WORKSPACE_BYTES = 150;
const MODE_BYTES = 200;

/**
 * Caches merchants in two generations. A merchant in use moves to the young generation. When the young one exceeds half
 * of the bytes, it replaces the old one, which is dropped at once. A scan of a million merchants therefore does not
 * evict those that decide all the time.
 */
export class MerchantCache<Merchant extends Cached> {
  #young = new Generation<Merchant>();
  #old = new Generation<Merchant>();
  readonly #generationBytesMax: number;

  constructor(bytesMax: number) {
    this.#generationBytesMax = bytesMax / 2;
  }

  /** The approximate memory of all merchants. Merchants that have moved count twice. */
  get bytes(): number {
    return this.#young.bytes + this.#old.bytes;
  }

  find(workspaceId: string, mode: Mode, merchantId: string): Merchant | undefined {
    return this.#young.find(workspaceId, mode, merchantId) ?? this.#findOld(workspaceId, mode, merchantId);
  }

  workspace(workspaceId: string): WorkspaceContext | undefined {
    const known = this.#young.workspaces.get(workspaceId) ?? this.#old.workspaces.get(workspaceId);
    return known?.workspace;
  }

  add(workspaceId: string, workspace: WorkspaceContext, mode: Mode, merchant: Merchant): void {
    this.#young.dropMerchant(workspaceId, mode, merchant.merchantId);
    this.#young.add(workspaceId, workspace, mode, merchant);
    if (this.#young.bytes <= this.#generationBytesMax) return;
    this.#old = this.#young;
    this.#young = new Generation();
  }

  dropWorkspace(workspaceId: string): void {
    for (const generation of [this.#young, this.#old]) generation.dropWorkspace(workspaceId);
  }

  dropMerchant(workspaceId: string, merchantId: string, modes: readonly Mode[] = MODES): void {
    for (const generation of [this.#young, this.#old]) {
      for (const mode of modes) generation.dropMerchant(workspaceId, mode, merchantId);
    }
  }

  clear(): void {
    this.#young = new Generation();
    this.#old = new Generation();
  }

  #findOld(workspaceId: string, mode: Mode, merchantId: string): Merchant | undefined {
    const known = this.#old.find(workspaceId, mode, merchantId);
    const workspace = this.workspace(workspaceId);
    if (known !== undefined && workspace !== undefined) this.add(workspaceId, workspace, mode, known);
    return known;
  }
}
