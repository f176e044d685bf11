import {
  type Sentence,
  block,
  exclude,
  hold,
  prefer,
  restrict,
  rules,
  rulesAndDefault,
  stepUp,
  warned,
} from "./corpus-sentence.js";

/**
 * Statements that share the words before them, or that begin with "otherwise". They were written before the grammar
 * could read them.
 */
export const LED: readonly Sentence[] = [
  rules(
    "If the risk score is above 80, block; otherwise step up when above 60",
    [{ risk_score_gt: 80 }, block],
    [{ risk_score_gt: 60, risk_score_lte: 80 }, stepUp],
  ),
  rules(
    "If the risk score is above 80, block, otherwise step up when above 60",
    [{ risk_score_gt: 80 }, block],
    [{ risk_score_gt: 60, risk_score_lte: 80 }, stepUp],
  ),
  rules(
    "If risk is above 80 block, otherwise if it is above 60 hold",
    [{ risk_score_gt: 80 }, block],
    [{ risk_score_gt: 60, risk_score_lte: 80 }, hold],
  ),
  rules(
    "If the risk score is above 90, block the payment; otherwise, if the risk score is above 70, hold it",
    [{ risk_score_gt: 90 }, block],
    [{ risk_score_gt: 70, risk_score_lte: 90 }, hold],
  ),
  rules(
    "If the payment is over $5,000, hold it; otherwise prefer provider_1",
    [{ amount_gt: 500000, currency_in: ["USD"] }, hold],
    [{ none_of: [{ amount_gt: 500000, currency_in: ["USD"] }] }, prefer("provider_1")],
  ),
  rules(
    "Use provider_1 for visa, otherwise provider_2",
    [{ card_network_in: ["visa"] }, prefer("provider_1")],
    [{ none_of: [{ card_network_in: ["visa"] }] }, prefer("provider_2")],
  ),
  rules(
    "Use provider_1 for visa, otherwise use provider_2",
    [{ card_network_in: ["visa"] }, prefer("provider_1")],
    [{ none_of: [{ card_network_in: ["visa"] }] }, prefer("provider_2")],
  ),
  rules(
    "Send guests to provider_1, otherwise to provider_2",
    [{ customer_type_in: ["guest"] }, prefer("provider_1")],
    [{ none_of: [{ customer_type_in: ["guest"] }] }, prefer("provider_2")],
  ),
  rules(
    "When the previous attempt failed with provider_2, exclude it and prefer provider_1",
    [{ previous_provider_in: ["provider_2"] }, exclude("provider_2")],
    [{ previous_provider_in: ["provider_2"] }, prefer("provider_1")],
  ),
  rules(
    "When the previous attempt failed with provider_2, exclude it, and prefer provider_1",
    [{ previous_provider_in: ["provider_2"] }, exclude("provider_2")],
    [{ previous_provider_in: ["provider_2"] }, prefer("provider_1")],
  ),
  rules(
    "If the previous attempt on provider_1 timed out, exclude provider_1 and prefer provider_2",
    [{ previous_outcome_in: ["timeout"], previous_provider_in: ["provider_1"] }, exclude("provider_1")],
    [{ previous_outcome_in: ["timeout"], previous_provider_in: ["provider_1"] }, prefer("provider_2")],
  ),
  rules(
    "If the country is NG, block guests and hold new customers",
    [{ country_in: ["NG"], customer_type_in: ["guest"] }, block],
    [{ country_in: ["NG"], customer_type_in: ["new"] }, hold],
  ),
  warned("If the country is NG, prefer provider_1 and default to provider_3", "not_understood"),
  rulesAndDefault("If the country is NG, prefer provider_1, and default to provider_3", "provider_3", [
    { country_in: ["NG"] },
    prefer("provider_1"),
  ]),
  rules(
    "For visa cards, prefer provider_1 and exclude provider_3",
    [{ card_network_in: ["visa"], payment_method_in: ["card"] }, prefer("provider_1")],
    [{ card_network_in: ["visa"], payment_method_in: ["card"] }, exclude("provider_3")],
  ),
  rules(
    "In Nigeria, prefer provider_2 and require 3DS",
    [{ country_in: ["NG"] }, prefer("provider_2")],
    [{ country_in: ["NG"] }, stepUp],
  ),
  rules(
    "For payments over $1,000, require 3DS and only use provider_1",
    [{ amount_gt: 100000, currency_in: ["USD"] }, stepUp],
    [{ amount_gt: 100000, currency_in: ["USD"] }, restrict("provider_1")],
  ),
  rules(
    "Block payments over $5,000 from guests. Otherwise hold payments over $1,000",
    [{ amount_gt: 500000, currency_in: ["USD"], customer_type_in: ["guest"] }, block],
    [
      {
        amount_gt: 100000,
        currency_in: ["USD"],
        none_of: [{ amount_gt: 500000, currency_in: ["USD"], customer_type_in: ["guest"] }],
      },
      hold,
    ],
  ),
  warned("If the customer is a guest, block, otherwise approve", "not_understood"),
  warned("Otherwise hold guests", "not_understood"),
  rules(
    "Use provider_1 when it is healthy, otherwise use provider_2",
    [{ provider_health_state_in: { provider: "provider_1", states: ["healthy"] } }, prefer("provider_1")],
    [
      { none_of: [{ provider_health_state_in: { provider: "provider_1", states: ["healthy"] } }] },
      prefer("provider_2"),
    ],
  ),
  rules(
    "Use provider_1 unless it is degraded, otherwise provider_2",
    [
      { none_of: [{ provider_health_state_in: { provider: "provider_1", states: ["degraded"] } }] },
      prefer("provider_1"),
    ],
    [{ provider_health_state_in: { provider: "provider_1", states: ["degraded"] } }, prefer("provider_2")],
  ),
  warned("If a guest pays over $500, hold the payment", "not_understood"),
  rules(
    "If the amount is over $500, step up, and if it is over $5,000, block",
    [{ amount_gt: 50000, currency_in: ["USD"] }, stepUp],
    [{ amount_gt: 500000, currency_in: ["USD"] }, block],
  ),
  rules(
    "If the amount is above 1000 USD then require 3DS, else prefer provider_1",
    [{ amount_gt: 100000, currency_in: ["USD"] }, stepUp],
    [{ none_of: [{ amount_gt: 100000, currency_in: ["USD"] }] }, prefer("provider_1")],
  ),
  rules(
    "If the risk score is above 80, block it; otherwise hold it",
    [{ risk_score_gt: 80 }, block],
    [{ none_of: [{ risk_score_gt: 80 }] }, hold],
  ),
  rules(
    "If the risk score is above 80, block it and exclude provider_1; otherwise hold it",
    [{ risk_score_gt: 80 }, block],
    [{ risk_score_gt: 80 }, exclude("provider_1")],
    [{ none_of: [{ risk_score_gt: 80 }] }, hold],
  ),
  rules(
    "If the amount is over $5,000, block, if it is over $1,000, hold",
    [{ amount_gt: 500000, currency_in: ["USD"] }, block],
    [{ amount_gt: 100000, currency_in: ["USD"] }, hold],
  ),
];
