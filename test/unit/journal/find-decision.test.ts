import assert from "node:assert/strict";
import { describe, it } from "node:test";
import fc from "fast-check";
import { createBatchEncoder, decodeBatch, noRecords } from "../../../src/journal/batch-codec.js";
import { findJournalledDecision } from "../../../src/journal/find-decision.js";
import { openJournal, type Journal } from "../../../src/journal/journal.js";
import { createKnownFacts } from "../../../src/journal/known-facts.js";
import { closeLater } from "../../support/closing.js";
import { decisionRecord } from "../../support/decision-records.js";
import { newId, NOW_MS } from "../../support/decision-rows.js";
import { temporaryDir } from "../../support/postgres.js";
import { reportedOutcome } from "../../support/reported-outcome.js";

async function createJournal(): Promise<Journal> {
  const journal = openJournal({
    dataDir: await temporaryDir(),
    bytesMax: 64 * 2 ** 20,
    syncEveryCommit: false,
  });
  closeLater(() => journal.close());
  return journal;
}

const RETRY = {
  workspaceId: "ws_01jd3vwz6c9k2m4n6p8r0s2t4v",
  mode: "test",
  failedProvider: "provider_1",
  failedOutcome: "timeout",
} as const;
const encoder = createBatchEncoder();
/** Appends batches of decisions made at `timesMs`, two to a batch; returns the ids. */
function append(journal: Journal, timesMs: readonly number[]): string[] {
  return timesMs.flatMap((timeMs) => {
    const ids = [newId("dec", timeMs), newId("dec", timeMs)];
    const records = ids.map((decisionId) =>
      decisionRecord(`order of ${decisionId}`, { decisionId, paymentMethod: "wallet", mode: "test" }),
    );
    // The second of each batch follows an attempt that failed.
    const retries = ids.slice(1).map((decisionId) => ({ ...RETRY, decisionId }));
    journal.transaction(() =>
      journal.append(encoder.encode(records, { retries }), records.length + retries.length),
    );
    return ids;
  });
}

/** Drops the first batches: of the first `untold` of them nothing is kept. */
function remove(journal: Journal, batches: number, untold: number): void {
  if (untold > 0) journal.removeThrough(3 * untold, null);
  // Several times, as transactions of the writer follow each other.
  for (let removed = untold; removed < batches; removed += 2) {
    const records = noRecords();
    const entries = journal.readAfter(3 * removed, Number.POSITIVE_INFINITY, 6);
    for (const { batch } of entries) decodeBatch(batch, records);
    const facts = createKnownFacts();
    facts.add(records.decisions, records.retries);
    journal.removeThrough(entries.at(-1)?.sequence ?? 0, facts.bytes());
  }
}

describe("contract §9: a node knows the decisions that its journal held last", () => {
  it("finds every one of them, and no other, however batches of several workers overtook each other", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.tuple(fc.integer({ min: 0, max: 4000 }), fc.integer({ min: 0, max: 500 })), {
          minLength: 1,
          maxLength: 40,
        }),
        fc.integer({ min: 0, max: 20 }),
        fc.integer({ min: 0, max: 20 }),
        async (batches, untold, drained) => {
          const journal = await createJournal();
          // In the order of commits: each batch is late by its second number.
          const timesMs = batches
            .toSorted(([a, lateA], [b, lateB]) => a + lateA - (b + lateB))
            .map(([atMs]) => NOW_MS + atMs);
          const ids = append(journal, timesMs);
          const gone = Math.min(untold, timesMs.length);
          remove(journal, Math.min(untold + drained, timesMs.length), gone);
          for (const [index, decisionId] of ids.entries()) {
            const found = findJournalledDecision(journal, decisionId);
            if (index < 2 * gone) assert.equal(found, null);
            else {
              assert.deepEqual(found, {
                workspaceId: "ws_01jd3vwz6c9k2m4n6p8r0s2t4v",
                mode: "test",
                merchantId: "merchant",
                orderId: `order of ${decisionId}`,
                paymentMethod: "wallet",
                retryOf: index % 2 === 0 ? null : { provider: "provider_1", outcome: "timeout" },
              });
            }
          }
          assert.equal(findJournalledDecision(journal, newId("dec", NOW_MS + 77)), null);
        },
      ),
      { numRuns: 40 },
    );
  });

  it("knows about ten thousand of those that have left the journal, and forgets the oldest", async () => {
    const journal = await createJournal();
    const batches = Array.from({ length: 200 }, (_, batch) =>
      Array.from({ length: 100 }, () => newId("dec", NOW_MS + batch)),
    );
    const facts = createKnownFacts();
    for (const ids of batches) {
      const records = noRecords();
      decodeBatch(encoder.encode(ids.map((decisionId) => decisionRecord("order", { decisionId }))), records);
      facts.add(records.decisions, []);
      journal.removeThrough(0, facts.bytes());
      facts.clear();
    }
    const known = batches.map(
      (ids) => ids.filter((id) => findJournalledDecision(journal, id) !== null).length,
    );
    const forgotten = known.lastIndexOf(0) + 1;
    assert.ok(forgotten > 0, "there were more than it keeps");
    assert.ok(
      known.slice(forgotten).every((found) => found === 100),
      "the oldest go first",
    );
    const kept = (known.length - forgotten) * 100;
    assert.ok(kept > 5000 && kept < 15_000, `${kept} known`);
  });

  it("forgets little at a time: after a large removal and a smaller one most of the large one is known", async () => {
    const journal = await createJournal();
    const facts = createKnownFacts();
    const removed = [8500, 6000].map((count, removal) => {
      const ids = Array.from({ length: count }, (_, i) => newId("dec", NOW_MS + 1000 * removal + (i >> 5)));
      const retries = ids.filter((_, i) => i % 7 === 3).map((decisionId) => ({ ...RETRY, decisionId }));
      const records = noRecords();
      const batch = encoder.encode(
        ids.map((decisionId) => decisionRecord("order", { decisionId })),
        { retries },
      );
      decodeBatch(batch, records);
      facts.add(records.decisions, records.retries);
      journal.removeThrough(0, facts.bytes());
      facts.clear();
      return ids;
    });
    // Every 61st: sevenths of both removals, whichever are retries.
    const asked = removed.flatMap((ids) => ids.map((id, i) => ({ id, isRetry: i % 7 === 3 })));
    const sample = asked.filter((_, i) => i % 61 === 0);
    const known = sample.map(({ id }) => findJournalledDecision(journal, id));
    const forgotten = known.findIndex((found) => found !== null);
    const kept = 61 * (known.length - forgotten);
    assert.ok(kept > 9_800, `about ${kept} known`);
    for (const [index, { isRetry }] of sample.entries()) {
      if (index < forgotten) continue;
      assert.equal(known[index]?.orderId, "order");
      assert.equal(known[index]?.retryOf?.provider, isRetry ? "provider_1" : undefined);
    }
  });

  it("knows the decisions of the last removal, whatever room they take", async () => {
    const journal = await createJournal();
    const [merchantId, orderId] = ["m".repeat(128), "o".repeat(128)];
    const facts = createKnownFacts();
    for (let round = 0; round < 2; round++) {
      facts.clear();
      const ids = Array.from({ length: 5000 }, () => newId("dec", NOW_MS + round));
      const records = noRecords();
      const batch = encoder.encode(
        ids.map((decisionId) => decisionRecord(orderId, { decisionId, merchantId })),
      );
      decodeBatch(batch, records);
      facts.add(records.decisions, []);
      journal.removeThrough(0, facts.bytes());
      for (const id of [ids[0] ?? "", ids.at(-1) ?? ""])
        assert.equal(findJournalledDecision(journal, id)?.merchantId, merchantId);
    }
  });

  it("passes over outcomes between them, and finds nothing in an empty journal", async () => {
    const journal = await createJournal();
    assert.equal(findJournalledDecision(journal, newId("dec")), null);
    const [first = ""] = append(journal, [NOW_MS]);
    const outcome = encoder.encodeOutcomes([
      {
        ...reportedOutcome({ decisionId: first }),
        workspaceId: newId("ws"),
        mode: "live",
        reportedAtMs: NOW_MS,
      },
    ]);
    journal.transaction(() => journal.append(outcome, 1));
    const [last = ""] = append(journal, [NOW_MS + 1]);
    for (const id of [first, last]) assert.notEqual(findJournalledDecision(journal, id), null);
  });
});
