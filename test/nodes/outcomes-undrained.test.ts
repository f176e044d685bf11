import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { before, describe, it } from "node:test";
import type { PoolClient } from "pg";
import { newId } from "../support/decision-rows.js";
import { outcomeReport } from "../support/client-requests.js";
import { startNodes } from "../support/nodes.js";
import { decisionBody, eventually, send, type Reply, type RunningService } from "../support/service.js";

/** Keeps the node's writer from storing anything until the transaction ends. */
async function holdJournalBack(node: RunningService): Promise<PoolClient> {
  const nodeId = (await readFile(join(node.dataDir, "journal", "node-id"), "utf8")).trim();
  const client = await node.pool.connect();
  await client.query("begin");
  const held = await client.query("select from journal_positions where node_id = $1 for update", [nodeId]);
  assert.equal(held.rowCount, 1);
  return client;
}

async function letGo(client: PoolClient): Promise<void> {
  await client.query("rollback");
  client.release();
}

describe("contract §6: a report for a decision that is only in another node's journal", () => {
  let decider: RunningService;
  let reporter: RunningService;
  before(async () => {
    [decider, reporter] = (await startNodes(2, {})) as [RunningService, RunningService];
  });
  const decide = async (): Promise<string> =>
    String((await send(decider, "POST", "/v1/decision", { body: decisionBody() })).json["decision_id"]);
  const report = (decisionId: string): Promise<Reply> =>
    send(reporter, "POST", "/v1/outcomes", { body: outcomeReport(decisionId) });
  const answers = (decisionId: string, status: number): Promise<void> =>
    eventually(async () => {
      const reply = await report(decisionId);
      assert.equal(reply.status, status, reply.text);
    });

  it("one that nobody has made just now is unknown", async () => {
    await answers(newId("dec", Date.now()), 404);
  });

  it("while that node stores nothing, however long, it is 503 and never 404; then it is found", async () => {
    const hold = await holdJournalBack(decider);
    const decisionId = await decide();
    assert.equal((await report(decisionId)).status, 503);
    assert.equal((await report(decisionId)).status, 503);
    await letGo(hold);
    await answers(decisionId, 200);
  });

  it("when that node is killed before it stores it: 503 until it is there again, then found", async () => {
    const hold = await holdJournalBack(decider);
    const decisionId = await decide();
    await eventually(async () => {
      const waiting = "from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'";
      const { rows } = await reporter.pool.query(`select pid ${waiting}`);
      assert.ok(rows.length > 0);
      await decider.stop("SIGKILL");
      // What the dead node has sent already is not carried out either.
      await reporter.pool.query(`select pg_terminate_backend(pid) ${waiting}`);
    });
    await letGo(hold);
    assert.equal((await report(decisionId)).status, 503);
    await decider.start();
    await answers(decisionId, 200);
  });

  it("when that node stopped as told, all is stored, and what is not found is unknown at once", async () => {
    const decisionId = await decide();
    await decider.stop();
    await eventually(async () => {
      const { status, text } = await report(newId("dec", Date.now()));
      assert.equal(status, 404, text);
    }, 20_000);
    await answers(decisionId, 200);
  });
});
