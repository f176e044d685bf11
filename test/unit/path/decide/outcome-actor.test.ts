import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { createOutcomeActor } from "../../../../src/path/decide/outcome-actor.js";
import type { OutcomeTask } from "../../../../src/path/decide/pool/messages.js";
import { decodeBatch, noRecords } from "../../../../src/path/journal/batch-codec.js";
import { openJournal } from "../../../../src/path/journal/journal.js";
import { closeLater } from "../../../support/closing.js";
import { newId, NOW_MS } from "../../../support/rows/decision-rows.js";
import { temporaryDir } from "../../../support/postgres/postgres.js";
import { reportedOutcome } from "../../../support/rows/reported-outcome.js";

describe("Outcome: reporting again replaces the stored outcome", () => {
  it("OUT-9: a later report stays the later one if the host's clock was set back in between", async () => {
    const journal = openJournal({
      dataDir: await temporaryDir(),
      bytesMax: 64 * 2 ** 20,
      syncEveryCommit: false,
    });
    closeLater(() => journal.close());
    const clock = [NOW_MS, NOW_MS - 60_000, NOW_MS + 1];
    const act = createOutcomeActor({ journal, now: () => clock.shift() ?? 0 });
    const workspaceId = newId("ws");
    const decisionId = newId("dec");
    const caller = { workspaceId, mode: "test", merchantScope: null } as const;
    const task: OutcomeTask = { reports: [{ ...reportedOutcome({ decisionId }), ...caller }] };
    for (let i = 0; i < 3; i++) assert.equal(act(task).journalError, null);
    const records = noRecords();
    for (const { batch } of journal.readAfter(0, Number.POSITIVE_INFINITY)) decodeBatch(batch, records);
    assert.deepEqual(
      records.outcomes.map(({ reportedAtMs }) => reportedAtMs - NOW_MS),
      [0, 0, 1],
    );
  });
});
