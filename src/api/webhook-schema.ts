import type { FromSchema } from "json-schema-to-ts";
import { LIMITS } from "../shared/limits.js";
import { parseTimestamp } from "../shared/timestamp.js";
import { CARD_NETWORKS, PAYMENT_METHODS } from "../shared/vocabulary.js";
import { createValidator, invalidJson, type Validated } from "./body-validator.js";
import { amountSchema, countrySchema, currencySchema } from "./decision-schema.js";
import { readIncident, type IncidentData } from "./incident-data.js";
import { countKeysInText, decodeUtf8 } from "./json-text.js";

/** contract §8; any other type is stored and answered `ignored`. */
const FEE_ASSESSED = "payment.fee_assessed";
const INCIDENT_OPENED = "provider.incident_opened";
const INCIDENT_CLOSED = "provider.incident_closed";
export const KNOWN_TYPES: readonly string[] = [
  FEE_ASSESSED,
  "payment.settled",
  INCIDENT_OPENED,
  INCIDENT_CLOSED,
];

export const webhookFrameSchema = {
  type: "object",
  additionalProperties: false,
  required: ["type", "created_at", "data"],
  properties: {
    type: {
      type: "string",
      minLength: 1,
      maxLength: LIMITS.webhookTypeCharsMax,
      pattern: "^[A-Za-z0-9_.-]*$",
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
  /** Unix milliseconds. */
  createdAtMs: number;
  /** Of payment.fee_assessed. */
  fee: FeeData | null;
  /** Of an incident's opening and closing. */
  incident: IncidentData | null;
}

const frame = createValidator<FromSchema<typeof webhookFrameSchema>>(webhookFrameSchema);
const feeData = createValidator<FeeData>(webhookFeeSchema);

/** Bytes whose signature has been checked → what they say. What `data` holds is checked for fees only. */
export function parseWebhookBody(bytes: Uint8Array): Validated<WebhookBody> {
  const text = decodeUtf8(bytes);
  if (text === null || !isJson(text)) return invalidJson();
  // `data` may hold anything, so that its depth is not bounded by the schema: looked at before anything walks into it.
  if (countKeysInText(text) === -1) {
    const message = `Nesting deeper than ${LIMITS.jsonDepthMax} levels`;
    return { ok: false, issues: [{ path: "", code: "custom", message }] };
  }
  const parsed = frame.parse(text);
  if (!parsed.ok) return parsed;
  const { type, created_at, data } = parsed.value;
  const body = {
    type,
    isKnownType: KNOWN_TYPES.includes(type),
    createdAtMs: parseTimestamp(created_at) as number,
  };
  if (type !== FEE_ASSESSED) {
    const isIncident = type === INCIDENT_OPENED || type === INCIDENT_CLOSED;
    const incident = isIncident ? readIncident(data, type === INCIDENT_OPENED) : null;
    return { ok: true, value: { ...body, fee: null, incident } };
  }
  const fee = feeData.check(data, "data");
  return fee.ok ? { ok: true, value: { ...body, fee: fee.value, incident: null } } : fee;
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}
