import { CARD_NETWORKS, PAYMENT_METHODS } from "../../../domain/vocabulary/vocabulary.js";
import { LIMITS } from "../../../domain/vocabulary/limits.js";
import {
  countrySchema,
  countSchema,
  currencySchema,
  merchantIdSchema,
  NULL,
  nullableRateSchema,
  providerIdSchema,
  timestampSchema,
} from "../../../platform/wire/scalars.js";

const countedRequired = ["decisions", "with_outcome", "approved", "approval_rate"] as const;
const countedProperties = {
  decisions: countSchema,
  with_outcome: countSchema,
  approved: countSchema,
  approval_rate: nullableRateSchema,
} as const;

const pointsSchema = { type: "number", minimum: -100, maximum: 100 } as const;

const comparisonProperties = {
  before: {
    anyOf: [
      {
        type: "object",
        additionalProperties: false,
        required: countedRequired,
        properties: countedProperties,
      },
      NULL,
    ],
    description: "The previous period of the same length; null for the whole history.",
  },
  difference: {
    anyOf: [
      {
        type: "object",
        additionalProperties: false,
        required: ["points", "low", "high"],
        properties: {
          points: { ...pointsSchema, description: "The approval rate minus that of the previous period." },
          low: pointsSchema,
          high: pointsSchema,
        },
      },
      NULL,
    ],
    description:
      "In percentage points, with Newcombe's hybrid score interval at 95 %; null without two rates.",
  },
  lost_approvals: {
    type: ["number", "null"],
    description:
      "How many more payments would be approved at the rate of the previous period. Negative if fewer would; null without two rates.",
  },
} as const;
const comparisonRequired = ["before", "difference", "lost_approvals"] as const;

/** ANA-7: all decisions of the summary, compared with the period before. */
export const comparisonSchema = {
  type: "object",
  additionalProperties: false,
  required: comparisonRequired,
  properties: comparisonProperties,
} as const;

/** ANA-13: the starts of the steps of the groups' series. */
export const groupStepsSchema = {
  type: "array",
  items: timestampSchema,
  maxItems: LIMITS.analyticsGroupStepsMax,
  description:
    "Only with group_series: the start of each step of the groups' series. They are the newest steps of series.",
} as const;

/** ANA-6: one group. */
export const groupsSchema = {
  type: "array",
  maxItems: LIMITS.analyticsGroupsMax,
  description: "Most lost approvals first, then most decisions.",
  items: {
    type: "object",
    additionalProperties: false,
    required: ["key", ...countedRequired, ...comparisonRequired],
    properties: {
      key: {
        type: "object",
        additionalProperties: false,
        description: "The values of the columns in group_by; null means that there is none.",
        properties: {
          merchant_id: merchantIdSchema,
          currency: currencySchema,
          country: { ...countrySchema, type: ["string", "null"] },
          payment_method: { type: "string", enum: PAYMENT_METHODS },
          card_network: { type: ["string", "null"], enum: [...CARD_NETWORKS, null] },
          provider: { ...providerIdSchema, type: ["string", "null"] },
        },
      },
      ...countedProperties,
      ...comparisonProperties,
      series: {
        type: "array",
        maxItems: LIMITS.analyticsGroupStepsMax,
        description: "Only with group_series, of the first groups: one item for each of group_steps.",
        items: {
          type: "object",
          additionalProperties: false,
          required: ["with_outcome", "approved"],
          properties: { with_outcome: countSchema, approved: countSchema },
        },
      },
    },
  },
} as const;
