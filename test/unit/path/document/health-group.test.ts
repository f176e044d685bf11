import assert from "node:assert/strict";
import { describe, it } from "node:test";
import * as fc from "fast-check";
import {
  readHealth,
  writeHealth,
  createHealthRecorder,
} from "../../../../src/path/document/decision-document.js";
import { createHealthView } from "../../../../src/domain/health/view.js";
import { healthSnapshot, PROVIDER_IDS } from "../../../support/generators/arbitraries.js";
import { defaultMonitor, START_MS } from "../../domain/health/segments.js";
import { createHash } from "node:crypto";
import { createSnapshot, type HealthSnapshot } from "../../../../src/domain/health/snapshot.js";
import { TUNING } from "../../../../src/domain/vocabulary/tuning.js";

const { snapshots } = defaultMonitor().warmUp(START_MS);
const withoutTime = ({ updated_at: _time, ...snapshot }: { updated_at: string }): object => snapshot;

describe("recorded health: the rebuilt view equals the one that the decision used", () => {
  for (const [name, currency] of [
    ["a probed segment", "USD"],
    ["a currency that is answered from its siblings", "CHF"],
  ] as const) {
    it(`${name}: every field but the time, of every configured provider`, () => {
      const view = createHealthView("1", snapshots);
      const rebuilt = readHealth("hash", writeHealth(view, PROVIDER_IDS, "card", currency));
      assert.equal(rebuilt.version, "hash");
      for (const provider of PROVIDER_IDS) {
        const expected = view.find(provider, "card", currency);
        assert.deepEqual(withoutTime(rebuilt.find(provider, "card", currency)), withoutTime(expected));
      }
    });
  }

  it("any numbers, to the last digit", () => {
    fc.assert(
      fc.property(healthSnapshot("provider_1", "provider_1:card:USD"), (snapshot) => {
        const text = writeHealth(createHealthView("1", [snapshot]), ["provider_1"], "card", "USD");
        const rebuilt = readHealth("hash", text).find("provider_1", "card", "USD");
        // JSON has no -0, and no score differs between -0 and 0.
        assert.equal(
          JSON.stringify(withoutTime(rebuilt)),
          JSON.stringify(withoutTime({ ...rebuilt, ...snapshot })),
        );
      }),
    );
  });

  it("knows nothing of a provider that is not configured, as the view it was made from", () => {
    const view = createHealthView("1", snapshots);
    const rebuilt = readHealth("hash", writeHealth(view, PROVIDER_IDS, "card", "USD"));
    assert.deepEqual(
      withoutTime(rebuilt.find("provider_9", "card", "USD")),
      withoutTime(view.find("provider_9", "card", "USD")),
    );
  });

  it("gives the same object for the same segment", () => {
    const rebuilt = readHealth(
      "hash",
      writeHealth(createHealthView("1", snapshots), PROVIDER_IDS, "card", "USD"),
    );
    for (const provider of [...PROVIDER_IDS, "provider_9"]) {
      assert.equal(rebuilt.find(provider, "card", "USD"), rebuilt.find(provider, "card", "USD"));
    }
  });
});

describe("recorded health: shared", () => {
  const text = (view = createHealthView("1", snapshots), method = "card"): string =>
    writeHealth(view, PROVIDER_IDS, method, "USD");

  it("has one text, for any version of the view and time of the snapshots", () => {
    const later = snapshots.map((snapshot) => ({ ...snapshot, updated_at: "2030-01-01T00:00:00.000Z" }));
    assert.equal(text(createHealthView("2", later)), text());
  });

  it("has another text for another method, and for any change of a snapshot that a decision reads", () => {
    const texts = new Set([text(), text(undefined, "wallet")]);
    const fields = [
      "score",
      "confidence",
      "p95_latency_ms",
      "approval_rate",
      "approval_rate_baseline",
      "sample_size",
    ] as const;
    for (const field of fields) {
      const changed = snapshots.map((snapshot) => ({ ...snapshot, [field]: snapshot[field] + 0.1 }));
      texts.add(text(createHealthView("2", changed)));
    }
    for (const change of [{ state: "watch" }, { source: "demo" }, { reason_codes: ["X"] }] as const) {
      const changed = snapshots.map((snapshot) => ({ ...snapshot, ...change, reason_codes: ["X"] }));
      texts.add(text(createHealthView("2", changed)));
    }
    assert.equal(texts.size, 2 + fields.length + 3);
  });
});

function snapshot(samples: number): HealthSnapshot {
  return createSnapshot({
    provider: "provider_1",
    segmentKey: "provider_1:card:USD",
    state: "healthy",
    measures: {
      timeoutRate: 0,
      error5xxRate: 0,
      throttle429Rate: 0,
      approvalRate: 0.9,
      approvalRateBaseline: 0.9,
      p95LatencyMs: 400,
      webhookLagSeconds: 0,
    },
    samples,
    source: "probe",
    updatedAt: "2026-11-20T12:00:00.000Z",
  });
}
const viewOf = (samples: number) => createHealthView(String(samples), [snapshot(samples)]);

describe("health recorder", () => {
  it("names the used health by the first half of the SHA-256 of its content", () => {
    const { name, hash, content } = createHealthRecorder(["provider_1"]).of(viewOf(100), "card", "USD");
    const digest = createHash("sha256").update(content).digest();
    assert.equal(hash.toString("hex"), digest.toString("hex").slice(0, 32));
    assert.equal(Buffer.from(name, "base64url").compare(hash), 0);
    assert.equal(name.length, 22);
  });

  it("is one and the same for views that show the same, and another for another segment or content", () => {
    const recorder = createHealthRecorder(["provider_1"]);
    const first = recorder.of(viewOf(100), "card", "USD");
    assert.equal(recorder.of(viewOf(100), "card", "USD"), first);
    assert.notEqual(recorder.of(viewOf(100), "wallet", "USD"), first);
    assert.notEqual(recorder.of(viewOf(100), "card", "EUR"), first);
    assert.notEqual(recorder.of(viewOf(101), "card", "USD").name, first.name);
  });

  it("forgets instead of growing: a group that returns later is journalled once more", () => {
    const recorder = createHealthRecorder(["provider_1"]);
    const first = recorder.of(viewOf(1), "card", "USD");
    first.journalled = true;
    for (let samples = 2; samples <= TUNING.healthGroupsRememberedMax; samples++) {
      recorder.of(viewOf(samples), "card", "USD");
    }
    assert.equal(recorder.of(viewOf(1), "card", "USD"), first);
    recorder.of(viewOf(TUNING.healthGroupsRememberedMax + 1), "card", "USD");
    const again = recorder.of(viewOf(1), "card", "USD");
    assert.deepEqual([again.name, again.journalled], [first.name, false]);
  });
});
