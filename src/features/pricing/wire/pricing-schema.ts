import type { FromSchema } from "json-schema-to-ts";
import { checkRules, type RuleFinding } from "../../../domain/pricing/check-rules.js";
import type { PricingRule } from "../../../domain/pricing/pricing-contract.js";
import { LIMITS } from "../../../domain/vocabulary/limits.js";
import { parseTimestamp } from "../../../domain/vocabulary/timestamp.js";
import { CARD_NETWORKS, PAYMENT_METHODS } from "../../../domain/vocabulary/vocabulary.js";
import {
  createValidator,
  distinct,
  invalidJson,
  type JsonSchema,
  type Validated,
  type Validator,
} from "../../../platform/wire/body-validator.js";
import {
  findJsonIssues,
  isPlainJson,
  issueOfWholeText,
  parseJson,
} from "../../../platform/wire/json-text.js";
import { findLostFractions } from "../../../platform/wire/lost-fractions.js";
import { countrySchema, currencySchema, merchantIdSchema } from "../../../platform/wire/scalars.js";
import type { PolicyIssue, ValidationIssue } from "../../../platform/wire/validation-issue.js";

const minor = { type: "integer", minimum: 0, maximum: LIMITS.amountMinorMax } as const;
/** Providers price in fractions of a basis point. Whole basis points and hundredths are kept exactly. */
const percentage = { type: "number", minimum: 0, maximum: 10_000 } as const;
const timestamp = { type: "string", format: "iso-8601" } as const;

function ruleSchema(providers: readonly string[]) {
  return {
    type: "object",
    additionalProperties: false,
    required: ["provider", "payment_method", "currency", "percentage_bps", "fixed_minor"],
    properties: {
      provider: { type: "string", enum: providers },
      payment_method: { type: "string", enum: PAYMENT_METHODS },
      card_network: { type: "string", enum: CARD_NETWORKS },
      country: countrySchema,
      currency: currencySchema,
      percentage_bps: percentage,
      fixed_minor: minor,
      min_fee_minor: minor,
      max_fee_minor: minor,
      tiers: {
        type: "array",
        maxItems: LIMITS.tiersPerRuleMax,
        items: {
          type: "object",
          additionalProperties: false,
          required: ["amount_gte", "percentage_bps", "fixed_minor"],
          properties: { amount_gte: minor, percentage_bps: percentage, fixed_minor: minor },
        },
      },
    },
  } as const;
}

function contractSchema<const Rule extends JsonSchema>(rule: Rule) {
  return {
    type: "object",
    additionalProperties: false,
    required: ["merchant_id", "contract_name", "effective_from", "rules"],
    properties: {
      merchant_id: merchantIdSchema,
      contract_name: { type: "string", minLength: 1, maxLength: LIMITS.contractNameCharsMax },
      effective_from: timestamp,
      effective_to: timestamp,
      replace: { type: "boolean" },
      rules: { type: "array", minItems: 1, maxItems: LIMITS.rulesPerContractMax, items: rule },
    },
  } as const;
}

/** PRICE-1: the body of POST /v1/pricing/rules. */
export function pricingBodySchema(providers: readonly string[]) {
  return contractSchema(ruleSchema(providers));
}

/** Accepts any value as a rule. Each rule is then checked separately, until the list of issues is full. */
const ANY_RULE = { title: "Price rule" } as const;
type PricingFrame = FromSchema<ReturnType<typeof contractSchema<typeof ANY_RULE>>>;

/** A contract that may be stored. */
export interface NewPricingContract {
  merchantId: string;
  name: string;
  /** Unix milliseconds. `toMs` is null for a contract without an end. */
  fromMs: number;
  toMs: number | null;
  replace: boolean;
  /** Each segment has at most one rule. */
  rules: PricingRule[];
  warnings: PolicyIssue[];
}

/** Parses a body's text into a contract. All errors and warnings carry their paths. */
export function createPricingBodyParser(
  providers: readonly string[],
): (text: string, nowMs: number) => Validated<NewPricingContract> {
  const frame = createValidator<PricingFrame>(contractSchema(ANY_RULE), {
    listedValuesMax: LIMITS.listedFrameValuesMax,
  });
  const ruleValidator = createValidator<PricingRule>(ruleSchema(providers));
  return (text, nowMs) => {
    const whole = issueOfWholeText(text, LIMITS.contractValuesMax);
    if (whole !== null) return { ok: false, issues: [whole] };
    const value = parseJson(text);
    if (value === undefined) return invalidJson();
    const framed = frame.check(value, "");
    const issues = [
      ...findLostFractions(text),
      ...(isPlainJson(text, value) ? [] : findJsonIssues(text, value)),
      ...(framed.ok ? [] : framed.issues),
    ];
    const contract = (value ?? {}) as Partial<Record<keyof PricingFrame, unknown>>;
    const [fromMs, toMs] = [timeOf(contract.effective_from), timeOf(contract.effective_to)];
    if (fromMs !== null && toMs !== null && toMs <= fromMs)
      issues.push(atEnd("Must be after effective_from"));
    const rules = readRules(contract.rules, ruleValidator, issues);
    const checked = checkRules(rules);
    issues.push(...checked.errors.map(toIssue));
    if (issues.length > 0 || !framed.ok || fromMs === null) {
      return { ok: false, issues: distinct(issues).slice(0, LIMITS.validationIssuesMax) };
    }
    const warnings = checked.warnings.map(toIssue);
    if (toMs !== null && toMs <= nowMs) warnings.unshift(atEnd("Is in the past: the contract never applies"));
    return {
      ok: true,
      value: {
        merchantId: framed.value.merchant_id,
        name: framed.value.contract_name,
        fromMs,
        toMs,
        replace: framed.value.replace ?? false,
        rules: checked.rules,
        warnings: warnings
          .slice(0, LIMITS.pricingWarningsMax)
          .map((issue) => ({ ...issue, severity: "warning" as const })),
      },
    };
  };
}

/** Keeps each rule at its position, with null for a rule that the schema refuses. It stops once `issues` is full. */
function readRules(
  list: unknown,
  validator: Validator<PricingRule>,
  issues: ValidationIssue[],
): (PricingRule | null)[] {
  const rules: (PricingRule | null)[] = [];
  // A list that is too long gets one issue, and its rules are not checked.
  if (!Array.isArray(list) || list.length > LIMITS.rulesPerContractMax) return rules;
  for (const [position, rule] of list.entries()) {
    if (issues.length >= LIMITS.validationIssuesMax) break;
    const checked = validator.check(rule, `rules.${position}`);
    if (!checked.ok) issues.push(...checked.issues);
    rules.push(checked.ok ? checked.value : null);
  }
  return rules;
}

/** Returns null when there is no valid timestamp. */
function timeOf(timestamp: unknown): number | null {
  return typeof timestamp === "string" ? parseTimestamp(timestamp) : null;
}

function atEnd(message: string): ValidationIssue {
  return { path: "effective_to", code: "custom", message };
}

function toIssue({ path, message }: RuleFinding): ValidationIssue {
  return { path: `rules.${path}`, code: "custom", message };
}
