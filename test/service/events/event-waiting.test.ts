import assert from "node:assert/strict";
import { before, describe, it } from "node:test";
import { countWaiting } from "../../../src/features/events/queries/due.js";
import { idToHex } from "../../../src/domain/ids/ids.js";
import { TUNING } from "../../../src/domain/vocabulary/tuning.js";
import { insertWorkspace } from "../../../src/features/workspaces/queries/workspace.js";
import { readMetricSeries } from "../../support/machine/metric-series.js";
import { newId } from "../../support/people/tenants.js";
import { createTestDatabase, type TestDatabase } from "../../support/postgres/postgres.js";
import { startTestService } from "../../support/service/service.js";

let database: TestDatabase;
before(async () => {
  database = await createTestDatabase();
});

/**
 * Adds an endpoint with deliveries that have been due for these seconds. With a negative number a delivery is due
 * later.
 */
async function addEndpoint(dueSinceSeconds: readonly number[], changes = ""): Promise<void> {
  const workspaceId = newId("ws");
  await insertWorkspace(database.pool, { workspaceId, name: "Shop" });
  const key = [idToHex(workspaceId), idToHex(newId("ep"))];
  await database.pool.query(
    `insert into event_endpoints (workspace_id, endpoint_id, url, types, format, sealed)
     values ($1, $2, 'https://shop.example', '{key.created}', 'standard', '\\x00')`,
    key,
  );
  await database.pool.query(
    `insert into event_deliveries (workspace_id, endpoint_id, delivery_id, event_id, type, subject, body, next_try_at)
     select $1, $2, new_ulid(), new_ulid(), 'key.created', 'key', '{}', now() - seconds * interval '1 second'
     from unnest($3::integer[]) as seconds`,
    [...key, dueSinceSeconds],
  );
  if (changes !== "") await database.pool.query(changes, [key[0]]);
}

describe("EVT-14: metrics of waiting deliveries", () => {
  it("count the deliveries at enabled endpoints, which are overdue only if the endpoint accepts events", async () => {
    assert.deepEqual(await countWaiting(database.pool), { deliveries: 0, overdueSeconds: 0 });
    await addEndpoint([-100]);
    assert.deepEqual(await countWaiting(database.pool), { deliveries: 1, overdueSeconds: 0 });
    await addEndpoint([600, 500]);
    await addEndpoint([7000], "update event_endpoints set failing_since = now() where workspace_id = $1");
    await addEndpoint([8000], "update event_endpoints set status = 'disabled' where workspace_id = $1");
    await addEndpoint([9000], "update workspaces set status = 1 where workspace_id = $1");
    await addEndpoint([9000], "update event_deliveries set next_try_at = null where workspace_id = $1");
    const { deliveries, overdueSeconds } = await countWaiting(database.pool);
    assert.equal(deliveries, 4);
    assert.ok(overdueSeconds >= 600 && overdueSeconds < 7000, `${overdueSeconds}`);
  });

  it("count no further than they have to", async () => {
    await addEndpoint(Array.from({ length: TUNING.eventSweepRowsMax + 10 }, () => -100));
    const { deliveries } = await countWaiting(database.pool);
    assert.ok(deliveries <= TUNING.eventSweepRowsMax, `${deliveries}`);
  });

  it("are on /metrics", async () => {
    const service = await startTestService();
    const series = readMetricSeries(await (await fetch(service.metricsUrl)).text());
    for (const name of ["waiting", "overdue_seconds"])
      assert.ok(series.has(`payinference_event_deliveries_${name}`), name);
  });
});
