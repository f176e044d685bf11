import type { FromSchema } from "json-schema-to-ts";
import { LIMITS } from "../../../domain/vocabulary/limits.js";
import { CARD_NETWORKS, PAYMENT_METHODS } from "../../../domain/vocabulary/vocabulary.js";
import { policyIssueSchema } from "../../../platform/wire/error-schema.js";
import {
  amountMinorSchema,
  countrySchema,
  countSchema,
  currencySchema,
  idSchema,
  merchantIdSchema,
  nullableTimestampSchema,
  providerIdSchema,
  timestampSchema,
} from "../../../platform/wire/scalars.js";

/** PRICE-5: POST /v1/pricing/rules */
export const storedContractSchema = {
  type: "object",
  additionalProperties: false,
  required: ["contract_id", "merchant_id", "rules_stored", "effective_from", "effective_to", "warnings"],
  properties: {
    contract_id: idSchema("prc"),
    merchant_id: merchantIdSchema,
    rules_stored: { type: "integer", minimum: 1, maximum: LIMITS.rulesPerContractMax },
    effective_from: timestampSchema,
    effective_to: nullableTimestampSchema,
    warnings: { type: "array", items: policyIssueSchema },
  },
} as const;

const segment = {
  provider: providerIdSchema,
  payment_method: { type: "string", enum: PAYMENT_METHODS },
  card_network: { type: "string", enum: CARD_NETWORKS },
  country: countrySchema,
  currency: currencySchema,
} as const;
const percentage = { type: "number", minimum: 0, maximum: 10_000 } as const;

const rule = {
  type: "object",
  additionalProperties: false,
  required: ["provider", "payment_method", "currency", "percentage_bps", "fixed_minor"],
  properties: {
    ...segment,
    percentage_bps: percentage,
    fixed_minor: amountMinorSchema,
    min_fee_minor: amountMinorSchema,
    max_fee_minor: amountMinorSchema,
    tiers: {
      type: "array",
      items: {
        type: "object",
        additionalProperties: false,
        required: ["amount_gte", "percentage_bps", "fixed_minor"],
        properties: {
          amount_gte: amountMinorSchema,
          percentage_bps: percentage,
          fixed_minor: amountMinorSchema,
        },
      },
    },
  },
} as const;

/** GET /v1/pricing/rules/:merchantId */
export const merchantPricesSchema = {
  type: "object",
  additionalProperties: false,
  required: ["merchant_id", "contracts", "observed"],
  properties: {
    merchant_id: merchantIdSchema,
    contracts: {
      type: "array",
      description: "In effect and to come, oldest first.",
      items: {
        type: "object",
        additionalProperties: false,
        required: [
          "contract_id",
          "contract_name",
          "version",
          "status",
          "effective_from",
          "effective_to",
          "replace",
          "rules_stored",
          "created_at",
          "rules",
        ],
        properties: {
          contract_id: idSchema("prc"),
          contract_name: { type: "string" },
          version: { type: "string", pattern: "^v[0-9]+$" },
          status: { type: "string", enum: ["active", "scheduled", "expired", "replaced"] },
          effective_from: timestampSchema,
          effective_to: nullableTimestampSchema,
          replace: { type: "boolean" },
          rules_stored: { type: "integer", minimum: 1 },
          created_at: timestampSchema,
          rules: { type: "array", items: rule },
        },
      },
    },
    observed: {
      type: "array",
      description: "Prices fitted to the fees that provider webhooks reported.",
      items: {
        type: "object",
        additionalProperties: false,
        required: [
          "provider",
          "payment_method",
          "currency",
          "percentage_bps",
          "fixed_minor",
          "sample_size",
          "median_error_bps",
          "counts_as_pricing",
        ],
        properties: {
          ...segment,
          percentage_bps: percentage,
          fixed_minor: amountMinorSchema,
          sample_size: countSchema,
          median_error_bps: { type: "number", minimum: 0 },
          counts_as_pricing: {
            type: "boolean",
            description: "True if there are enough fees and they are near enough to the fit.",
          },
        },
      },
    },
  },
} as const;

export type StoredContractBody = FromSchema<typeof storedContractSchema>;
