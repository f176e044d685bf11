import assert from "node:assert/strict";
import { it } from "node:test";
import { createBatchEncoder } from "../../../src/journal/batch-codec.js";
import { journalAgeMs } from "../../../src/journal/journal-age.js";
import { createDataDir } from "../../support/actor-parts.js";
import { decisionRecord } from "../../support/decision-records.js";
import { newId, NOW_MS } from "../../support/decision-rows.js";

it("a journal is as old as the oldest batch in it, and an empty one has no age", async () => {
  const { journal } = await createDataDir();
  const encoder = createBatchEncoder();
  assert.equal(journalAgeMs(journal, NOW_MS), 0);
  for (const timeMs of [NOW_MS - 3000, NOW_MS - 10]) {
    const batch = encoder.encode([decisionRecord("order", { decisionId: newId("dec", timeMs) })]);
    journal.transaction(() => journal.append(batch, 1));
  }
  assert.equal(journalAgeMs(journal, NOW_MS), 3000);
  journal.removeThrough(1, null);
  assert.equal(journalAgeMs(journal, NOW_MS), 10);
  assert.equal(journalAgeMs(journal, NOW_MS - 60_000), 0, "a clock that was set back");
});
