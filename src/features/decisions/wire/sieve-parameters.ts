import { LIMITS } from "../../../domain/vocabulary/limits.js";
import { OUTCOMES, RISK_BANDS } from "../../../domain/vocabulary/vocabulary.js";
import type { Query } from "../../../platform/http/query.js";
import type { Parameter } from "../../../platform/wire/operation.js";
import { NO_SIEVE, type DecisionSieve } from "../../../domain/vocabulary/decision-scope.js";

const amount = { type: "integer", minimum: 0, maximum: LIMITS.amountMinorMax } as const;
const riskBand = { type: "string", enum: RISK_BANDS } as const;
const outcome = { type: "string", enum: OUTCOMES } as const;
/** The schema has no list of codes, because a stored code may have been withdrawn since. */
const reasonCode = {
  type: "string",
  minLength: 1,
  maxLength: LIMITS.reasonCodeCharsMax,
  pattern: "^[A-Z0-9_]*$",
} as const;
const search = {
  type: "string",
  minLength: LIMITS.searchCharsMin,
  maxLength: LIMITS.orderIdCharsMax,
} as const;

/** LOG-22 to LOG-26: the filters without an index. A query with one of these filters examines rows one by one. */
export const sieveParameters = {
  amount_min: { schema: amount, description: "Only this amount or more, in minor units of any currency." },
  amount_max: { schema: amount, description: "Only this amount or less, in minor units of any currency." },
  risk_band: { schema: riskBand, description: "Only this band of the advisory risk." },
  outcome: { schema: outcome, description: "Only decisions whose stored outcome is this." },
  reason_code: { schema: reasonCode, description: "Only decisions with this reason code." },
  q: {
    schema: search,
    description: "A decision's or an order's id. If no decision has it, the beginning of one.",
  },
} as const satisfies Readonly<Record<string, Parameter>>;

export const SIEVE_PARAMETERS = Object.keys(sieveParameters);

export function readSieve(query: Query): DecisionSieve {
  const amountMin = readAmount(query, "amount_min");
  const amountMax = readAmount(query, "amount_max");
  if (amountMin !== null && amountMax !== null && amountMax < amountMin) {
    query.refuse("amount_max", "custom", "Must not be below amount_min");
  }
  return {
    ...NO_SIEVE,
    amountMin,
    amountMax,
    riskBand: query.oneOf("risk_band", riskBand),
    outcome: query.oneOf("outcome", outcome),
    reasonCode: query.matching("reason_code", reasonCode),
  };
}

function readAmount(query: Query, name: "amount_min" | "amount_max"): number | null {
  return query.has(name) ? query.integer(name, { ...amount, default: 0 }) : null;
}
