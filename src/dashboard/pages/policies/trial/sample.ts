import type { SimulationRequest } from "../../../../client/wire-types.js";
import { CONDITION_FIELDS } from "../../../../domain/policy/condition-fields.js";
import type { ConditionFamily } from "../../../../domain/policy/condition-row.js";
import { CONDITION_FIELD_NAMES, conditionFieldsOf } from "../../../../domain/policy/condition-vocabulary.js";
import { isKnownCurrency, parseAmount } from "../../../design/base/money.js";
import { PREVIOUS_OUTCOMES } from "../../../../domain/vocabulary/vocabulary.js";

/** The input for a field of a sample. An empty text leaves the field out. */
export interface SampleField {
  /** The dotted path in the request. A field at the top has no dot. */
  path: string;
  name: string;
  kind: "number" | "money" | "text" | "code";
  /** The values to choose from, if there are only a few. */
  values?: readonly string[];
  isRequired?: boolean;
}

/** Returns the fields of a request that have the same name in conditions. */
function fieldsOf(family: ConditionFamily, parent: string): SampleField[] {
  return CONDITION_FIELD_NAMES.filter((name) => CONDITION_FIELDS[name].family === family).map((name) => {
    const shape = CONDITION_FIELDS[name];
    const field = {
      path: `${parent}.${name}`,
      name,
      isRequired: !shape.optional && !("isDefaulted" in shape),
    };
    if (shape.kind === "number") return { ...field, kind: "isMoney" in shape ? "money" : "number" };
    if (shape.kind === "flag") return { ...field, kind: "text", values: ["true", "false"] };
    if (shape.kind === "list" && typeof shape.values !== "string")
      return { ...field, kind: "text", values: shape.values };
    return { ...field, kind: "code" };
  });
}

const ORDER: readonly SampleField[] = conditionFieldsOf("prefix").map((name) => ({
  path: name,
  name,
  kind: "text",
}));
const TRANSACTION = fieldsOf("transaction", "transaction");

export const SAMPLE_SECTIONS: readonly { title: string; fields: readonly SampleField[] }[] = [
  { title: "Order", fields: ORDER },
  { title: "More of the transaction", fields: TRANSACTION.filter(({ isRequired }) => isRequired !== true) },
  { title: "Risk signals", fields: fieldsOf("risk_signals", "risk_signals") },
];
export const SAMPLE_HEAD = TRANSACTION.filter(({ isRequired }) => isRequired === true);

/** REQ-12: the fields of `previous_attempt`. The choices for its provider are the deployment's providers. */
export function previousFields(providers: readonly string[]): SampleField[] {
  return [
    { path: "previous_attempt.provider", name: "provider", kind: "text", values: providers },
    { path: "previous_attempt.outcome", name: "outcome", kind: "text", values: PREVIOUS_OUTCOMES },
    { path: "previous_attempt.provider_reason_code", name: "provider_reason_code", kind: "text" },
  ];
}

/** The typed texts by path, and the offered providers. */
export interface Sample {
  texts: Readonly<Record<string, string>>;
  providers: readonly string[];
}

export function firstSample(providers: readonly string[]): Sample {
  return {
    texts: {
      "transaction.amount": "1299.00",
      "transaction.currency": "USD",
      "transaction.country": "US",
      "transaction.payment_method": "card",
    },
    providers,
  };
}

const FIELDS: ReadonlyMap<string, SampleField> = new Map(
  [...TRANSACTION, ...fieldsOf("risk_signals", "risk_signals")].map((field) => [field.path, field]),
);

/**
 * Returns the sample as the body of a request. A text that is not a number is sent unchanged, so that the service
 * reports it.
 */
export function toRequest(
  { texts, providers }: Sample,
  merchantId: string,
): Omit<SimulationRequest, "policy"> {
  const request: Record<string, Record<string, unknown>> = {};
  const top: Record<string, string> = {};
  for (const [path, text] of Object.entries(texts)) {
    if (text === "") continue;
    const [parent = "", name] = path.split(".");
    if (name === undefined) top[parent] = text;
    else (request[parent] ??= {})[name] = valueOf(FIELDS.get(path), text, sampleCurrency(texts));
  }
  return {
    ...(request as unknown as Pick<SimulationRequest, "transaction">),
    ...top,
    merchant_id: merchantId,
    available_providers: [...providers],
  };
}

/**
 * DASH-30: returns the currency of typed amounts. Null if its decimals are unknown. Amounts are then in minor units.
 */
export function sampleCurrency(texts: Sample["texts"]): string | null {
  const currency = (texts["transaction.currency"] ?? "").toUpperCase();
  return isKnownCurrency(currency) ? currency : null;
}

function valueOf(field: SampleField | undefined, text: string, currency: string | null): unknown {
  if (field?.kind === "money" && currency !== null) {
    const amount = parseAmount(text, currency);
    return amount.ok ? amount.minor : text;
  }
  if (field?.kind === "number" || field?.kind === "money")
    return Number.isFinite(Number(text)) ? Number(text) : text;
  if (field?.kind === "code") return text.toUpperCase();
  if (field?.values?.[0] === "true") return text === "true";
  return text;
}
