import type { PaymentMethod } from "../vocabulary/vocabulary.js";

/**
 * What providers commonly list, basis points of the amount, where nothing is known of the merchant's own prices. Only
 * for methods whose list prices lie close together; for the others a figure would be made up.
 */
export const LIST_PRICES_BPS: Readonly<Record<PaymentMethod, number | null>> = {
  card: 290,
  wallet: 290,
  bank_transfer: null,
  mobile_money: null,
};

/** Recorded with decisions that saw these prices: other prices need another name, or replays would use them. */
export const LIST_PRICES_NAME = "list_prices_1";

export const LIST_PRICE_CONFIDENCE = 20;
