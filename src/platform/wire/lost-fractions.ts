import { LIMITS } from "../../domain/vocabulary/limits.js";
import { losesFraction } from "../../domain/vocabulary/written-number.js";
import { pathOf, type Place } from "./json-text.js";
import type { ValidationIssue } from "./validation-issue.js";

/**
 * Finds numbers whose fraction JSON.parse loses: 12500.0000000000000000001 becomes 12500, and 1e-400 becomes 0. A
 * validator sees only the value, so this function scans the text.
 */

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const COLON = 0x3a;
const COMMA = 0x2c;
const MINUS = 0x2d;
const OPEN_BRACE = 0x7b;
const CLOSE_BRACE = 0x7d;
const OPEN_BRACKET = 0x5b;
const CLOSE_BRACKET = 0x5d;
const SPACE = 0x20;
const ZERO = 0x30;
const NINE = 0x39;

/** Texts without a match need no detailed scan. Most texts have none. */
const MAY_HAVE_FRACTION = /\d[.eE]/;
const NUMBER = /-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/y;

/**
 * ERR-19: returns one issue, with its path, for each number whose fraction is lost. It returns at most
 * `LIMITS.validationIssuesMax` issues. JSON.parse must have accepted `text`.
 */
export function findLostFractions(text: string): ValidationIssue[] {
  if (!MAY_HAVE_FRACTION.test(text)) return [];
  const issues: ValidationIssue[] = [];
  /** The keys and indices of the containers around position `i`. */
  const place: Place = [];
  for (let i = 0; i < text.length; i++) {
    const c = text.charCodeAt(i);
    if (c === QUOTE) {
      const end = endOfString(text, i);
      if (typeof place.at(-1) === "string" && isKey(text, end)) {
        place[place.length - 1] = JSON.parse(text.slice(i, end + 1)) as string;
      }
      i = end;
    } else if (c === MINUS || (c >= ZERO && c <= NINE)) {
      NUMBER.lastIndex = i;
      const [number = ""] = NUMBER.exec(text) ?? [];
      if (MAY_HAVE_FRACTION.test(number) && losesFraction(number)) {
        issues.push({
          path: pathOf(place),
          code: "invalid_type",
          message: "Expected integer: the fraction would be lost",
        });
        if (issues.length === LIMITS.validationIssuesMax) break;
      }
      i += number.length - 1;
    } else if (c === OPEN_BRACE) place.push("");
    else if (c === OPEN_BRACKET) place.push(0);
    else if (c === CLOSE_BRACE || c === CLOSE_BRACKET) place.pop();
    else if (c === COMMA && typeof place.at(-1) === "number") {
      place[place.length - 1] = (place.at(-1) as number) + 1;
    }
  }
  return issues;
}

function endOfString(text: string, start: number): number {
  let i = start + 1;
  for (let c = text.charCodeAt(i); c !== QUOTE; c = text.charCodeAt(i)) i += c === BACKSLASH ? 2 : 1;
  return i;
}

function isKey(text: string, end: number): boolean {
  let next = end + 1;
  while (text.charCodeAt(next) <= SPACE) next++;
  return text.charCodeAt(next) === COLON;
}
