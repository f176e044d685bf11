import { MODES, type Mode } from "../../../domain/vocabulary/vocabulary.js";
import type { WorkspaceContext } from "./decision-contexts.js";
import {
  compileContent,
  type CompiledContent,
  type CompiledPolicy,
} from "../../../domain/policy/compile-policy.js";
import type { PolicyEvaluation } from "../../../domain/policy/policy-evaluation.js";
import type { PolicyFacts } from "../../../domain/policy/policy-facts.js";
import { fnv1a } from "../../../domain/policy/stable-hash.js";
import type { ProviderId } from "../../../domain/vocabulary/decision-request.js";
import { Doorkeeper } from "./doorkeeper.js";

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

/** A compiled content. Use it for one decision only, or check `isKept` before each use of a stored reference. */
export class CachedContent implements CompiledPolicy {
  /** True while the cache contains it. */
  isKept = false;
  /** Null after the cache has dropped the content. A later use is a bug and throws. */
  #compiled: CompiledContent | null;

  constructor(
    readonly name: string,
    compiled: CompiledContent,
  ) {
    this.#compiled = compiled;
  }

  get bytes(): number {
    return (this.#compiled as CompiledContent).bytes;
  }

  get defaultProvider(): ProviderId | null {
    return (this.#compiled as CompiledContent).defaultProvider;
  }

  get declaresCostControls(): boolean {
    return (this.#compiled as CompiledContent).declaresCostControls;
  }

  get countsAttempts(): boolean {
    return (this.#compiled as CompiledContent).countsAttempts;
  }

  evaluate(facts: PolicyFacts): Readonly<PolicyEvaluation> {
    return (this.#compiled as CompiledContent).evaluate(facts);
  }

  explain(facts: PolicyFacts): ReturnType<CompiledPolicy["explain"]> {
    return (this.#compiled as CompiledContent).explain(facts);
  }

  /** Frees the compiled rules, because a merchant without requests may still refer to this object. */
  empty(): void {
    this.#compiled = null;
    this.isKept = false;
  }
}

/** Few, because a content of ten rules takes 14 KB, and 20 KB with its index. */
const DOORKEEPER_HASHES = 2 ** 9;

/**
 * Caches compiled contents by name. A content enters at its second use. A full cache is emptied, because few contents
 * enter and compiling one again is fast.
 */
export class PolicyContentCache {
  #contents = new Map<string, CachedContent>();
  #bytes = 0;
  readonly #doorkeeper = new Doorkeeper(DOORKEEPER_HASHES);
  readonly #bytesMax: number;
  readonly #textOf: (name: string) => string;

  /** `textOf` reads the text of a content that is not cached. */
  constructor(bytesMax: number, textOf: (name: string) => string) {
    this.#bytesMax = bytesMax;
    this.#textOf = textOf;
  }

  /** The approximate memory of the contents. */
  get bytes(): number {
    return this.#bytes;
  }

  find(name: string): CachedContent {
    const known = this.#contents.get(name);
    if (known !== undefined) return known;
    const compiled = compileContent(this.#textOf(name), (bytes) => {
      if (content.isKept) this.#bytes += bytes;
    });
    const content = new CachedContent(name, compiled);
    if (this.#doorkeeper.isBack(fnv1a(name))) this.#add(content);
    return content;
  }

  #add(content: CachedContent): void {
    if (this.#bytes + content.bytes > this.#bytesMax) this.#clear();
    content.isKept = true;
    this.#contents.set(content.name, content);
    this.#bytes += content.bytes;
  }

  #clear(): void {
    for (const content of this.#contents.values()) content.empty();
    this.#contents = new Map();
    this.#bytes = 0;
  }
}
