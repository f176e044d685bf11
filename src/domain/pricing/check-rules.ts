import { isExactBps } from "./fee.js";
import type { PricingRule, PricedSegment } from "./pricing-contract.js";

/** Something wrong or doubtful in a list of rules. `path` begins with the rule's position, as in `3.tiers.0`. */
export interface RuleFinding {
  readonly path: string;
  readonly message: string;
}

export interface CheckedRules {
  readonly errors: RuleFinding[];
  readonly warnings: RuleFinding[];
  /** The first rule for each segment. */
  readonly rules: PricingRule[];
}

const DECIMALS = "Must have at most 2 decimals";

/**
 * PRICE-2: checks what the schema cannot. Findings name overlapping and contradictory rules by position. Pass null in
 * place of a rule that the schema refuses, so that positions stay right.
 */
export function checkRules(rules: readonly (PricingRule | null)[]): CheckedRules {
  const errors: RuleFinding[] = [];
  const warnings: RuleFinding[] = [];
  const kept: PricingRule[] = [];
  const positions = new Map<string, number>();
  rules.forEach((rule, position) => {
    if (rule === null) return;
    checkAmounts(rule, position, errors, warnings);
    const key = segmentName(rule);
    const before = positions.get(key);
    if (before === undefined) {
      positions.set(key, position);
      kept.push(rule);
    } else if (samePrice(rule, rules[before] as PricingRule)) {
      warnings.push({ path: `${position}`, message: `Repeats rules.${before}; stored once` });
    } else {
      errors.push({
        path: `${position}`,
        message: `Contradicts rules.${before}: the same segment, another price`,
      });
    }
  });
  findTies(rules, positions, warnings);
  return { errors, warnings, rules: kept };
}

function checkAmounts(
  rule: PricingRule,
  position: number,
  errors: RuleFinding[],
  warnings: RuleFinding[],
): void {
  const { min_fee_minor: min, max_fee_minor: max, tiers = [] } = rule;
  if (!isExactBps(rule.percentage_bps))
    errors.push({ path: `${position}.percentage_bps`, message: DECIMALS });
  if (min !== undefined && max !== undefined && min > max) {
    errors.push({ path: `${position}.max_fee_minor`, message: "Must not be below min_fee_minor" });
  }
  const starts = new Map<number, number>();
  tiers.forEach((tier, at) => {
    if (!isExactBps(tier.percentage_bps)) {
      errors.push({ path: `${position}.tiers.${at}.percentage_bps`, message: DECIMALS });
    }
    const before = starts.get(tier.amount_gte);
    if (before === undefined) starts.set(tier.amount_gte, at);
    else {
      const message = `Starts where tiers.${before} of the rule does`;
      errors.push({ path: `${position}.tiers.${at}.amount_gte`, message });
    }
    if (tier.amount_gte <= 1) {
      const message = "Leaves no amount to the rule's own price";
      warnings.push({ path: `${position}.tiers.${at}.amount_gte`, message });
    }
  });
}

/**
 * Finds pairs of rules that match the same payment equally well: one by network and one by country, with no rule for
 * both. The network's rule wins.
 */
function findTies(
  rules: readonly (PricingRule | null)[],
  positions: ReadonlyMap<string, number>,
  warnings: RuleFinding[],
): void {
  const byCountry = new Map<string, number[]>();
  rules.forEach((rule, position) => {
    if (rule === null || rule.country === undefined || rule.card_network !== undefined) return;
    const key = baseName(rule);
    const group = byCountry.get(key);
    if (group === undefined) byCountry.set(key, [position]);
    else group.push(position);
  });
  rules.forEach((rule, position) => {
    if (rule === null || rule.card_network === undefined || rule.country !== undefined) return;
    const tied = (byCountry.get(baseName(rule)) ?? []).find((other) => {
      const { country } = rules[other] as PricingRule;
      return country !== undefined && !positions.has(segmentName({ ...rule, country }));
    });
    if (tied === undefined) return;
    const message = `Overlaps rules.${tied}; where both match, the rule with card_network wins`;
    warnings.push({ path: `${position}`, message });
  });
}

function baseName({ provider, payment_method, currency }: PricedSegment): string {
  return `${provider} ${payment_method} ${currency}`;
}

/** Blanks separate the fields, because no field contains one. */
export function segmentName(segment: PricedSegment): string {
  return `${baseName(segment)} ${segment.card_network ?? ""} ${segment.country ?? ""}`;
}

function samePrice(a: PricingRule, b: PricingRule): boolean {
  return priceText(a) === priceText(b);
}

function priceText({
  percentage_bps,
  fixed_minor,
  min_fee_minor,
  max_fee_minor,
  tiers = [],
}: PricingRule): string {
  const ordered = tiers.toSorted((a, b) => a.amount_gte - b.amount_gte);
  return [
    percentage_bps,
    fixed_minor,
    min_fee_minor ?? "",
    max_fee_minor ?? "",
    ...ordered.flatMap((tier) => [tier.amount_gte, tier.percentage_bps, tier.fixed_minor]),
  ].join(" ");
}
