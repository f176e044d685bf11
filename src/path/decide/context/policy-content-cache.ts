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
 * A compiled content. It is valid for one decision, or until its cache drops it. A caller that stores a reference
 * must check `isKept` before each use.
 */
export class CachedContent implements CompiledPolicy {
  /** True while the cache holds it. */
  isKept = false;
  /** Null after the cache has dropped it. A use after that is a bug and throws. */
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

  /** Frees the compiled rules. An idle merchant may still hold this object. */
  empty(): void {
    this.#compiled = null;
    this.isKept = false;
  }
}

/** A content of ten rules takes 14 KB, and 20 KB with its index. */
const DOORKEEPER_HASHES = 2 ** 9;

/**
 * Compiled contents by name. A content enters at its second use. A full cache is emptied, because few contents enter
 * and compiling one again is quick.
 */
export class PolicyContentCache {
  #contents = new Map<string, CachedContent>();
  #bytes = 0;
  readonly #doorkeeper = new Doorkeeper(DOORKEEPER_HASHES);
  readonly #bytesMax: number;
  readonly #textOf: (name: string) => string;

  /** `textOf` reads a content that is not cached. */
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
