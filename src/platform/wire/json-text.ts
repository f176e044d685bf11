import { LIMITS } from "../../domain/vocabulary/limits.js";
import { safePathSegment, type ValidationIssue } from "./validation-issue.js";

/**
 * Checks for text that JSON.parse accepts but a body may not contain: repeated keys, too deep nesting, U+0000 and lone
 * surrogates. PostgreSQL refuses U+0000 and lone surrogates, and one such row would make its whole batch fail.
 */

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const COLON = 0x3a;
const OPEN_BRACE = 0x7b;
const CLOSE_BRACE = 0x7d;
const OPEN_BRACKET = 0x5b;
const CLOSE_BRACKET = 0x5d;
const SPACE = 0x20;
const COMMA = 0x2c;

export const TOO_DEEP: ValidationIssue = {
  path: "",
  code: "custom",
  message: `Nesting deeper than ${LIMITS.jsonLevelsMax} levels`,
};

/**
 * Finds faults of a body's text as a whole. Call it before JSON.parse: parsing such a text is expensive, and a client
 * may send any number of them. A mebibyte of brackets takes 35 to 75 ms. The errors of 16 KB of different keys take 3
 * ms.
 */
export function issueOfWholeText(
  text: string,
  max: number,
  counted: "values" | "fields" = "values",
): ValidationIssue | null {
  const count = counted === "values" ? countValuesInText(text) : countKeysInText(text);
  if (count === -1) return TOO_DEEP;
  if (count <= max) return null;
  const message = `Must hold at most ${max} ${counted}, nested ones included`;
  return { path: "", code: "too_big", message };
}

/** Returns undefined if the text is not JSON. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/**
 * Returns the number of keys in a JSON text, or -1 if the text nests too deep. If the text is not JSON, the number is
 * arbitrary.
 */
export function countKeysInText(text: string): number {
  // Outside strings, a colon occurs only after a key.
  return countInText(text, COLON, 0);
}

/**
 * Returns an upper bound of the members and items in a JSON text: one for each comma, and one for each list or object.
 * Returns -1 if the text nests too deep.
 */
function countValuesInText(text: string): number {
  return countInText(text, COMMA, 1);
}

/**
 * Counts `character` outside strings, and adds `perOpening` for each opening bracket. Returns -1 if the text nests too
 * deep.
 */
function countInText(text: string, character: number, perOpening: number): number {
  let count = 0;
  let depth = 0;
  for (let i = 0; i < text.length; i++) {
    const c = text.charCodeAt(i);
    if (c === QUOTE) {
      i++;
      for (let s = text.charCodeAt(i); s !== QUOTE && i < text.length; s = text.charCodeAt(i))
        i += s === BACKSLASH ? 2 : 1;
    } else if (c === character) {
      count++;
    } else if (c === OPEN_BRACE || c === OPEN_BRACKET) {
      if (++depth > LIMITS.jsonLevelsMax) return -1;
      count += perOpening;
    } else if (c === CLOSE_BRACE || c === CLOSE_BRACKET) {
      depth--;
    }
  }
  return count;
}

function countColons(text: string): number {
  let colons = 0;
  // `indexOf` is four times as fast as a look at each character.
  for (let at = text.indexOf(":"); at !== -1; at = text.indexOf(":", at + 1)) colons++;
  return colons;
}

/** Returns the number of keys in a parsed value. A key that the text repeats is in the value only one time. */
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
 * Returns true if the text has no repeated key, no deep nesting and no forbidden character. `value` must have passed a
 * schema without free-form parts, which limits its depth.
 */
export function isPlainJson(text: string, value: unknown): boolean {
  const keys = countKeysInValue(value);
  // Each key is followed by a colon. If the text has as many colons as the value has keys, no key is repeated. Colons
  // inside strings also count, so an exact count decides if the numbers differ.
  if (countColons(text) !== keys && countKeysInText(text) !== keys) return false;
  // In valid UTF-8, lone surrogates can occur only as escapes. So can U+0000 in JSON.
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

/**
 * Finds the issues with their paths, up to the number that can be listed. It is slow. Call it only for a body that is
 * refused.
 */
export function findJsonIssues(text: string, value: unknown): ValidationIssue[] {
  const keys = countKeysInText(text);
  if (keys === -1) return [TOO_DEEP];
  const issues: ValidationIssue[] = [];
  if (keys !== countKeysInValue(value)) {
    for (const path of duplicateKeyPaths(text))
      issues.push({ path, code: "custom", message: "Duplicate key" });
  }
  if (text.includes("\\u")) collectForbidden(value, [], issues);
  return issues;
}

/** The keys and indices that lead to a value. */
export type Place = (string | number)[];

/**
 * Call this only for a value that is reported. Building a path for each value of a mebibyte blocked the front thread
 * for half a second.
 */
export function pathOf(place: Place): string {
  return place.map((step) => (typeof step === "number" ? String(step) : safePathSegment(step))).join(".");
}

function collectForbidden(value: unknown, place: Place, issues: ValidationIssue[]): void {
  if (issues.length >= LIMITS.validationIssuesMax) return;
  if (typeof value === "string") {
    if (!isForbidden(value)) return;
    const message = "Holds a character that is not allowed";
    issues.push({ path: pathOf(place), code: "invalid_string", message });
  } else forEachChild(value, place, (_key, child) => collectForbidden(child, place, issues));
}

/**
 * ERR-14: the keys that free-form parts must not contain. Elsewhere schemas list their fields and so refuse these keys.
 */
export const RESERVED_KEYS: ReadonlySet<string> = new Set(["__proto__", "constructor"]);

/**
 * Finds the forbidden keys in a free-form value at any depth, up to the number that can be listed. `at` is the path to
 * the value.
 */
export function findRefusedKeys(value: unknown, at: readonly string[]): ValidationIssue[] {
  const issues: ValidationIssue[] = [];
  const collect = (within: unknown, place: Place): void => {
    forEachChild(within, place, (key, child) => {
      if (issues.length >= LIMITS.validationIssuesMax) return;
      if (!RESERVED_KEYS.has(key) && !isForbidden(key)) collect(child, place);
      else issues.push({ path: pathOf(place), code: "unrecognized_keys", message: "Unrecognized key" });
    });
  };
  collect(value, [...at]);
  return issues;
}

/** Calls `visit` for each member and item. During the call, `place` leads to the child. The key of an item is empty. */
function forEachChild(value: unknown, place: Place, visit: (key: string, child: unknown) => void): void {
  if (typeof value !== "object" || value === null) return;
  const depth = place.length;
  if (Array.isArray(value)) {
    for (let index = 0; index < value.length; index++) {
      place[depth] = index;
      visit("", value[index]);
    }
  } else {
    for (const key in value) {
      place[depth] = key;
      visit(key, (value as Record<string, unknown>)[key]);
    }
  }
  place.length = depth;
}

/** True if a parsed value has more than `count` members and items. It stops counting there. */
export function holdsMoreThan(value: unknown, count: number): boolean {
  let left = count;
  const isOver = (within: unknown): boolean => {
    if (typeof within !== "object" || within === null) return false;
    for (const key in within) {
      if (--left < 0 || isOver((within as Record<string, unknown>)[key])) return true;
    }
    return false;
  };
  return isOver(value);
}

export function joinPath(path: string, segment: string, index?: string): string {
  const last = index ?? segment;
  return path === "" ? last : `${path}.${last}`;
}

interface Container {
  parent: Container | undefined;
  /** The keys of an object so far. Null for an array. */
  keys: Set<string> | null;
  /** The key or index of this container in its parent. */
  at: string | number;
}

/**
 * Walks through a text that JSON.parse has accepted. Returns the paths of repeated keys, up to the number that can be
 * listed.
 */
function duplicateKeyPaths(text: string): Set<string> {
  const duplicates = new Set<string>();
  let top: Container | undefined;
  for (let i = 0; i < text.length; i++) {
    const c = text.charCodeAt(i);
    if (c === QUOTE) {
      const start = i++;
      let isEscaped = false;
      for (let s = text.charCodeAt(i); s !== QUOTE; s = text.charCodeAt(i)) {
        if (s === BACKSLASH) isEscaped = true;
        i += s === BACKSLASH ? 2 : 1;
      }
      let next = i + 1;
      while (text.charCodeAt(next) <= SPACE) next++;
      if (text.charCodeAt(next) !== COLON || !top?.keys) continue;
      const key = isEscaped ? (JSON.parse(text.slice(start, i + 1)) as string) : text.slice(start + 1, i);
      top.at = key;
      if (!top.keys.has(key)) top.keys.add(key);
      else if (duplicates.add(placeIn(top)).size === LIMITS.validationIssuesMax) break;
    } else if (c === OPEN_BRACE || c === OPEN_BRACKET) {
      top = { parent: top, keys: c === OPEN_BRACE ? new Set() : null, at: 0 };
    } else if (c === CLOSE_BRACE || c === CLOSE_BRACKET) {
      top = top?.parent;
    } else if (c === COMMA && typeof top?.at === "number") {
      top.at++;
    }
  }
  return duplicates;
}

function placeIn(container: Container): string {
  const place: Place = [];
  for (let at: Container | undefined = container; at !== undefined; at = at.parent) place.unshift(at.at);
  return pathOf(place);
}
