import type { JsonSchema } from "../../../platform/wire/body-validator.js";
import { pricingBodySchema } from "./pricing-schema.js";

/** PRICE-2: a price has at most two decimals (domain/pricing/check-rules.ts). */
const TWO_DECIMALS = {
  multipleOf: 0.01,
  description:
    "At most two decimals. A validator that divides binary fractions needs a tolerance, for example for 1.1.",
};

/** The contract's schema for the API's document. The descriptions add the checks that only the code makes. */
export function documentedPricingBody(providers: readonly string[]): JsonSchema {
  const body = pricingBodySchema(providers);
  const rule = body.properties.rules.items;
  const { tiers } = rule.properties;
  return {
    ...body,
    description: "effective_to is after effective_from. No two rules give one segment different prices.",
    properties: {
      ...body.properties,
      rules: {
        ...body.properties.rules,
        items: {
          ...rule,
          description: "max_fee_minor is not below min_fee_minor. Tiers begin at different amounts.",
          properties: {
            ...rule.properties,
            percentage_bps: { ...rule.properties.percentage_bps, ...TWO_DECIMALS },
            tiers: {
              ...tiers,
              items: {
                ...tiers.items,
                properties: {
                  ...tiers.items.properties,
                  percentage_bps: { ...tiers.items.properties.percentage_bps, ...TWO_DECIMALS },
                },
              },
            },
          },
        },
      },
    },
  };
}
