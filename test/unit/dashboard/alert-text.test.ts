import assert from "node:assert/strict";
import { describe, it } from "node:test";
import {
  alertEvidence,
  alertPayments,
  alertSubject,
  HEALTH_FINDERS,
} from "../../../src/dashboard/explain/alert-text.js";
import { ALERT_KINDS, alertKindRow } from "../../../src/domain/vocabulary/alert-kinds.js";

describe("the page of alerts in words", () => {
  for (const kind of ALERT_KINDS) {
    it(`${kind}: an alert is named by the segment that it carries, or by its cause`, () => {
      const row = alertKindRow(kind);
      const segment = row.carries.includes("segment_key") ? "provider_1:card:USD" : null;
      const title = row.opensBy === "health" ? null : row.title;
      const named = [title, segment].filter((part) => part !== null).join(": ");
      assert.notEqual(named, "");
      assert.equal(alertSubject({ kind, segment_key: segment }), named);
    });
  }

  const evidence = {
    from: "2026-11-20T09:30:00.000Z",
    to: "2026-11-20T09:35:00.000Z",
    outcomes: 198,
    approved: 46,
    failed: null,
    rate: 46 / 198,
    bound: 0.29,
    baseline: 0.889,
  };

  it("ALRT-18: says the counts on which an alert rests, and leads to these payments", () => {
    const segment_key = "provider_1:card:NGN:NG:verve";
    assert.match(alertEvidence({ evidence }) ?? "", /^46 of 198 approved, .*: 23\.2\s?%, usually 88\.9\s?%$/);
    const failing = { ...evidence, approved: null, failed: 36, outcomes: 36, rate: 1, baseline: null };
    assert.match(alertEvidence({ evidence: failing }) ?? "", /^36 of 36 failed, .*: 100(?:\.0)?\s?%$/);
    const place = new URL(alertPayments({ evidence, segment_key }) ?? "", "http://dashboard");
    assert.equal(place.pathname, "/decisions");
    assert.deepEqual(Object.fromEntries(place.searchParams), {
      provider: "provider_1",
      payment_method: "card",
      currency: "NGN",
      country: "NG",
      card_network: "verve",
      from: evidence.from,
      to: evidence.to,
    });
    const ofIssuer = alertPayments({ evidence, segment_key: "*:card:NGN:NG:verve" }) ?? "";
    assert.ok(!ofIssuer.includes("provider"), ofIssuer);
    assert.deepEqual(
      [alertEvidence({ evidence: null }), alertPayments({ evidence: null, segment_key })],
      [null, null],
    );
  });

  it("names the sources of the health states that open alerts", () => {
    assert.equal(HEALTH_FINDERS, "probes or your own outcomes");
  });
});
