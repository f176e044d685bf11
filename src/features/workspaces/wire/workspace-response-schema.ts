import type { FromSchema } from "json-schema-to-ts";
import { LIMITS } from "../../../domain/vocabulary/limits.js";
import {
  hasMoreOfPageSchema,
  idSchema,
  merchantIdSchema,
  timestampSchema,
} from "../../../platform/wire/scalars.js";
import {
  DECISION_MODES,
  RISK_BLOCK_THRESHOLD_SOURCES,
  WORKSPACE_STATUSES,
} from "../../../domain/vocabulary/vocabulary.js";

export const workspaceSchema = {
  type: "object",
  additionalProperties: false,
  required: [
    "id",
    "name",
    "status",
    "default_decision_mode",
    "risk_block_threshold",
    "risk_block_threshold_source",
    "retention_days",
    "retention_days_source",
    "require_one_time_codes",
    "created_at",
  ],
  properties: {
    id: idSchema("ws"),
    name: { type: "string", maxLength: LIMITS.nameCharsMax },
    status: { type: "string", enum: WORKSPACE_STATUSES },
    default_decision_mode: {
      type: ["string", "null"],
      enum: [...DECISION_MODES, null],
      description: "null means enforce.",
    },
    risk_block_threshold: {
      type: "integer",
      minimum: 0,
      maximum: 100,
      description: "The effective threshold: a transaction.risk_score above it is blocked.",
    },
    risk_block_threshold_source: {
      type: "string",
      enum: RISK_BLOCK_THRESHOLD_SOURCES,
      description: "default: the deployment's own, because the workspace has set none.",
    },
    retention_days: {
      type: ["integer", "null"],
      minimum: 1,
      maximum: LIMITS.retentionDaysMax,
      description: "For how many days decisions are kept; null means forever.",
    },
    retention_days_source: {
      type: "string",
      enum: RISK_BLOCK_THRESHOLD_SOURCES,
      description: "default: the deployment's own, because the workspace has set no shorter one.",
    },
    require_one_time_codes: {
      type: "boolean",
      description: "true: a member without one-time codes may only enrol them.",
    },
    created_at: timestampSchema,
  },
} as const;

export const workspaceResponseSchema = {
  type: "object",
  additionalProperties: false,
  required: ["workspace"],
  properties: { workspace: workspaceSchema },
} as const;

export const merchantSchema = {
  type: "object",
  additionalProperties: false,
  required: ["merchant_id", "name", "created_at"],
  properties: {
    merchant_id: merchantIdSchema,
    name: { type: ["string", "null"], maxLength: LIMITS.nameCharsMax },
    created_at: timestampSchema,
  },
} as const;

export const createdMerchantSchema = {
  type: "object",
  additionalProperties: false,
  required: ["merchant"],
  properties: { merchant: merchantSchema },
} as const;

export const merchantListSchema = {
  type: "object",
  additionalProperties: false,
  required: ["merchants"],
  properties: { merchants: { type: "array", items: merchantSchema }, has_more: hasMoreOfPageSchema },
} as const;

export type WorkspaceResponseBody = FromSchema<typeof workspaceResponseSchema>;

export type MerchantBody = FromSchema<typeof merchantSchema>;

export type CreatedMerchantBody = FromSchema<typeof createdMerchantSchema>;

export type MerchantListBody = FromSchema<typeof merchantListSchema>;

export type WorkspaceBody = FromSchema<typeof workspaceSchema>;
