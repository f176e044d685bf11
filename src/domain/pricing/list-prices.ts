import type { PaymentMethod } from "../vocabulary/vocabulary.js";

/**
 * Providers' usual list prices in basis points of the amount. They are used where none of the merchant's own prices is
 * known. Null for a method whose list prices differ too much: a figure would be made up.
 */
export const LIST_PRICES_BPS: Readonly<Record<PaymentMethod, number | null>> = {
  card: 290,
  wallet: 290,
  bank_transfer: null,
  mobile_money: null,
};

/**
 * Decisions record this name with the prices they saw. If the prices change, the name must change too, or replays would
 * use the wrong ones.
 */
export const LIST_PRICES_NAME = "list_prices_1";

export const LIST_PRICE_CONFIDENCE = 20;
