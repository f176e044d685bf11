import currencyCodes from "currency-codes";

/** The year in which this table was last compared with the maintenance agency's lists. */
const AS_OF_YEAR = 2026;

interface Amendment {
  /**
   * The amendment's number. SIX numbers and dates amendments:
   * https://www.six-group.com/en/products-services/financial-information/market-reference-data/data-standards.html
   */
  readonly amendment: number;
  /** ISO 8601 */
  readonly published: string;
  readonly code: string;
  readonly change:
    | { readonly added: string; readonly exponent: number }
    /** The first day without the currency, or only its last month, as list three of ISO 4217 says. */
    | { readonly withdrawn: string };
}

/** The changes of ISO 4217 that the library lacks. Its data end on 2024-06-25. */
const AMENDMENTS: readonly Amendment[] = [
  { amendment: 176, published: "2023-12-06", code: "XCG", change: { added: "2025-03-31", exponent: 2 } },
  { amendment: 176, published: "2023-12-06", code: "ANG", change: { withdrawn: "2025-03-31" } },
  { amendment: 178, published: "2025-02", code: "CUC", change: { withdrawn: "2021-06" } },
  { amendment: 179, published: "2025-05-02", code: "XAD", change: { added: "2025-05-12", exponent: 2 } },
  { amendment: 180, published: "2025-09-22", code: "BGN", change: { withdrawn: "2026-01-01" } },
];

/**
 * FMT-11: the currencies of ISO 4217 as amended, each with the decimal places of its minor unit (USD 2, JPY 0, KWD 3).
 * Currencies withdrawn before AS_OF_YEAR are left out. Those withdrawn in that year stay, because refunds and late
 * reports still use them.
 */
export const CURRENCY_EXPONENTS: ReadonlyMap<string, number> = amended();

function amended(): Map<string, number> {
  const exponents = new Map(currencyCodes.data.map(({ code, digits }) => [code, digits] as const));
  for (const { code, change } of AMENDMENTS) {
    if ("added" in change) exponents.set(code, change.exponent);
    else if (Number(change.withdrawn.slice(0, 4)) < AS_OF_YEAR) exponents.delete(code);
  }
  return exponents;
}
