import assert from "node:assert/strict";
import { before, describe, it } from "node:test";
import { idToHex } from "../../../src/domain/ids/ids.js";
import { TUNING } from "../../../src/domain/vocabulary/tuning.js";
import { createKey, createWorkspace } from "../../support/people/tenants.js";
import {
  eventually,
  send,
  sendRead,
  startTestService,
  type RunningService,
} from "../../support/service/service.js";
import { ONE_NODE } from "../../support/two-nodes-mode.js";

const LOCK = 13;
const ASKED_AT_ONCE = 20;

let service: RunningService;
before(async () => {
  // Reads of the slow workspace are refused after 2.25 s, so that the test does not wait long.
  service = await startTestService({ DECISION_WORKERS: "1", PAYINFERENCE_TEST_PATIENCE: "3" });
});

/** Creates a workspace with one decision, which has been read. */
async function tenant(): Promise<{ workspaceId: string; list(): Promise<number> }> {
  const workspaceId = await createWorkspace(service);
  const key = await createKey(service.pool, workspaceId);
  assert.equal((await sendRead(service, "GET", "/v1/decisions", { key })).json["total"], 1);
  return {
    workspaceId,
    list: async () => (await send(service, "GET", "/v1/decisions", { key })).status,
  };
}

/** Makes every read of that workspace's decisions wait in PostgreSQL while another connection holds the lock. */
const slowDown = (workspaceId: string): Promise<unknown> =>
  service.pool.query(`
    create function wait_for_lock() returns boolean language plpgsql as $$
      begin perform pg_advisory_xact_lock_shared(${LOCK}); return true; end $$;
    create policy slow on decisions as restrictive for select to payinference_tenant
      using (workspace_id <> '${idToHex(workspaceId)}' or wait_for_lock())`);

async function readsInPostgres(): Promise<number> {
  const { rows } = await service.pool.query<{ count: number }>(
    `select count(*)::int as count from pg_stat_activity
     where application_name = 'payinference-reader' and datname = current_database() and wait_event = 'advisory'`,
  );
  return rows[0]?.count ?? 0;
}

describe("reads of many workspaces", () => {
  it("OPS-13: no workspace gets 503 while another asks for slow reads in a loop", ONE_NODE, async () => {
    const [slow, other] = [await tenant(), await tenant()];
    await slowDown(slow.workspaceId);
    const lock = await service.pool.connect();
    let isOver = false;
    let refused = 0;
    let loops: Promise<void>[] = [];
    try {
      await lock.query(`select pg_advisory_lock(${LOCK})`);
      loops = Array.from({ length: ASKED_AT_ONCE }, async () => {
        while (!isOver) if ((await slow.list()) === 503) refused++;
      });
      await eventually(async () => assert.ok((await readsInPostgres()) >= TUNING.readerConnectionsOwnMax));
      await eventually(async () => assert.ok(refused > ASKED_AT_ONCE));
      const statuses: number[] = [];
      for (let read = 0; read < 10; read++) statuses.push(await other.list());
      assert.deepEqual(statuses, Array(10).fill(200));
      assert.ok((await readsInPostgres()) > 0, "the other reads are slow all along");
    } finally {
      isOver = true;
      await lock.query(`select pg_advisory_unlock(${LOCK})`);
      lock.release();
      await Promise.all(loops);
    }
    // The slow workspace recovers by itself.
    await eventually(async () => assert.equal(await slow.list(), 200));
  });
});
