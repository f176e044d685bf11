import assert from "node:assert/strict";
import { describe, it } from "node:test";
import fc from "fast-check";
import { createTraffic, DEFAULT_MERCHANTS, DEFAULT_PROVIDERS } from "../../../bench/client/traffic.js";
import { createDecisionValidator } from "../../../src/path/wire/decision-schema.js";
import type { DecisionRequest } from "../../../src/domain/vocabulary/decision-request.js";
import {
  CARD_NETWORKS,
  CUSTOMER_TYPES,
  DECISION_MODES,
  PAYMENT_METHODS,
  PREVIOUS_OUTCOMES,
  REPORTED_RISK_BANDS,
  TRANSACTION_TYPES,
} from "../../../src/domain/vocabulary/vocabulary.js";

function requests(count: number, seed: number): DecisionRequest[] {
  const traffic = createTraffic({ seed, merchants: DEFAULT_MERCHANTS, providers: DEFAULT_PROVIDERS });
  return Array.from({ length: count }, () => traffic.next());
}

describe("load traffic", () => {
  it("is the same for the same seed and another for another", () => {
    assert.deepEqual(requests(500, 7), requests(500, 7));
    assert.notDeepEqual(requests(500, 7), requests(500, 8));
  });

  it("is valid in the service's own schema, for any seed and providers", () => {
    const providerLists = fc.uniqueArray(fc.constantFrom("provider_1", "provider_2", "provider_3", "acme"), {
      minLength: 1,
    });
    fc.assert(
      fc.property(fc.nat(), providerLists, (seed, providers) => {
        const validator = createDecisionValidator(providers);
        const traffic = createTraffic({ seed, merchants: ["m_1", "m_2"], providers });
        for (let i = 0; i < 50; i++) {
          const result = validator.parse(JSON.stringify(traffic.next()));
          assert.deepEqual(result.ok ? [] : result.issues, []);
        }
      }),
      { numRuns: 25 },
    );
  });

  it("shows every value of every enum, currencies of exponent 0, 2 and 3, and one to five providers", () => {
    const distinctValues = (pick: (request: DecisionRequest) => unknown): Set<unknown> =>
      new Set(requests(8_000, 1).map(pick));
    const covers = (values: Set<unknown>, list: readonly unknown[]): void => {
      for (const value of list) assert.ok(values.has(value), `${String(value)} never occurs`);
    };
    covers(
      distinctValues((request) => request.transaction.payment_method),
      PAYMENT_METHODS,
    );
    covers(
      distinctValues((request) => request.transaction.card_network),
      [...CARD_NETWORKS, undefined],
    );
    covers(
      distinctValues((request) => request.transaction.transaction_type),
      [...TRANSACTION_TYPES, undefined],
    );
    covers(
      distinctValues((request) => request.transaction.customer_type),
      [...CUSTOMER_TYPES, undefined],
    );
    covers(
      distinctValues((request) => request.transaction.risk_level),
      [...REPORTED_RISK_BANDS, undefined],
    );
    covers(
      distinctValues((request) => request.previous_attempt?.outcome),
      [...PREVIOUS_OUTCOMES, undefined],
    );
    covers(
      distinctValues((request) => request.risk_signals?.device_risk_band),
      [...REPORTED_RISK_BANDS, undefined],
    );
    covers(
      distinctValues((request) => request.risk_signals?.ip_country_match),
      [true, false, undefined],
    );
    covers(
      distinctValues((request) => request.decision_mode),
      [DECISION_MODES[1], undefined],
    );
    covers(
      distinctValues((request) => request.transaction.currency),
      ["USD", "EUR", "JPY", "KWD"],
    );
    covers(
      distinctValues((request) => request.available_providers.length),
      [1, 2, 3, 4, 5],
    );
  });

  it("never repeats an order id and averages about 470 bytes", () => {
    const sample = requests(5_000, 3);
    assert.equal(new Set(sample.map((request) => request.order_id)).size, sample.length);
    const bytes = sample.reduce((sum, request) => sum + JSON.stringify(request).length, 0) / sample.length;
    assert.ok(bytes > 440 && bytes < 500, `${bytes} bytes on average`);
  });
});
