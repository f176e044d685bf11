import { Ajv, type ErrorObject, type ValidateFunction } from "ajv";
import { isCountry, isCurrency } from "../../domain/vocabulary/iso-codes.js";
import { isTimestamp } from "../../domain/vocabulary/timestamp.js";
import { LIMITS } from "../../domain/vocabulary/limits.js";
import { TUNING } from "../../domain/vocabulary/tuning.js";
import type { FastReader } from "./fast-reader.js";
import {
  findJsonIssues,
  holdsMoreThan,
  isPlainJson,
  issueOfWholeText,
  joinPath,
  parseJson,
  TOO_DEEP,
} from "./json-text.js";
import { findLostFractions } from "./lost-fractions.js";
import { safePathSegment, type IssueCode, type ValidationIssue } from "./validation-issue.js";
import { isAscii, isUtf8 } from "node:buffer";

export type Validated<T> = { ok: true; value: T } | { ok: false; issues: ValidationIssue[] };

/** A compiled schema. `parse` reads a body's text, and `check` validates a parsed value. */
export interface Validator<T> {
  parse(text: string): Validated<T>;
  parseBytes(bytes: Uint8Array): Validated<T>;
  check(value: unknown, pathPrefix: string): Validated<T>;
}

export type JsonSchema = Readonly<Record<string, unknown>>;

/**
 * The `format`s of the schemas. Each looks a value up in a set, because a pattern with all codes takes ten times as
 * long.
 */
export const FORMATS = {
  "iso-4217": isCurrency,
  "iso-3166-1-alpha-2": isCountry,
  "iso-8601": isTimestamp,
} as const;

const OPTIONS = {
  strict: true,
  // Schemas are not validated here, because compiling JSON Schema's meta-schema takes longer than compiling most
  // schemas. test/unit/features/docs/schemas.test.ts validates them.
  validateSchema: false,
  // Ajv's strictTypes would refuse `integer` where the bounds come from a shared fragment.
  strictTypes: false,
  allowUnionTypes: true,
  messages: false,
  formats: FORMATS,
} as const;

let firstError: Ajv | undefined;
let allErrors: Ajv | undefined;

interface ValidatorOptions<T> {
  /** Runs before the validators. If it returns a value, the body is valid. */
  read?: FastReader<T>;
  /** True for a large schema of a rare body. Then only one validator is compiled, the one that lists all errors. */
  isRare?: boolean;
  /** If the body has at most this many values, all errors are listed. Otherwise only the first error is. */
  listedValuesMax?: number;
}

/**
 * Compiles a schema into two validators, each at its first use: a fast one that stops at the first error, and one
 * that lists all errors. No message and no path contains a submitted value.
 */
export function createValidator<T>(
  schema: JsonSchema,
  {
    read = () => undefined,
    isRare = false,
    listedValuesMax = LIMITS.listedValuesMax,
  }: ValidatorOptions<T> = {},
): Validator<T> {
  let first: ValidateFunction<T> | undefined;
  let all: ValidateFunction<T> | undefined;
  const stopsAtFirst = (): ValidateFunction<T> =>
    (first ??= (firstError ??= new Ajv({ ...OPTIONS, verbose: true })).compile<T>(schema));
  // Ajv's optimizer would lengthen the compilation by half. This validator runs only for refused or rare bodies.
  const listsAll = (): ValidateFunction<T> =>
    (all ??= (allErrors ??= new Ajv({
      ...OPTIONS,
      allErrors: true,
      verbose: true,
      code: { optimize: false },
    })).compile<T>(schema));

  const isValid = (value: unknown): value is T => (isRare ? listsAll() : stopsAtFirst())(value);

  const issuesOf = (value: unknown, pathPrefix: string): ValidationIssue[] => {
    // The fast validator has already found the first error. For a large body only that error is listed, because a
    // mebibyte can have a hundred thousand errors.
    if (!isRare && holdsMoreThan(value, listedValuesMax)) return toIssues(stopsAtFirst().errors, pathPrefix);
    const list = listsAll();
    if (!isRare) list(value);
    return toIssues(list.errors, pathPrefix);
  };

  const parse = (text: string): Validated<T> => {
    const plain = read(text);
    if (plain !== undefined) return { ok: true, value: plain };
    const whole = issueOfWholeText(text, LIMITS.bodyValuesMax);
    // A small text that only nests too deep is still parsed, so that its other errors are listed too.
    const endsParse = whole !== TOO_DEEP || text.length > LIMITS.smallBodyBytesMax;
    if (whole !== null && endsParse) return { ok: false, issues: [whole] };
    const value = parseJson(text);
    if (value === undefined) return invalidJson();
    const lost = findLostFractions(text);
    if (isValid(value) && isPlainJson(text, value) && lost.length === 0) return { ok: true, value };
    const issues = [...lost, ...findJsonIssues(text, value), ...issuesOf(value, "")];
    return { ok: false, issues: distinct(issues).slice(0, LIMITS.validationIssuesMax) };
  };

  return {
    parse,
    parseBytes(bytes) {
      const text = decodeUtf8(bytes);
      return text === null ? invalidJson() : parse(text);
    },
    check(value, pathPrefix) {
      if (isValid(value)) return { ok: true, value };
      return {
        ok: false,
        issues: distinct(issuesOf(value, pathPrefix)).slice(0, LIMITS.validationIssuesMax),
      };
    },
  };
}

export function invalidJson(): { ok: false; issues: ValidationIssue[] } {
  return { ok: false, issues: [{ path: "", code: "invalid_json", message: "The body is not valid JSON" }] };
}

/**
 * Keeps one issue per path and code, but every unrecognized key. If a path has an issue about its type, only that one
 * and custom issues are kept.
 */
export function distinct(issues: ValidationIssue[]): ValidationIssue[] {
  const wrongTypes = new Set(issues.filter(({ code }) => code === "invalid_type").map(({ path }) => path));
  const keptKeys = new Set<string>();
  return issues.filter(({ path, code }) => {
    if (code === "unrecognized_keys") return true;
    if (wrongTypes.has(path) && code !== "invalid_type" && code !== "custom") return false;
    const key = `${code} ${path}`;
    if (keptKeys.has(key)) return false;
    keptKeys.add(key);
    return true;
  });
}

function toIssues(errors: ErrorObject[] | null | undefined, pathPrefix: string): ValidationIssue[] {
  return (errors ?? []).slice(0, TUNING.validationErrorsReadMax).map((error) => toIssue(error, pathPrefix));
}

function toIssue(error: ErrorObject, pathPrefix: string): ValidationIssue {
  const at = dotted(error.instancePath, pathPrefix);
  const params = error.params as Record<string, unknown>;
  switch (error.keyword) {
    case "required":
      return {
        path: joinPath(at, String(params["missingProperty"])),
        code: "invalid_type",
        message: "Required",
      };
    case "additionalProperties":
      return {
        path: joinPath(at, safePathSegment(String(params["additionalProperty"]))),
        code: "unrecognized_keys",
        message: "Unrecognized key",
      };
    case "type":
      return { path: at, code: "invalid_type", message: `Expected ${String(params["type"])}` };
    default: {
      const rule = RULES[error.keyword] ?? { code: "custom", message: () => "Invalid value" };
      return { path: at, code: rule.code, message: rule.message(params["limit"] as number, error.schema) };
    }
  }
}

const RULES: Readonly<
  Record<string, { code: IssueCode; message: (limit: number, schema: unknown) => string }>
> = {
  minimum: { code: "too_small", message: (limit) => `Must be at least ${limit}` },
  maximum: { code: "too_big", message: (limit) => `Must be at most ${limit}` },
  minLength: { code: "too_small", message: (limit) => `Must hold at least ${limit} character(s)` },
  maxLength: { code: "too_big", message: (limit) => `Must hold at most ${limit} character(s)` },
  minItems: { code: "too_small", message: (limit) => `Must hold at least ${limit} item(s)` },
  maxItems: { code: "too_big", message: (limit) => `Must hold at most ${limit} item(s)` },
  pattern: { code: "invalid_string", message: () => "Invalid format" },
  format: { code: "invalid_string", message: () => "Invalid format" },
  enum: {
    code: "invalid_enum_value",
    message: (_, schema) => `Must be one of ${(schema as readonly (string | null)[]).map(String).join(", ")}`,
  },
  const: { code: "invalid_enum_value", message: () => "Invalid value" },
  not: { code: "custom", message: () => "This value is reserved" },
  uniqueItems: { code: "custom", message: () => "Must not hold duplicates" },
};

/** Converts `/transaction/amount` to `transaction.amount`. Ajv escapes `~` and `/` in names from the caller. */
function dotted(instancePath: string, pathPrefix: string): string {
  let path = pathPrefix;
  for (const segment of instancePath.split("/").slice(1)) {
    const name = segment.replaceAll("~1", "/").replaceAll("~0", "~");
    path = joinPath(path, /^\d{1,5}$/.test(name) ? name : safePathSegment(name));
  }
  return path;
}

/** Decodes bytes to text. Returns null if they are not valid UTF-8. */
export function decodeUtf8(bytes: Uint8Array): string | null {
  const buffer = Buffer.isBuffer(bytes)
    ? bytes
    : Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  // Most bodies are ASCII, which `latin1` decodes by a plain copy: 0.11 µs for 470 bytes, and not 0.22 µs.
  if (isAscii(buffer)) return buffer.toString("latin1");
  return isUtf8(buffer) ? buffer.toString("utf8") : null;
}
