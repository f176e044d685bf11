import type { PaymentMethod } from "../vocabulary/vocabulary.js";

/**
 * Providers' usual list prices in basis points of the amount, for payments without a known price of the merchant. Null
 * for methods whose list prices differ too much for a single figure.
 */
export const LIST_PRICES_BPS: Readonly<Record<PaymentMethod, number | null>> = {
  card: 290,
  wallet: 290,
  bank_transfer: null,
  mobile_money: null,
};

/**
 * Decisions record this name to say which list prices they saw. Change it with the prices, or replays use the wrong
 * ones.
 */
export const LIST_PRICES_NAME = "list_prices_1";

export const LIST_PRICE_CONFIDENCE = 20;
