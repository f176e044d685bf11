import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { createEvidenceFeed } from "../../../../src/path/prober/evidence-feed.js";
import type { RetryOutcomes } from "../../../../src/domain/retries/recovery.js";
import type { EvidenceCursor, EvidencePage } from "../../../../src/path/prober/evidence-queries.js";
import { liveOutcome } from "../../domain/health/segments.js";

const to = (snapshot: string): EvidenceCursor => ({ snapshot, page: null });

const RETRY: RetryOutcomes = {
  workspaceId: "ws_a",
  mode: "live",
  code: "51",
  attempt: 1,
  provider: "provider_1",
  approved: true,
  atMs: 2000,
  count: 1,
};

const PAGES: Readonly<Record<string, EvidencePage>> = {
  start: {
    outcomes: Array.from({ length: 300_000 }, () => liveOutcome(1000)),
    retries: [],
    next: to("10"),
    skipped: 0,
    isFull: true,
  },
  "10": { outcomes: [liveOutcome(2000)], retries: [RETRY], next: to("20"), skipped: 0, isFull: false },
  "20": { outcomes: [liveOutcome(3000)], retries: [], next: to("30"), skipped: 0, isFull: false },
};

describe("HLTH-11: learnt health survives restarts", () => {
  it("a start recalls all pages together, however many, and again from the first where one could not be read", async () => {
    const recalled: number[] = [];
    let failures = 1;
    const feed = createEvidenceFeed({
      async read(after) {
        if (after?.snapshot === "10" && failures-- > 0) throw new Error("connect ECONNREFUSED");
        return PAGES[after?.snapshot ?? "start"] as EvidencePage;
      },
      readLearning: () => Promise.resolve(null),
      saveLearning: () => assert.fail("nothing is stored yet"),
      exportLearnt: () => assert.fail("nothing is stored yet"),
      dropOld: () => Promise.resolve(),
      isReachable: () => true,
      recall: async ({ outcomes, retries }) => void recalled.push(outcomes.length, retries.length),
      record: () => assert.fail("nothing is recorded before it is recalled"),
      onSkipped: () => assert.fail("every row was read"),
      onError: () => undefined,
    });
    await assert.rejects(feed.start(), /ECONNREFUSED/);
    assert.deepEqual(recalled, []);
    await feed.start();
    feed.close();
    assert.deepEqual(recalled, [300_001, 1]);
  });
});
