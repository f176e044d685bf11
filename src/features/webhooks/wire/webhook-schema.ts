import type { FromSchema } from "json-schema-to-ts";
import { LIMITS } from "../../../domain/vocabulary/limits.js";
import { parseTimestamp } from "../../../domain/vocabulary/timestamp.js";
import { CARD_NETWORKS, PAYMENT_METHODS } from "../../../domain/vocabulary/vocabulary.js";
import {
  createValidator,
  distinct,
  invalidJson,
  type Validated,
  decodeUtf8,
} from "../../../platform/wire/body-validator.js";
import { amountSchema, countrySchema, currencySchema } from "../../../platform/wire/scalars.js";
import { readIncident, type IncidentData } from "./incident-data.js";
import {
  findJsonIssues,
  findRefusedKeys,
  isPlainJson,
  issueOfWholeText,
  parseJson,
} from "../../../platform/wire/json-text.js";
import { findLostFractions } from "../../../platform/wire/lost-fractions.js";
import type { ValidationIssue } from "../../../platform/wire/validation-issue.js";

/** HOOK-6: a type outside this list is stored and answered `ignored`. */
export const FEE_ASSESSED = "payment.fee_assessed";
const INCIDENT_OPENED = "provider.incident_opened";
const INCIDENT_CLOSED = "provider.incident_closed";
export const KNOWN_TYPES: readonly string[] = [
  FEE_ASSESSED,
  "payment.settled",
  INCIDENT_OPENED,
  INCIDENT_CLOSED,
];

const TYPE_NAME = /^[A-Za-z0-9_.-]*$/;

export const webhookFrameSchema = {
  type: "object",
  additionalProperties: false,
  required: ["type", "created_at", "data"],
  properties: {
    type: {
      type: "string",
      minLength: 1,
      maxLength: LIMITS.webhookTypeCharsMax,
      pattern: TYPE_NAME.source,
    },
    created_at: { type: "string", format: "iso-8601" },
    data: { type: "object" },
  },
} as const;

export const webhookFeeSchema = {
  type: "object",
  additionalProperties: false,
  required: ["payment_method", "currency", "amount", "fee_minor"],
  properties: {
    decision_id: { type: "string", minLength: 1, maxLength: LIMITS.decisionIdCharsMax },
    payment_method: { type: "string", enum: PAYMENT_METHODS },
    card_network: { type: "string", enum: CARD_NETWORKS },
    country: countrySchema,
    currency: currencySchema,
    amount: amountSchema,
    fee_minor: { type: "integer", minimum: 0, maximum: LIMITS.amountMinorMax },
  },
} as const;

export type FeeData = FromSchema<typeof webhookFeeSchema>;

export interface WebhookBody {
  type: string;
  isKnownType: boolean;
  /** Unix milliseconds. Null if an unknown type has no readable time. */
  createdAtMs: number | null;
  /** Set for payment.fee_assessed only. */
  fee: FeeData | null;
  /** Set when an incident opens or closes. */
  incident: IncidentData | null;
}

const frame = createValidator<FromSchema<typeof webhookFrameSchema>>(webhookFrameSchema);
const feeData = createValidator<FeeData>(webhookFeeSchema);

/** Parses bytes whose signature has been checked. The fields of `data` are checked only for a fee. */
export function parseWebhookBody(bytes: Uint8Array): Validated<WebhookBody> {
  const text = decodeUtf8(bytes);
  if (text === null) return invalidJson();
  // The schema does not limit `data`, so the size of the text is checked before any code walks through it.
  const whole = issueOfWholeText(text, LIMITS.webhookValuesMax);
  if (whole !== null) return { ok: false, issues: [whole] };
  const value = parseJson(text);
  if (value === undefined) return invalidJson();
  const unknownType = unknownTypeOf(value);
  if (unknownType !== null) return acknowledged(unknownType, text, value as Members);
  const framed = frame.check(value, "");
  const issues = [
    ...(isPlainJson(text, value) ? [] : findJsonIssues(text, value)),
    ...(framed.ok ? [] : framed.issues),
    ...dataIssues(value),
    ...(isFee(value) ? findLostFractions(text) : []),
  ];
  if (!framed.ok || issues.length > 0) {
    return { ok: false, issues: distinct(issues).slice(0, LIMITS.validationIssuesMax) };
  }
  const { type, created_at, data } = framed.value;
  const isIncident = type === INCIDENT_OPENED || type === INCIDENT_CLOSED;
  return {
    ok: true,
    value: {
      type,
      isKnownType: true,
      createdAtMs: parseTimestamp(created_at),
      // `dataIssues` has found no error.
      fee: type === FEE_ASSESSED ? (data as FeeData) : null,
      incident: isIncident ? readIncident(data, type === INCIDENT_OPENED) : null,
    },
  };
}

type Members = Readonly<Record<string, unknown>>;

/** Returns the type if the service does not know it. Returns null if the type is known or missing. */
function unknownTypeOf(value: unknown): string | null {
  const type = (value as { type?: unknown } | null)?.type;
  return typeof type === "string" && type !== "" && !KNOWN_TYPES.includes(type) ? type : null;
}

/** The stored type of an event whose type is not a valid name. */
const NAMELESS = "unknown";

/**
 * HOOK-6: accepts any fields for an unknown type, because the provider repeats a delivery until it is acknowledged.
 * ERR-14 applies as to every body.
 */
function acknowledged(type: string, text: string, value: Members): Validated<WebhookBody> {
  const issues = [
    ...(isPlainJson(text, value) ? [] : findJsonIssues(text, value)),
    ...findRefusedKeys(value, []),
  ];
  if (issues.length > 0) {
    return { ok: false, issues: distinct(issues).slice(0, LIMITS.validationIssuesMax) };
  }
  const { created_at } = value;
  const isName = TYPE_NAME.test(type) && type.length <= LIMITS.webhookTypeCharsMax;
  return {
    ok: true,
    value: {
      type: isName ? type : NAMELESS,
      isKnownType: false,
      createdAtMs: typeof created_at === "string" ? parseTimestamp(created_at) : null,
      fee: null,
      incident: null,
    },
  };
}

function isFee(value: unknown): boolean {
  return (value as { type?: unknown } | null)?.type === FEE_ASSESSED;
}

/** ERR-13: reports all issues of a body. If the frame has errors, those in `data` are still included. */
function dataIssues(value: unknown): ValidationIssue[] {
  const { type, data } = (value ?? {}) as { type?: unknown; data?: unknown };
  if (typeof data !== "object" || data === null || Array.isArray(data)) return [];
  if (type !== FEE_ASSESSED) return findRefusedKeys(data, ["data"]);
  const fee = feeData.check(data, "data");
  return fee.ok ? [] : fee.issues;
}
