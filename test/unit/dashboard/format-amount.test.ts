import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { formatAmount } from "../../../src/dashboard/design/base/format.js";
import { CURRENCY_EXPONENTS } from "../../../src/domain/vocabulary/currencies.js";

const RealFormat = Intl.NumberFormat;

/** Locale data that give every currency five decimals, unlike any real currency. */
class OtherLocaleData extends RealFormat {
  constructor(locales?: string | string[], options?: Intl.NumberFormatOptions) {
    const own = options?.style === "currency" ? { minimumFractionDigits: 5, maximumFractionDigits: 5 } : {};
    super(locales, { ...own, ...options });
  }
}

/** `AMOUNT` minor units with `exponent` decimals, written without Intl. */
const AMOUNT = 1_234_567;
function expected(code: string, exponent: number): string {
  const digits = String(AMOUNT);
  const whole = digits.slice(0, digits.length - exponent).replaceAll(/\B(?=(?:\d{3})+$)/g, ",");
  return `${code} ${whole}${exponent === 0 ? "" : `.${digits.slice(-exponent)}`}`;
}

const plain = (text: string): string => text.replaceAll(/\s/gu, " ");

describe("DASH-5, FMT-13: money reads with the decimals of ISO 4217", () => {
  it("every currency, where the locale data of this process say otherwise for some", () => {
    const differing = [...CURRENCY_EXPONENTS].filter(([currency, exponent]) => {
      const format = new Intl.NumberFormat("en", { style: "currency", currency });
      return format.resolvedOptions().maximumFractionDigits !== exponent;
    });
    assert.ok(differing.some(([code]) => code === "HUF"));
    assert.ok(differing.length > 15, String(differing.length));
    for (const [code, exponent] of CURRENCY_EXPONENTS)
      assert.equal(plain(formatAmount(AMOUNT, code)), expected(code, exponent));
  });

  it("every currency, where the locale data say otherwise for all", () => {
    Intl.NumberFormat = OtherLocaleData as unknown as typeof Intl.NumberFormat;
    try {
      const format = new Intl.NumberFormat("en", { style: "currency", currency: "USD" });
      assert.equal(format.resolvedOptions().maximumFractionDigits, 5);
      for (const [code, exponent] of CURRENCY_EXPONENTS)
        assert.equal(plain(formatAmount(AMOUNT, code)), expected(code, exponent));
    } finally {
      Intl.NumberFormat = RealFormat;
    }
  });

  it("500000 minor units of HUF are HUF 5,000.00; the largest amount is exact", () => {
    assert.equal(plain(formatAmount(500_000, "HUF")), "HUF 5,000.00");
    assert.equal(plain(formatAmount(-90, "KWD")), "-KWD 0.090");
    assert.equal(plain(formatAmount(Number.MAX_SAFE_INTEGER, "USD")), "USD 90,071,992,547,409.91");
    assert.equal(plain(formatAmount(12.5, "USD")), "USD 0.13");
  });

  it("an amount of a currency without a known exponent stays in minor units", () => {
    for (const code of ["QQQ", "usd", "", "no currency"])
      assert.equal(formatAmount(AMOUNT, code), `1,234,567 minor units of ${code}`);
  });
});
