import { riskBandOf } from "../../../domain/risk/assess-risk.js";
import {
  admits,
  type Constraint,
  hasNoValue,
  type HitsConstraint,
  type RangeConstraint,
} from "./constraint.js";
import { conditionFieldsOf } from "../../../domain/policy/condition-vocabulary.js";
import type { Term } from "./terms.js";
import { OFFER, prefixSubject } from "./literals.js";

/**
 * The largest offer for which the linter searches whether an offer can hit every list. For a larger offer it reports
 * nothing.
 */
const SEARCHED_OFFER_SIZE_MAX = 3;

/**
 * Compares different fields of one term. It returns the subjects that contradict one another. Null means that some
 * request can satisfy the term, or that no contradiction is known. The check of each single field was made when the
 * term was built.
 */
export function contradictionOf(term: Term, providers: readonly string[]): readonly string[] | null {
  return (
    offerContradiction(term, providers) ??
    prefixContradiction(term) ??
    attemptContradiction(term) ??
    riskContradiction(term)
  );
}

function range(term: Term, subject: string): RangeConstraint | undefined {
  const constraint = term.get(subject);
  return constraint?.kind === "range" ? constraint : undefined;
}

/** An offer has at least one configured provider, at least one of each list, and none that is forbidden. */
function offerContradiction(term: Term, providers: readonly string[]): readonly string[] | null {
  const size = range(term, "offered_provider_count");
  const offer = term.get(OFFER) as HitsConstraint | undefined;
  if (size === undefined && offer === undefined) return null;
  const free = providers.filter((provider) => offer?.forbidden.has(provider) !== true);
  const hits = (offer?.hits ?? []).map((listed) => listed.filter((provider) => free.includes(provider)));
  if (free.length === 0 || hits.some((listed) => listed.length === 0)) return [OFFER];
  if (size === undefined) return null;
  if (free.length < size.lowest) return [OFFER, "offered_provider_count"];
  return canHitAll(hits, size.highest) ? null : [OFFER, "offered_provider_count"];
}

function canHitAll(hits: readonly (readonly string[])[], size: number): boolean {
  if (hits.length <= size || size > SEARCHED_OFFER_SIZE_MAX) return true;
  const [first = [], ...others] = hits;
  return (
    size > 0 &&
    first.some((provider) =>
      canHitAll(
        others.filter((listed) => !listed.includes(provider)),
        size - 1,
      ),
    )
  );
}

/**
 * A text begins with one prefix of each list and with no forbidden one. The longest matching prefix must come from one
 * of the lists.
 */
function prefixContradiction(term: Term): readonly string[] | null {
  const contradicting = conditionFieldsOf("prefix")
    .map(prefixSubject)
    .filter((subject) => {
      const constraint = term.get(subject);
      return constraint?.kind === "hits" && !mayBegin(constraint);
    });
  return contradicting.length === 0 ? null : contradicting;
}

function mayBegin({ hits, forbidden }: HitsConstraint): boolean {
  if (hits.length === 0) return true;
  return hits.flat().some((longest) => {
    const isBegunBy = (prefix: string): boolean => longest.startsWith(prefix);
    return hits.every((listed) => listed.some(isBegunBy)) && !Array.from(forbidden).some(isBegunBy);
  });
}

/** A previous attempt always has a provider and an outcome. Without an attempt, its fields are absent. */
function attemptContradiction(term: Term): readonly string[] | null {
  const has = term.get("has_previous_attempt");
  const mayHave = has?.kind !== "set" || admits(has, "true");
  const mayLack = has?.kind !== "set" || admits(has, "false");
  const about = ["previous_provider", "previous_outcome", "previous_reason_code"].filter((subject) =>
    term.has(subject),
  );
  if (mayLack && about.every((subject) => mayBeAbsent(term.get(subject)))) return null;
  const impossible = about.filter((subject) => {
    const constraint = term.get(subject);
    if (constraint?.kind !== "set" || !hasNoValue(constraint)) return false;
    // Only the reason code of an attempt may be absent.
    return subject !== "previous_reason_code" || !constraint.absent;
  });
  if (mayHave && impossible.length === 0) return null;
  return has === undefined ? about : ["has_previous_attempt", ...about];
}

function mayBeAbsent(constraint: Constraint | undefined): boolean {
  return constraint?.kind === "set" && constraint.absent;
}

/** RISK-9: the computed score is at least the score that the merchant sends, and it determines the band. */
function riskContradiction(term: Term): readonly string[] | null {
  const computed = range(term, "computed_risk_score");
  const band = term.get("risk_band");
  if (computed === undefined && band === undefined) return null;
  const supplied = ["risk_score", "merchant_supplied_risk_score"].filter(
    (subject) => range(term, subject)?.absent === false,
  );
  const lowest = Math.max(
    computed?.lowest ?? 0,
    ...supplied.map((subject) => range(term, subject)?.lowest ?? 0),
  );
  for (let score = lowest; score <= (computed?.highest ?? 100); score++) {
    if (band?.kind !== "set" || admits(band, riskBandOf(score))) return null;
  }
  return ["computed_risk_score", "risk_band", ...supplied].filter((subject) => term.has(subject));
}
