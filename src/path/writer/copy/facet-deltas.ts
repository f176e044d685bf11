import { DECISION_MODES } from "../../../domain/vocabulary/vocabulary.js";
import { ENFORCED_AT, OUTCOMES_AT, SHADOWED_AT, UNRESOLVED_AT } from "./facet-counters.js";

/**
 * facet_deltas has two text columns with entries separated by semicolons. An entry is a facet, a bar, and numbers
 * separated by commas. A facet is merchant, currency, country, payment method, card network and primary provider,
 * separated by commas. A missing value is empty, and enum values are positions.
 *
 * - `decided` has decision mode, action, and the number of decisions.
 * - `followed` has the action, the stored outcome, the outcome that it replaced, and 1 if the decision was unresolved
 *   before. The outcome of an approved review is empty.
 */
export const [BAR, COMMA, SEMICOLON] = ["|", ",", ";"];

const SHADOW = DECISION_MODES.indexOf("shadow");
const DIGIT_0 = "0".charCodeAt(0);

/** The texts of one row of facet_deltas. */
export interface FacetDelta {
  decided: string | null;
  followed: string | null;
}

/** `facet` is the text of the facet's six fields. */
export type VisitDelta = (facet: string, counter: number, number: number) => void;

/** Calls `visit` for each change of a count. */
export function eachDelta({ decided, followed }: FacetDelta, visit: VisitDelta): void {
  eachEntry(decided, (facet, [decisionMode, action, decisions]) => {
    if (decisionMode === SHADOW) visit(facet, SHADOWED_AT[action as number] as number, decisions as number);
    else {
      visit(facet, ENFORCED_AT[action as number] as number, decisions as number);
      visit(facet, UNRESOLVED_AT[action as number] as number, decisions as number);
    }
  });
  eachEntry(followed, (facet, [action, outcome, replaced, wasUnresolved]) => {
    if (wasUnresolved === 1) visit(facet, UNRESOLVED_AT[action as number] as number, -1);
    if (outcome !== null) visit(facet, OUTCOMES_AT[outcome as number] as number, 1);
    if (replaced !== null) visit(facet, OUTCOMES_AT[replaced as number] as number, -1);
  });
}

/**
 * Calls `visit` for each entry with its numbers. An empty number is null. Each call reuses the same array of numbers.
 */
function eachEntry(
  text: string | null,
  visit: (facet: string, numbers: readonly (number | null)[]) => void,
): void {
  if (text === null) return;
  const numbers: (number | null)[] = [];
  for (let start = 0; start < text.length;) {
    const bar = text.indexOf(BAR, start);
    numbers.length = 0;
    let number: number | null = null;
    let at = bar + 1;
    for (; at < text.length && text[at] !== SEMICOLON; at++) {
      if (text[at] === COMMA) {
        numbers.push(number);
        number = null;
      } else number = (number ?? 0) * 10 + text.charCodeAt(at) - DIGIT_0;
    }
    numbers.push(number);
    visit(text.slice(start, bar), numbers);
    start = at + 1;
  }
}
