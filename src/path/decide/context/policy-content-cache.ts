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

/** A compiled content, for one decision or until its cache lets go of it: who keeps it asks `isKept` before it is used again. */
export class CachedContent implements CompiledPolicy {
  /** Whether the cache has it still. */
  isKept = false;
  /** Null once the cache let go of it: to use it then is a bug, and throws. */
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

  evaluate(facts: PolicyFacts): Readonly<PolicyEvaluation> {
    return (this.#compiled as CompiledContent).evaluate(facts);
  }

  explain(facts: PolicyFacts): ReturnType<CompiledPolicy["explain"]> {
    return (this.#compiled as CompiledContent).explain(facts);
  }

  /** Merchants that are not asked for any more keep this object, and no more than it. */
  empty(): void {
    this.#compiled = null;
    this.isKept = false;
  }
}

/** Contents of ten rules take 14 KB, with their index 20. */
const DOORKEEPER_HASHES = 2 ** 9;

/**
 * Compiled contents by name, each once: those that were asked for a second time. A full cache begins anew, since a
 * content is compiled soon and the doorkeeper lets few in.
 */
export class PolicyContentCache {
  #contents = new Map<string, CachedContent>();
  #bytes = 0;
  readonly #doorkeeper = new Doorkeeper(DOORKEEPER_HASHES);
  readonly #bytesMax: number;
  readonly #textOf: (name: string) => string;

  /** `textOf` is asked for each content that is not here. */
  constructor(bytesMax: number, textOf: (name: string) => string) {
    this.#bytesMax = bytesMax;
    this.#textOf = textOf;
  }

  /** What the contents take of memory, about. */
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
