import { LIMITS } from "../../domain/vocabulary/limits.js";
import type { IdPrefix } from "../../domain/ids/ids.js";

/** The schemas that the bodies and answers of several subjects share. */

/** The 26 characters of an id after its prefix (domain/ids/ids.ts). */
const ULID = "[0-7][0-9a-hjkmnp-tv-z]{25}";

export function idSchema(prefix: IdPrefix) {
  return { type: "string", pattern: `^${prefix}_${ULID}$` } as const;
}

export const decisionIdSchema = idSchema("dec");

/**
 * FMT-9: 1–128 of `[A-Za-z0-9_.:-]`. The length limits are separate keywords, because they have error codes of their
 * own.
 */
export const merchantIdSchema = {
  type: "string",
  minLength: 1,
  maxLength: LIMITS.merchantIdCharsMax,
  pattern: "^[A-Za-z0-9_.:-]*$",
} as const;

export const orderIdSchema = { type: "string", minLength: 1, maxLength: LIMITS.orderIdCharsMax } as const;

/** Not an enum, because a stored provider may no longer be configured. */
export const providerIdSchema = {
  type: "string",
  pattern: "^[a-z][a-z0-9_]*$",
  description: "One of the deployment's providers.",
} as const;

export const timestampSchema = {
  type: "string",
  format: "date-time",
  pattern: "^\\d{4}-\\d{2}-\\d{2}T\\d{2}:\\d{2}:\\d{2}\\.\\d{3}Z$",
  description: "ISO 8601, UTC, with milliseconds.",
} as const;

export const nullableTimestampSchema = { ...timestampSchema, type: ["string", "null"] } as const;

export const countSchema = { type: "integer", minimum: 0 } as const;

export const rateSchema = {
  type: "number",
  minimum: 0,
  maximum: 1,
  description: "A fraction 0..1.",
} as const;

/** AGG-3: null if the denominator is 0. */
export const nullableRateSchema = {
  ...rateSchema,
  type: ["number", "null"],
  description: "A fraction 0..1. Null if its denominator is 0.",
} as const;

export const pointsSchema = { type: "number", minimum: 0, maximum: 100 } as const;

export const riskScoreSchema = { type: "integer", minimum: 0, maximum: 100 } as const;

export const latencyMsSchema = { type: "number", minimum: 0 } as const;

/** The amount of a payment, in minor units. */
export const amountSchema = { type: "integer", minimum: 1, maximum: LIMITS.amountMinorMax } as const;

export const amountMinorSchema = {
  type: "integer",
  minimum: 0,
  maximum: LIMITS.amountMinorMax,
  description: "Minor units.",
} as const;

/** Not an enum of 179 codes, because its error message would be very long. The format reports an invalid string. */
export const currencySchema = { type: "string", format: "iso-4217" } as const;
export const countrySchema = { type: "string", format: "iso-3166-1-alpha-2" } as const;

export const reasonCodeSchema = { type: "string", pattern: "^[A-Z][A-Z0-9]*(_[A-Z0-9]+)*$" } as const;

export const reasonCodesSchema = {
  type: "array",
  items: reasonCodeSchema,
  description: "UPPER_SNAKE; never free text and never personal data.",
} as const;

export const NULL = { type: "null" } as const;

/** LIST-3: the cursor of a list that is in order of merchant id. */
export const merchantCursorSchema = {
  type: "string",
  pattern: `^[A-Za-z0-9_.:-]{1,${LIMITS.merchantIdCharsMax}}$`,
} as const;

/** LIST-5. */
export const hasMoreSchema = {
  type: "boolean",
  description: "Whether there are more rows in the direction of the walk.",
} as const;
/** ADM-17. */
export const hasMoreOfPageSchema = {
  type: "boolean",
  description:
    "Whether there are more rows in the direction of the walk. Absent if the query has no parameter of a page.",
} as const;
