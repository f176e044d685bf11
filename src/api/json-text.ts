import { isAscii, isUtf8 } from "node:buffer";
import { LIMITS } from "../shared/limits.js";
import { safePathSegment, type ValidationIssue } from "./validation-issue.js";

/**
 * What JSON.parse lets through and a body may not hold: duplicate keys, nesting over the limit, U+0000 and lone
 * surrogates (PostgreSQL refuses both, and one row must never sink a batch).
 */

/** Bytes to text, or null when they are not valid UTF-8. */
export function decodeUtf8(bytes: Uint8Array): string | null {
  const buffer = Buffer.isBuffer(bytes)
    ? bytes
    : Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  // What most bodies are, and then a copy is all there is to decoding: 0.11 µs for 470 bytes instead of 0.22.
  if (isAscii(buffer)) return buffer.toString("latin1");
  return isUtf8(buffer) ? buffer.toString("utf8") : null;
}

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const COLON = 0x3a;
const OPEN_BRACE = 0x7b;
const CLOSE_BRACE = 0x7d;
const OPEN_BRACKET = 0x5b;
const CLOSE_BRACKET = 0x5d;
const SPACE = 0x20;

export const TOO_DEEP: ValidationIssue = {
  path: "",
  code: "custom",
  message: `Nesting deeper than ${LIMITS.jsonDepthMax} levels`,
};

/**
 * Whether a large text nests too deep. Looked at before it is parsed: a mebibyte of opening brackets takes JSON.parse
 * 35 to 75 ms, and there are as many of them as a client likes to send.
 */
export function isDeepLargeText(text: string): boolean {
  return text.length > LIMITS.smallBodyBytesMax && countKeysInText(text) === -1;
}

/** Undefined where the text is not JSON. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** The number of keys in a JSON text, or -1 when it nests too deep; of a text that is not JSON, some number. */
export function countKeysInText(text: string): number {
  let keys = 0;
  let depth = 0;
  for (let i = 0; i < text.length; i++) {
    const c = text.charCodeAt(i);
    if (c === QUOTE) {
      i++;
      for (let s = text.charCodeAt(i); s !== QUOTE && i < text.length; s = text.charCodeAt(i))
        i += s === BACKSLASH ? 2 : 1;
    } else if (c === COLON) {
      // Outside a string a colon stands after a key and nowhere else.
      keys++;
    } else if (c === OPEN_BRACE || c === OPEN_BRACKET) {
      if (++depth > LIMITS.jsonDepthMax) return -1;
    } else if (c === CLOSE_BRACE || c === CLOSE_BRACKET) {
      depth--;
    }
  }
  return keys;
}

function countColons(text: string): number {
  let colons = 0;
  // Four times as fast as looking at each character.
  for (let at = text.indexOf(":"); at !== -1; at = text.indexOf(":", at + 1)) colons++;
  return colons;
}

/** The number of keys in a parsed value; less than in its text where a key was repeated. */
export function countKeysInValue(value: unknown): number {
  if (typeof value !== "object" || value === null) return 0;
  let keys = 0;
  if (Array.isArray(value)) {
    for (const item of value) if (typeof item === "object") keys += countKeysInValue(item);
    return keys;
  }
  for (const key in value) {
    keys++;
    const child = (value as Record<string, unknown>)[key];
    if (typeof child === "object") keys += countKeysInValue(child);
  }
  return keys;
}

/**
 * True when text and value hide nothing: no repeated key, no deep nesting, no character that may not be stored.
 * `value` has passed a schema without free-form parts, which bounds its own depth.
 */
export function isPlainJson(text: string, value: unknown): boolean {
  const keys = countKeysInValue(value);
  // Each key has a colon, so as many colons as distinct keys means that none is repeated; colons inside strings only
  // make the count higher, and then the exact count decides.
  if (countColons(text) !== keys && countKeysInText(text) !== keys) return false;
  // Valid UTF-8 holds lone surrogates only as escapes, and JSON holds U+0000 only as one.
  return !text.includes("\\u") || !holdsForbiddenCharacter(value);
}

function holdsForbiddenCharacter(value: unknown): boolean {
  if (typeof value === "string") return isForbidden(value);
  if (typeof value !== "object" || value === null) return false;
  return Object.entries(value).some(([key, child]) => isForbidden(key) || holdsForbiddenCharacter(child));
}

function isForbidden(text: string): boolean {
  return text.includes("\0") || !text.isWellFormed();
}

/** The slow path: the issues behind `isPlainJson` answering false, with their paths. */
export function findJsonIssues(text: string, value: unknown): ValidationIssue[] {
  if (countKeysInText(text) === -1) return [TOO_DEEP];
  const issues: ValidationIssue[] = [];
  for (const path of duplicateKeyPaths(text)) issues.push({ path, code: "custom", message: "Duplicate key" });
  collectForbidden(value, "", issues);
  return issues;
}

function collectForbidden(value: unknown, path: string, issues: ValidationIssue[]): void {
  if (typeof value === "string") {
    if (isForbidden(value))
      issues.push({ path, code: "invalid_string", message: "Holds a character that is not allowed" });
    return;
  }
  if (typeof value !== "object" || value === null) return;
  for (const [key, child] of Object.entries(value)) {
    collectForbidden(
      child,
      joinPath(path, safePathSegment(key), Array.isArray(value) ? key : undefined),
      issues,
    );
  }
}

/** contract §2 refuses these keys; a schema that lists its fields does so by itself, a free-form part needs this. */
const RESERVED_KEYS: ReadonlySet<string> = new Set(["__proto__", "constructor"]);

/** The reserved keys in a parsed value, at any depth, whose own path is `path`. */
export function findReservedKeys(value: unknown, path: string): ValidationIssue[] {
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([key, child]) => {
    const at = joinPath(path, safePathSegment(key), Array.isArray(value) ? key : undefined);
    if (!RESERVED_KEYS.has(key)) return findReservedKeys(child, at);
    return [{ path: at, code: "unrecognized_keys" as const, message: "Unrecognized key" }];
  });
}

export function joinPath(path: string, segment: string, index?: string): string {
  const last = index ?? segment;
  return path === "" ? last : `${path}.${last}`;
}

interface Container {
  path: string;
  /** Seen keys of an object; null for an array. */
  keys: Set<string> | null;
  index: number;
  key: string;
}

/** Walks a text that JSON.parse accepted and names each repeated key once. */
function duplicateKeyPaths(text: string): Set<string> {
  const duplicates = new Set<string>();
  const stack: Container[] = [];
  for (let i = 0; i < text.length; i++) {
    const c = text.charCodeAt(i);
    const top = stack.at(-1);
    if (c === QUOTE) {
      const start = i++;
      for (let s = text.charCodeAt(i); s !== QUOTE; s = text.charCodeAt(i)) i += s === BACKSLASH ? 2 : 1;
      let next = i + 1;
      while (text.charCodeAt(next) <= SPACE) next++;
      if (text.charCodeAt(next) !== COLON || !top?.keys) continue;
      const key = JSON.parse(text.slice(start, i + 1)) as string;
      if (top.keys.has(key)) duplicates.add(joinPath(top.path, safePathSegment(key)));
      top.keys.add(key);
      top.key = key;
    } else if (c === OPEN_BRACE || c === OPEN_BRACKET) {
      const path = top ? joinPath(top.path, top.keys ? safePathSegment(top.key) : String(top.index)) : "";
      stack.push({ path, keys: c === OPEN_BRACE ? new Set() : null, index: 0, key: "" });
    } else if (c === CLOSE_BRACE || c === CLOSE_BRACKET) {
      stack.pop();
    } else if (c === 0x2c && top && !top.keys) {
      top.index++;
    }
  }
  return duplicates;
}
