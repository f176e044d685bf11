import { parseTimestamp } from "../../domain/vocabulary/timestamp.js";
import type { EnumParameter, IntegerParameter, TextParameter } from "../wire/query-schema.js";
import type { ValidationIssue } from "../wire/validation-issue.js";

const INTEGER = /^-?\d+$/;

/**
 * Reads a query string by name, and collects errors with the path of ERR-6 (`query.<name>`). It does not look for
 * unknown names, because `head-refusal.ts` has already refused them. A repeated name is an error.
 */
export class Query {
  readonly issues: ValidationIssue[] = [];
  readonly #text: string;
  readonly #parameters: URLSearchParams;

  constructor(text: string) {
    this.#text = text;
    this.#parameters = new URLSearchParams(text);
  }

  /**
   * False if some bytes are not UTF-8, because decoded values would then contain U+FFFD. A `%` without two digits
   * stands for itself.
   */
  isUtf8(): boolean {
    if (this.#text.includes("\uFFFD")) return false;
    try {
      decodeURIComponent(this.#text.replaceAll(/%(?![0-9A-Fa-f]{2})/g, "%25"));
      return true;
    } catch {
      return false;
    }
  }

  refuse(name: string, code: ValidationIssue["code"], message: string): void {
    this.issues.push({ path: `query.${name}`, code, message });
  }

  has(name: string): boolean {
    return this.#parameters.has(name);
  }

  /** The decoded value, or null if the name is absent. */
  text(name: string): string | null {
    const [value, ...others] = this.#parameters.getAll(name);
    if (others.length > 0) this.refuse(name, "custom", "Must be given once");
    return value ?? null;
  }

  /** A text that must have the length and characters of the schema. */
  matching(name: string, { minLength, maxLength, pattern }: TextParameter): string | null {
    const text = this.text(name);
    if (text === null) return null;
    if (text.length < minLength) {
      this.refuse(name, "too_small", `Must hold at least ${minLength} character(s)`);
    } else if (text.length > maxLength) {
      this.refuse(name, "too_big", `Must hold at most ${maxLength} character(s)`);
    } else if (!new RegExp(pattern).test(text)) this.refuse(name, "invalid_string", "Invalid format");
    return text;
  }

  integer(name: string, { minimum, maximum, default: ifAbsent }: IntegerParameter): number {
    const text = this.text(name);
    if (text === null) return ifAbsent;
    const value = INTEGER.test(text) ? Number(text) : null;
    if (value === null) this.refuse(name, "invalid_type", "Expected integer");
    else if (value < minimum) this.refuse(name, "too_small", `Must be at least ${minimum}`);
    else if (value > maximum) this.refuse(name, "too_big", `Must be at most ${maximum}`);
    return value ?? ifAbsent;
  }

  oneOf<T extends string>(name: string, { enum: values }: EnumParameter<T>): T | null {
    const text = this.text(name);
    if (text === null) return null;
    const value = values.find((candidate) => candidate === text);
    if (value === undefined) this.refuse(name, "invalid_enum_value", `Must be one of ${values.join(", ")}`);
    return value ?? null;
  }

  /** FMT-16: Unix milliseconds, or null if the name is absent. */
  timestamp(name: string): number | null {
    const text = this.text(name);
    if (text === null) return null;
    const timeMs = parseTimestamp(text);
    if (timeMs === null) this.refuse(name, "invalid_string", "Invalid format");
    return timeMs;
  }

  boolean(name: string): boolean {
    const text = this.text(name);
    if (text !== null && text !== "true" && text !== "false")
      this.refuse(name, "invalid_type", "Expected boolean");
    return text === "true";
  }
}
