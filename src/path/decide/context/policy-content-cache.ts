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

/**
 * A compiled content. It is valid for one decision, or until its cache evicts it. A holder must ask `keeps` before each
 * further use.
 */
export class CachedContent implements CompiledPolicy {
  /** The generation of the cache in which this was last used. NONE if the cache does not hold it. */
  generation: number;
  /** Null after the cache has evicted it. A use after that is a bug and throws. */
  #compiled: CompiledContent | null;

  constructor(
    readonly name: string,
    compiled: CompiledContent,
    generation: number,
  ) {
    this.#compiled = compiled;
    this.generation = generation;
  }

  get isKept(): boolean {
    return this.generation !== NONE;
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

  evaluate(facts: PolicyFacts): Readonly<PolicyEvaluation> {
    return (this.#compiled as CompiledContent).evaluate(facts);
  }

  explain(facts: PolicyFacts): ReturnType<CompiledPolicy["explain"]> {
    return (this.#compiled as CompiledContent).explain(facts);
  }

  /** Frees the compiled content. Inactive merchants then hold only this small object. */
  empty(): void {
    this.#compiled = null;
    this.generation = NONE;
  }
}

const NONE = -1;
/** A content of ten rules takes 14 KB, and 20 KB with its index. */
const DOORKEEPER_HASHES = 2 ** 9;

/**
 * Caches compiled contents by name, each once, from the second request on. There are two generations. A content in use
 * moves to the young generation. When the young one exceeds half of the bytes, it replaces the old one. A scan of
 * contents that are used once therefore does not evict those that are used all the time, and nothing needs sorting.
 */
export class PolicyContentCache {
  #generation = 0;
  #young = new Map<string, CachedContent>();
  #old = new Map<string, CachedContent>();
  #youngBytes = 0;
  #oldBytes = 0;
  readonly #doorkeeper = new Doorkeeper(DOORKEEPER_HASHES);
  readonly #generationBytesMax: number;
  readonly #textOf: (name: string) => string;

  /** `textOf` supplies the text of each content that is not cached. */
  constructor(bytesMax: number, textOf: (name: string) => string) {
    this.#generationBytesMax = bytesMax / 2;
    this.#textOf = textOf;
  }

  /** The approximate memory of all contents. */
  get bytes(): number {
    return this.#youngBytes + this.#oldBytes;
  }

  find(name: string): CachedContent {
    const known = this.#young.get(name) ?? this.#old.get(name);
    if (known !== undefined) {
      this.keeps(known);
      return known;
    }
    const compiled = compileContent(this.#textOf(name), this.#grow);
    const content = new CachedContent(name, compiled, NONE);
    if (this.#doorkeeper.isBack(fnv1a(name))) this.#add(content);
    return content;
  }

  /** Whether a content is still cached and may be used. This counts as a use. */
  keeps(content: CachedContent): boolean {
    if (content.generation === this.#generation) return true;
    if (content.generation === NONE) return false;
    this.#oldBytes -= content.bytes;
    this.#add(content);
    return true;
  }

  #add(content: CachedContent): void {
    content.generation = this.#generation;
    this.#young.set(content.name, content);
    this.#youngBytes += content.bytes;
    if (this.#youngBytes > this.#generationBytesMax) this.#age();
  }

  #age(): void {
    for (const content of this.#old.values()) {
      if (content.generation !== this.#generation) content.empty();
    }
    this.#old = this.#young;
    this.#oldBytes = this.#youngBytes;
    this.#young = new Map();
    this.#youngBytes = 0;
    this.#generation++;
  }

  /**
   * A content grows while it is evaluated. It is then in the young generation, except for a first moment in the old
   * one.
   */
  #grow = (bytes: number): void => {
    this.#youngBytes += bytes;
  };
}
