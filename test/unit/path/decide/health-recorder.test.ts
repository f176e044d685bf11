import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { describe, it } from "node:test";
import { createHealthRecorder } from "../../../../src/path/decide/health-recorder.js";
import { createHealthView } from "../../../../src/domain/health/view.js";
import { createSnapshot, type HealthSnapshot } from "../../../../src/domain/health/snapshot.js";
import { TUNING } from "../../../../src/domain/vocabulary/tuning.js";

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
