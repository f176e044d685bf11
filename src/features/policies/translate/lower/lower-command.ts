import { ACTION_ROWS } from "../../../../domain/policy/action-rows.js";
import type { RuleAction } from "../../../../domain/policy/policy.js";
import { unreachable } from "../../../../domain/vocabulary/unreachable.js";
import { type Lowered, isReasonCode, refused } from "./lower-conditions.js";
import { minorUnits, wholeNumber } from "./number-text.js";
import type { Command, LimitText, RateText, RuleCommand, Share } from "../grammar/syntax.js";

/** An action in normal form, and the currency of its limit. The rule must then require that currency. */
export interface LoweredAction {
  readonly then: RuleAction;
  readonly currency: string | null;
}

const done = (then: RuleAction, currency: string | null = null): Lowered<LoweredAction> => ({
  ok: true,
  value: { then, currency },
});
const { prefer_provider: PREFER, require_min_health: MIN_HEALTH, max_cost: MAX_COST } = ACTION_ROWS;

/** RULE-10: returns the `then` of a command in normal form. `around` is the currency that the rule's conditions fix. */
export function lowerAction(command: RuleCommand, around: string | null): Lowered<LoweredAction> {
  switch (command.kind) {
    case "action":
      return hasCodes(command.then) ? done(command.then) : refused("not_understood");
    case "boost": {
      const boost = wholeNumber(command.boost, ...PREFER.options.boost.bounds);
      if (boost === null) return refused("number_out_of_range");
      return done({ type: "prefer_provider", providers: command.providers, strict: false, boost });
    }
    case "min_health": {
      const minScore = wholeNumber(command.score, ...MIN_HEALTH.options.min_score.bounds);
      if (minScore === null) return refused("number_out_of_range");
      const providers = [...new Set(command.providers)];
      return done({
        type: "require_min_health",
        min_score: minScore,
        ...(providers.length > 0 && { providers }),
      });
    }
    case "retry":
      // The engine retries only after timeouts.
      if (command.outcome !== "timeout") return refused("not_understood");
      return done({ type: "retry_on_timeout", same_provider: command.sameProvider });
    case "max_cost":
      return lowerMaxCost(command.limits, around);
    case "optimize":
      return lowerOptimization(command);
    case "split":
      return lowerSplit(command.shares);
    default:
      return unreachable(command);
  }
}

/** RULE-6: the policy's own codes are UPPER_SNAKE. A provider's codes are compared as they are. */
const OWN_CODE = /^[A-Z][A-Z0-9]*(?:_[A-Z0-9]+)*$/;

function hasCodes(then: RuleAction): boolean {
  if (then.type === "no_retry") return then.reason_codes.every(isReasonCode);
  const code = "reason_code" in then ? then.reason_code : undefined;
  return code === undefined || (OWN_CODE.test(code) && isReasonCode(code));
}

function rateBps({ number, unit }: RateText): number | null {
  return wholeNumber(number, ...MAX_COST.options.max_effective_bps.bounds, unit === "percent" ? 2 : 0);
}

function lowerMaxCost(limits: readonly LimitText[], around: string | null): Lowered<LoweredAction> {
  const then: Extract<RuleAction, { type: "max_cost" }> = { type: "max_cost" };
  let limitCurrency: string | null = null;
  for (const limit of limits) {
    if (limit.kind === "rate") {
      const bps = rateBps(limit.rate);
      if (bps === null) return refused("number_out_of_range");
      if (then.max_effective_bps !== undefined) return refused("not_understood");
      then.max_effective_bps = bps;
      continue;
    }
    // A bare number beside an amount could also be a rate.
    const { currency } = limit.money;
    if (currency === null) return refused("amount_without_currency");
    const minor = minorUnits(limit.money.number, currency);
    if (typeof minor === "string") return refused(minor);
    // "Under 2 USD" does not allow 2 USD.
    const most = limit.exclusive ? minor - 1 : minor;
    const [least, highest] = MAX_COST.options.max_cost_minor.bounds;
    if (most < least || most > highest) return refused("number_out_of_range");
    if (then.max_cost_minor !== undefined) return refused("not_understood");
    then.max_cost_minor = most;
    limitCurrency = currency;
  }
  // One rule with both limits would apply the rate only to payments in the amount's currency.
  const isMixed = then.max_effective_bps !== undefined && limitCurrency !== null && around === null;
  if (isMixed) return refused("amount_without_currency");
  return done(then, limitCurrency);
}

function lowerOptimization(command: Extract<Command, { kind: "optimize" }>): Lowered<LoweredAction> {
  const margin = command.margin === null ? undefined : rateBps(command.margin);
  const drop = command.approvalDrop === null ? undefined : rateBps(command.approvalDrop);
  if (margin === null || drop === null) return refused("number_out_of_range");
  // COST-12: only mode `margin` has a margin, and only mode `cost` has an approval drop.
  const isStray =
    (margin !== undefined && command.mode !== "margin") || (drop !== undefined && command.mode !== "cost");
  if (isStray) return refused("not_understood");
  return done({
    type: "optimize_for",
    mode: command.mode,
    ...(margin !== undefined && { margin_bps: margin }),
    ...(drop !== undefined && { max_approval_drop_bps: drop }),
  });
}

const WHOLE_PERCENT = 100;

function lowerSplit(shares: readonly Share[]): Lowered<LoweredAction> {
  if (shares.length < 2) return refused("weights_not_100");
  const weights: Record<string, number> = {};
  let left = WHOLE_PERCENT;
  for (const { provider, percent } of shares) {
    const weight = percent === null ? left : wholeNumber(percent, 1, WHOLE_PERCENT);
    if (weight === null || weight < 1 || Object.hasOwn(weights, provider)) return refused("weights_not_100");
    weights[provider] = weight;
    left -= weight;
  }
  return left === 0 ? done({ type: "split_traffic", weights }) : refused("weights_not_100");
}
