import assert from "node:assert/strict";
import { before, describe, it } from "node:test";
import { newId } from "../support/rows/decision-rows.js";
import { outcomeReport } from "../support/people/client-requests.js";
import { holdJournalBack } from "../support/service/held-journal.js";
import { startNodes } from "../support/service/nodes.js";
import {
  decisionBody,
  eventually,
  send,
  type Reply,
  type RunningService,
} from "../support/service/service.js";

const unmatched = async ({ metricsUrl }: RunningService): Promise<number> => {
  const metrics = await (await fetch(metricsUrl)).text();
  return Number(/^payinference_outcomes_unmatched (\d+)$/m.exec(metrics)?.[1]);
};

describe("OUT-12: an outcome of a decision that is only in another node's journal", () => {
  let decider: RunningService;
  let reporter: RunningService;
  before(async () => {
    [decider, reporter] = (await startNodes(2, {})) as [RunningService, RunningService];
  });
  const decide = async (): Promise<string> =>
    String((await send(decider, "POST", "/v1/decision", { body: decisionBody() })).json["decision_id"]);
  const report = (decisionId: string): Promise<Reply> =>
    send(reporter, "POST", "/v1/outcomes", { body: outcomeReport(decisionId) });
  const hasOutcome = (decisionId: string): Promise<void> =>
    eventually(async () => {
      const { json, text } = await send(reporter, "GET", `/v1/decisions/${decisionId}`);
      assert.equal((json["outcome"] as { outcome: string } | null)?.outcome, "approved", text);
    });

  it("an outcome of a decision that no node has made is unknown at once", async () => {
    assert.equal((await report(newId("dec", Date.now()))).status, 404);
  });

  it("OUT-17: is accepted, kept aside and shown while that node stores nothing, and then joined to its decision", async () => {
    const hold = await holdJournalBack(decider);
    const decisionId = await decide();
    assert.equal((await report(decisionId)).status, 200);
    assert.equal((await report(decisionId)).status, 200);
    await eventually(async () => assert.equal(await unmatched(reporter), 1));
    assert.equal((await send(reporter, "GET", `/v1/decisions/${decisionId}`)).status, 404);
    await hold.letGo();
    await hasOutcome(decisionId);
    await eventually(async () => assert.equal(await unmatched(reporter), 0));
  });

  it("is accepted when that node is killed before it stores the decision, and joined after its restart", async () => {
    const hold = await holdJournalBack(decider);
    const decisionId = await decide();
    await eventually(async () => {
      const waiting = "from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'";
      const { rows } = await reporter.pool.query(`select pid ${waiting}`);
      assert.ok(rows.length > 0);
      await decider.stop("SIGKILL");
      await hold.forgetSent();
    });
    await hold.letGo();
    assert.equal((await report(decisionId)).status, 200);
    await eventually(async () => assert.equal(await unmatched(reporter), 1));
    await decider.start();
    await hasOutcome(decisionId);
  });

  it("is accepted for a decision of a node that has stopped cleanly", async () => {
    const decisionId = await decide();
    await decider.stop();
    assert.equal((await report(decisionId)).status, 200);
    await hasOutcome(decisionId);
  });
});
