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

/** A compiled content, for one decision or until its cache lets go of it: who keeps it asks `keeps` before it is used again. */
export class CachedContent implements CompiledPolicy {
  /** Of the cache, when this was used last; NONE where the cache does not keep it. */
  generation: number;
  /** Null once the cache let go of it: to use it then is a bug, and throws. */
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

  /** Merchants that are not asked for any more keep this object, and no more than it. */
  empty(): void {
    this.#compiled = null;
    this.generation = NONE;
  }
}

const NONE = -1;
/** Contents of ten rules take 14 KB, with their index 20. */
const DOORKEEPER_HASHES = 2 ** 9;

/**
 * Compiled contents by name, each once: those that were asked for a second time. There are two generations. What is used
 * moves into the young one, and once that takes half of the bytes it becomes the old one, whose place it takes. So a scan
 * of contents that are used once does not push out those that are used all the time, and nothing is sorted.
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

  /** `textOf` is asked for each content that is not here. */
  constructor(bytesMax: number, textOf: (name: string) => string) {
    this.#generationBytesMax = bytesMax / 2;
    this.#textOf = textOf;
  }

  /** What the contents take of memory, about. */
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

  /** Whether a content is here still, and so may be used; it counts as used. */
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

  /** A content grows while it is evaluated, and so in the young generation; but for its first moment in the old one. */
  #grow = (bytes: number): void => {
    this.#youngBytes += bytes;
  };
}
