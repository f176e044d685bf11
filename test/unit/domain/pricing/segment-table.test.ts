import assert from "node:assert/strict";
import { describe, it } from "node:test";
import currencyCodes from "currency-codes";
import fc from "fast-check";
import isoCountries from "i18n-iso-countries";
import type { PricedSegment } from "../../../../src/domain/pricing/pricing-contract.js";
import { SegmentTable } from "../../../../src/domain/pricing/segment-table.js";
import type { Transaction } from "../../../../src/domain/vocabulary/decision-request.js";
import { CARD_NETWORKS, PAYMENT_METHODS } from "../../../../src/domain/vocabulary/vocabulary.js";

const CARD = { provider: "provider_1", payment_method: "card", currency: "USD" } as const;
const paid: Transaction = {
  amount: 1,
  currency: "USD",
  country: "US",
  payment_method: "card",
  card_network: "visa",
};

describe("PRICE-6: most fields matched wins; ties: card_network, then country", () => {
  const entries: Record<string, PricedSegment> = {
    any: CARD,
    country: { ...CARD, country: "US" },
    network: { ...CARD, card_network: "visa" },
    both: { ...CARD, card_network: "visa", country: "US" },
  };
  const { card_network: _, ...withoutNetwork } = paid;
  const table: [held: string[], transaction: Transaction, found: string | null][] = [
    [["any", "country", "network", "both"], paid, "both"],
    [["any", "country", "network"], paid, "network"],
    [["any", "country"], paid, "country"],
    [["any"], paid, "any"],
    [[], paid, null],
    [["any", "country", "network", "both"], { ...paid, country: "DE" }, "network"],
    [["any", "country", "network", "both"], { ...paid, card_network: "amex" }, "country"],
    [["any", "country", "network", "both"], { ...paid, card_network: "amex", country: "DE" }, "any"],
    [["any", "country", "network", "both"], withoutNetwork, "country"],
    [["network", "both"], withoutNetwork, null],
    [["country", "network", "both"], { ...paid, card_network: "amex", country: "DE" }, null],
    [["any"], { ...paid, currency: "EUR" }, null],
    [["any"], { ...paid, payment_method: "wallet" }, null],
  ];
  for (const [held, transaction, found] of table) {
    const { currency, country, payment_method, card_network = "no network" } = transaction;
    it(`a table of ${held.join(", ") || "nothing"}: ${card_network} ${country} ${payment_method} ${currency} finds ${found}`, () => {
      for (const order of [held, held.toReversed()]) {
        const segments = new SegmentTable<string>();
        for (const name of order) segments.set(entries[name] as PricedSegment, name);
        assert.equal(segments.find("provider_1", transaction), found);
        assert.equal(segments.find("provider_2", transaction), null);
      }
    });
  }

  it("distinguishes all currencies, methods, networks and countries", () => {
    const segments = new SegmentTable<PricedSegment>();
    const countries = Object.keys(isoCountries.getAlpha2Codes());
    const all = currencyCodes.codes().flatMap((currency) =>
      PAYMENT_METHODS.flatMap((payment_method) =>
        CARD_NETWORKS.flatMap((card_network, network) =>
          ["provider_1", "provider_2"].map((provider, at): PricedSegment => {
            // Each country is used now and then, because all combinations would be millions.
            const country = countries[
              (currency.charCodeAt(0) * 31 + currency.charCodeAt(2) * 7 + network * 3 + at) % countries.length
            ] as string;
            return { provider, currency, payment_method, card_network, country };
          }),
        ),
      ),
    );
    for (const country of countries) all.push({ ...CARD, card_network: "visa", country });
    for (const segment of all) segments.set(segment, segment);
    for (const segment of all) {
      const { provider, country = "", ...rest } = segment;
      assert.deepEqual(segments.find(provider, { ...rest, country, amount: 1 }), segment);
    }
  });

  it("refuses more names than it has numbers for", () => {
    const segments = new SegmentTable<number>();
    const fill = (): void => {
      for (let at = 0; at < 300; at++) segments.set({ ...CARD, country: `C${at}` }, at);
    };
    assert.throws(fill, RangeError);
  });

  it("finds the same entry as a search through all entries", () => {
    const segment = fc.record(
      {
        provider: fc.constantFrom("provider_1", "provider_2"),
        payment_method: fc.constantFrom("card" as const, "wallet" as const),
        currency: fc.constantFrom("USD", "EUR"),
        card_network: fc.constantFrom("visa" as const, "amex" as const),
        country: fc.constantFrom("US", "DE"),
      },
      { requiredKeys: ["provider", "payment_method", "currency"] },
    );
    const points = (entry: PricedSegment): number =>
      (entry.card_network === undefined ? 0 : 1.1) + (entry.country === undefined ? 0 : 1);
    fc.assert(
      fc.property(fc.array(segment, { maxLength: 30 }), segment, (held, asked) => {
        const segments = new SegmentTable<number>();
        held.forEach((entry, position) => segments.set(entry, position));
        const transaction = { amount: 1, country: "US", ...asked };
        let best: number | null = null;
        held.forEach((entry, position) => {
          const matches = (["provider", "payment_method", "currency"] as const).every(
            (field) => entry[field] === asked[field],
          );
          const network = entry.card_network === undefined || entry.card_network === transaction.card_network;
          const country = entry.country === undefined || entry.country === transaction.country;
          if (!matches || !network || !country) return;
          if (best === null || points(entry) >= points(held[best] as PricedSegment)) best = position;
        });
        assert.equal(segments.find(asked.provider, transaction), best);
      }),
    );
  });
});
