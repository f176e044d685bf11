import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { createDecisionValidator } from "../../../../src/path/wire/decision-schema.js";

/** The enums are written out here, so that the test fails if the vocabulary loses a word. */
const PROVIDERS = ["provider_1", "provider_2", "provider_3", "provider_4", "provider_5"];
const validator = createDecisionValidator(PROVIDERS);

type Fields = Readonly<Record<string, unknown>>;

const ATTEMPT: Fields = { provider: "provider_1", outcome: "timeout" };

/** Builds the text of a body. A field with the value `undefined` is left out. */
function bodyWith(changes: { top?: Fields; transaction?: Fields }): string {
  return JSON.stringify({
    merchant_id: "demo_merchant",
    order_id: "order_1",
    transaction: {
      amount: 1000,
      currency: "USD",
      country: "NG",
      payment_method: "card",
      ...changes.transaction,
    },
    available_providers: ["provider_1"],
    ...changes.top,
  });
}

const attemptWith = (changes: Fields): string =>
  bodyWith({ top: { previous_attempt: { ...ATTEMPT, ...changes } } });
const signal = (name: string, value: unknown): string =>
  bodyWith({ top: { risk_signals: { [name]: value } } });

function refusals(text: string): { path: string; code: string; message: string }[] {
  const result = validator.parse(text);
  return result.ok ? [] : result.issues;
}

/**
 * Asserts that the reader accepts the text and returns the values of JSON.parse. An absent field may be present as
 * undefined.
 */
function assertAccepted(text: string): void {
  const result = validator.parse(text);
  assert.ok(result.ok);
  assert.deepEqual(JSON.parse(JSON.stringify(result.value)), JSON.parse(text));
}

function assertRefused(text: string, path: string, code: string): void {
  assert.deepEqual(
    refusals(text).map((issue) => [issue.path, issue.code]),
    [[path, code]],
  );
}

describe("Decision request body, transaction", () => {
  const accepted: Readonly<Record<string, readonly string[]>> = {
    payment_method: ["card", "wallet", "bank_transfer", "mobile_money"],
    card_network: ["visa", "mastercard", "amex", "discover", "verve", "other"],
    transaction_type: ["authorization", "sale", "capture"],
    customer_type: ["new", "returning", "guest"],
    risk_level: ["low", "medium", "high"],
  };
  for (const [field, values] of Object.entries(accepted)) {
    it(`FMT-5, REQ-7, REQ-8, REQ-9, REQ-10: takes every ${field} of the specification and no other spelling`, () => {
      for (const value of values) assertAccepted(bodyWith({ transaction: { [field]: value } }));
      for (const value of [values[0]?.toUpperCase(), ` ${values[0]}`, "", "none"]) {
        assertRefused(
          bodyWith({ transaction: { [field]: value } }),
          `transaction.${field}`,
          "invalid_enum_value",
        );
      }
    });
  }

  it("FMT-11: takes XCG, and no currency that was withdrawn before this year", () => {
    assertAccepted(bodyWith({ transaction: { currency: "XCG" } }));
    for (const currency of ["ANG", "CUC", "HRK"]) {
      assertRefused(bodyWith({ transaction: { currency } }), "transaction.currency", "invalid_string");
    }
  });

  it("refuses XK, which ISO 3166-1 leaves to its users", () => {
    assertRefused(bodyWith({ transaction: { country: "XK" } }), "transaction.country", "invalid_string");
  });
});

describe("Decision request body, decision_mode", () => {
  it("FMT-5: takes shadow and enforce", () => {
    for (const mode of ["shadow", "enforce"]) assertAccepted(bodyWith({ top: { decision_mode: mode } }));
    assertRefused(bodyWith({ top: { decision_mode: "Enforce" } }), "decision_mode", "invalid_enum_value");
  });
});

describe("Decision request body, previous_attempt", () => {
  it("FMT-5, REQ-12, REQ-13: takes every provider and every outcome of the specification", () => {
    for (const provider of PROVIDERS) assertAccepted(attemptWith({ provider }));
    for (const outcome of ["timeout", "declined", "error"]) assertAccepted(attemptWith({ outcome }));
  });

  it("takes a provider that is not offered this time", () => {
    assertAccepted(bodyWith({ top: { previous_attempt: ATTEMPT, available_providers: ["provider_2"] } }));
  });

  for (const field of ["provider", "outcome"]) {
    it(`REQ-12, REQ-13: requires ${field}`, () => {
      assert.deepEqual(refusals(attemptWith({ [field]: undefined })), [
        { path: `previous_attempt.${field}`, code: "invalid_type", message: "Required" },
      ]);
    });

    it(`REQ-12, REQ-13: refuses a ${field} that is not listed`, () => {
      for (const value of ["approved", "provider_6", "TIMEOUT", ""]) {
        assertRefused(attemptWith({ [field]: value }), `previous_attempt.${field}`, "invalid_enum_value");
      }
      assert.deepEqual(refusals(attemptWith({ [field]: null }))[0]?.code, "invalid_type");
    });
  }

  it("ERR-9: refuses an unknown field", () => {
    assertRefused(attemptWith({ card_number: "x" }), "previous_attempt.card_number", "unrecognized_keys");
  });
});

describe("Decision request body, risk_signals", () => {
  it("FMT-5, REQ-19: takes every device_risk_band of the specification, and extreme is none", () => {
    for (const band of ["low", "medium", "high"]) assertAccepted(signal("device_risk_band", band));
    for (const band of ["extreme", "LOW", ""]) {
      assertRefused(signal("device_risk_band", band), "risk_signals.device_risk_band", "invalid_enum_value");
    }
  });

  it("takes ip_country_match either way", () => {
    for (const value of [true, false]) assertAccepted(signal("ip_country_match", value));
  });

  it("takes merchant_supplied_risk_score from 0 to 100", () => {
    for (const value of [0, 100]) assertAccepted(signal("merchant_supplied_risk_score", value));
    const path = "risk_signals.merchant_supplied_risk_score";
    assertRefused(signal("merchant_supplied_risk_score", -1), path, "too_small");
    assertRefused(signal("merchant_supplied_risk_score", 101), path, "too_big");
    assertRefused(signal("merchant_supplied_risk_score", 1.5), path, "invalid_type");
  });

  for (const name of [
    "velocity_count_10m",
    "velocity_count_1h",
    "velocity_amount_1h",
    "previous_success_count",
    "previous_decline_count",
    "order_age_seconds",
  ]) {
    it(`REQ-16, REQ-17, REQ-18: takes whole numbers from 0 on as ${name}`, () => {
      for (const value of [0, 1, Number.MAX_SAFE_INTEGER]) assertAccepted(signal(name, value));
      assertRefused(signal(name, -1), `risk_signals.${name}`, "too_small");
      for (const value of [1.5, "1", true, null])
        assertRefused(signal(name, value), `risk_signals.${name}`, "invalid_type");
    });
  }
});
