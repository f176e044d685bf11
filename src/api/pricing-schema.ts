import type { FromSchema } from "json-schema-to-ts";
import { checkRules, type RuleFinding } from "../pricing/check-rules.js";
import type { PricingRule } from "../pricing/pricing-contract.js";
import { LIMITS } from "../shared/limits.js";
import { parseTimestamp } from "../shared/timestamp.js";
import { CARD_NETWORKS, PAYMENT_METHODS } from "../shared/vocabulary.js";
import { createValidator, type Validated, type Validator } from "./body-validator.js";
import { countrySchema, currencySchema, merchantIdSchema } from "./decision-schema.js";
import type { PolicyIssue, ValidationIssue } from "./validation-issue.js";

const minor = { type: "integer", minimum: 0, maximum: LIMITS.amountMinorMax } as const;
/** Providers price in fractions of a basis point; whole ones and hundredths are kept exactly. */
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

/** contract §8, POST /v1/pricing/rules. */
export function pricingBodySchema(providers: readonly string[]) {
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
      rules: {
        type: "array",
        minItems: 1,
        maxItems: LIMITS.rulesPerContractMax,
        items: ruleSchema(providers),
      },
    },
  } as const;
}

type PricingBody = FromSchema<ReturnType<typeof pricingBodySchema>>;

/** A contract that may be stored. */
export interface NewPricingContract {
  merchantId: string;
  name: string;
  /** Unix milliseconds; `toMs` null: without an end. */
  fromMs: number;
  toMs: number | null;
  replace: boolean;
  /** Each segment once. */
  rules: PricingRule[];
  warnings: PolicyIssue[];
}

/** Body text → contract, with all that is wrong in it, or doubtful, by path. */
export function createPricingBodyParser(
  providers: readonly string[],
): (text: string, nowMs: number) => Validated<NewPricingContract> {
  const validator = createValidator<PricingBody>(pricingBodySchema(providers));
  const ruleValidator = createValidator<PricingRule>(ruleSchema(providers));
  return (text, nowMs) => {
    const parsed = validator.parse(text);
    if (!parsed.ok) {
      const issues = [...parsed.issues, ...issuesBesideSchema(text, ruleValidator)];
      return { ok: false, issues: issues.slice(0, LIMITS.validationIssuesMax) };
    }
    const body = parsed.value;
    const fromMs = parseTimestamp(body.effective_from) as number;
    const toMs = body.effective_to === undefined ? null : parseTimestamp(body.effective_to);
    const checked = checkRules(body.rules);
    const issues = [...issuesOfDates(fromMs, toMs), ...checked.errors.map(toIssue)];
    if (issues.length > 0) return { ok: false, issues: issues.slice(0, LIMITS.validationIssuesMax) };
    const warnings = checked.warnings.map(toIssue);
    if (toMs !== null && toMs <= nowMs) warnings.unshift(atEnd("Is in the past: the contract never applies"));
    return {
      ok: true,
      value: {
        merchantId: body.merchant_id,
        name: body.contract_name,
        fromMs,
        toMs,
        replace: body.replace ?? false,
        rules: checked.rules,
        warnings: warnings
          .slice(0, LIMITS.pricingWarningsMax)
          .map((issue) => ({ ...issue, severity: "warning" as const })),
      },
    };
  };
}

/** contract §2, all issues of a body are reported: those no schema can say, of the parts that hold to theirs. */
function issuesBesideSchema(text: string, ruleValidator: Validator<PricingRule>): ValidationIssue[] {
  let body: Partial<Record<string, unknown>> | null;
  try {
    body = JSON.parse(text) as Partial<Record<string, unknown>> | null;
  } catch {
    return [];
  }
  const { effective_from: from, effective_to: to, rules } = body ?? {};
  const issues =
    typeof from === "string" && typeof to === "string"
      ? issuesOfDates(parseTimestamp(from), parseTimestamp(to))
      : [];
  if (!Array.isArray(rules) || rules.length > LIMITS.rulesPerContractMax) return issues;
  const sound = rules.map((rule) => {
    const checked = ruleValidator.check(rule, "");
    return checked.ok ? checked.value : null;
  });
  return [...issues, ...checkRules(sound).errors.map(toIssue)];
}

function issuesOfDates(fromMs: number | null, toMs: number | null): ValidationIssue[] {
  return fromMs !== null && toMs !== null && toMs <= fromMs ? [atEnd("Must be after effective_from")] : [];
}

function atEnd(message: string): ValidationIssue {
  return { path: "effective_to", code: "custom", message };
}

function toIssue({ path, message }: RuleFinding): ValidationIssue {
  return { path: `rules.${path}`, code: "custom", message };
}
