import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import type pg from "pg";
import { TUNING } from "../../../src/domain/vocabulary/tuning.js";
import { ONE_NODE } from "../../support/two-nodes-mode.js";
import { eventually, send, startTestService } from "../../support/service/service.js";

const ROOM_MS = 500;

async function waitingForLocks(pool: pg.Pool): Promise<unknown> {
  const { rows } = await pool.query(
    "select count(*)::int as waiting from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'",
  );
  return rows[0]?.waiting;
}

describe("PAYINFERENCE_TEST_PATIENCE stretches the limits that answer 503", () => {
  it("a PostgreSQL slower than a customer would wait still answers tests", ONE_NODE, async () => {
    const service = await startTestService();
    const lock = await service.pool.connect();
    try {
      await lock.query("begin; lock table decisions, policies, api_keys in access exclusive mode");
      // One request uses the reader thread, and one the front's own pool. Both look up the key first.
      const asked = Promise.all([
        send(service, "GET", "/v1/decisions"),
        send(service, "GET", "/v1/policies/demo_merchant"),
      ]);
      await eventually(async () => assert.ok(Number(await waitingForLocks(service.pool)) >= 1));
      await sleep(TUNING.databaseReadTimeoutMs + ROOM_MS);
      await lock.query("rollback");
      assert.deepEqual(
        (await asked).map(({ status }) => status),
        [200, 200],
      );
    } finally {
      lock.release(true);
    }
  });

  it("DUR-4: a start waits longer for PostgreSQL, so that the first read is answered", ONE_NODE, async () => {
    const service = await startTestService();
    assert.equal(await service.stop(), 0);
    const lock = await service.pool.connect();
    try {
      // Every start reads this table.
      await lock.query("begin; lock table decision_id_key in access exclusive mode");
      const starting = service.start();
      await eventually(async () => assert.ok(Number(await waitingForLocks(service.pool)) >= 1));
      await sleep(TUNING.databaseStartPatienceMs + ROOM_MS);
      const ready = await fetch(`${service.url}/ready`).catch(() => null);
      assert.notEqual(ready?.status, 200);
      await lock.query("rollback");
      await starting;
      assert.equal((await send(service, "GET", "/v1/decisions")).status, 200);
    } finally {
      lock.release(true);
    }
  });
});
