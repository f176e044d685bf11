import assert from "node:assert/strict";
import { before, beforeEach, describe, it } from "node:test";
import { alertKindRow } from "../../../src/domain/vocabulary/alert-kinds.js";
import { EVERYBODY } from "../../../src/features/alerts/alert-workspaces.js";
import { isEventDue } from "../../../src/features/events/queries/due.js";
import { ENDPOINTS_PER_PAGE, tellNextPage } from "../../../src/features/events/queries/fan-out.js";
import { createTestDatabase, type TestDatabase } from "../../support/postgres/postgres.js";

const PAGE = ENDPOINTS_PER_PAGE;
/** These are two pages and a part of a third. */
const WORKSPACES = 2 * PAGE + 100;

let database: TestDatabase;
before(async () => {
  database = await createTestDatabase();
  await database.pool.query(
    `insert into workspaces (workspace_id, name) select new_ulid(), 'Shop' from generate_series(1, ${WORKSPACES})`,
  );
  await database.pool.query(
    `insert into event_endpoints (workspace_id, endpoint_id, url, types, format, sealed)
     select workspace_id, new_ulid(), 'https://shop.example', '{alert.opened,alert.closed}', 'standard', '\\x00'
     from workspaces`,
  );
});
beforeEach(async () => {
  await database.pool.query("delete from event_deliveries");
  await database.pool.query("delete from event_fan_outs");
  await database.pool.query("delete from alerts");
});

const open = () =>
  database.pool.query(
    `insert into alerts (workspace_id, kind, alert_id, mode, severity, provider, segment_key, reason_code, opened_at,
       confirmed_at)
     values ($1, $2, new_ulid(), 1, 1, 'provider_1', 'provider_1:card:USD', 'CIRCUIT_OPEN', now(), now())`,
    [EVERYBODY, alertKindRow("provider_health").code],
  );
const close = () => database.pool.query("update alerts set closed_at = now() where closed_at is null");
const count = async (from: string): Promise<number> => {
  const { rows } = await database.pool.query<{ rows: number }>(
    `select count(*)::integer as rows from ${from}`,
  );
  return rows[0]?.rows ?? -1;
};
/** The number of deliveries of each transaction, in the order of the transactions. */
const byTransaction = async (): Promise<number[]> => {
  const { rows } = await database.pool.query<{ told: number }>(
    "select count(*)::integer as told from event_deliveries group by xmin order by min(position)",
  );
  return rows.map(({ told }) => told);
};
async function tellAll(): Promise<number> {
  let pages = 0;
  while (await tellNextPage(database.pool)) pages += 1;
  return pages;
}

describe("EVT-15: events for every workspace", () => {
  it("is one row in the alert's transaction, and pages of endpoints in further ones", async () => {
    await open();
    assert.deepEqual([await count("event_fan_outs"), await count("event_deliveries")], [1, 0]);
    assert.equal(await isEventDue(database.pool), true);
    assert.equal(await tellAll(), 3);
    assert.deepEqual(await byTransaction(), [PAGE, PAGE, 100]);
    assert.equal(
      await count("(select distinct workspace_id, endpoint_id from event_deliveries) told"),
      WORKSPACES,
    );
    assert.equal(await count("(select distinct event_id from event_deliveries) events"), 1);
    assert.equal(await count("event_fan_outs"), 0);
  });

  it("ends with a full last page as well, and adds no event twice", async () => {
    await database.pool.query(
      `delete from event_endpoints where endpoint_id in (select endpoint_id from event_endpoints order by 1 limit 100)`,
    );
    await open();
    assert.equal(await tellAll(), 3);
    assert.deepEqual(await byTransaction(), [PAGE, PAGE]);
    await database.pool.query(
      `insert into event_endpoints (workspace_id, endpoint_id, url, types, format, sealed)
       select workspace_id, new_ulid(), 'https://shop.example', '{alert.opened,alert.closed}', 'standard', '\\x00'
       from workspaces w where not exists (select from event_endpoints e where e.workspace_id = w.workspace_id)`,
    );
  });

  it("continues at its position: the next caller repeats a page that was rolled back", async () => {
    await open();
    assert.equal(await tellNextPage(database.pool), true);
    const dying = await database.pool.connect();
    await dying.query("begin");
    assert.equal(await tellNextPage(dying), true);
    // One node at a time distributes events, so another node finds nothing to do.
    assert.equal(await tellNextPage(database.pool), false);
    await dying.query("rollback");
    dying.release();
    assert.deepEqual(await byTransaction(), [PAGE]);
    assert.equal(await tellAll(), 2);
    assert.deepEqual(await byTransaction(), [PAGE, PAGE, 100]);
  });

  it("adds the beginning before the end at every endpoint", async () => {
    await open();
    assert.equal(await tellNextPage(database.pool), true);
    await close();
    await tellAll();
    const { rows } = await database.pool.query<{ types: string[]; endpoints: number }>(
      `select types, count(*)::integer as endpoints from (
         select array_agg(type order by position) as types from event_deliveries group by workspace_id, endpoint_id
       ) told group by types`,
    );
    assert.deepEqual(rows, [{ types: ["alert.opened", "alert.closed"], endpoints: WORKSPACES }]);
  });

  it("leaves out endpoints that are disabled, listen to nothing of it, or came later", async () => {
    const { rows } = await database.pool.query<{ endpoint_id: string }>(
      "select endpoint_id from event_endpoints order by workspace_id limit 4",
    );
    const [disabled, deaf, young] = rows.map(({ endpoint_id }) => endpoint_id);
    await database.pool.query("update event_endpoints set status = 'disabled' where endpoint_id = $1", [
      disabled,
    ]);
    await database.pool.query("update event_endpoints set types = '{key.created}' where endpoint_id = $1", [
      deaf,
    ]);
    await open();
    await database.pool.query(
      "update event_endpoints set created_at = clock_timestamp() where endpoint_id = $1",
      [young],
    );
    await tellAll();
    const told = await database.pool.query<{ endpoint_id: string }>(
      "select endpoint_id from event_deliveries where endpoint_id = any($1)",
      [rows.map(({ endpoint_id }) => endpoint_id)],
    );
    assert.deepEqual(
      told.rows.map(({ endpoint_id }) => endpoint_id),
      [rows[3]?.endpoint_id],
    );
    assert.equal(await count("event_deliveries"), WORKSPACES - 3);
  });

  it("costs nothing where no workspace has an endpoint", async () => {
    const empty = await createTestDatabase();
    await empty.pool.query(
      `insert into alerts (workspace_id, kind, alert_id, severity, reason_code, opened_at, confirmed_at)
       values ($1, 0, new_ulid(), 1, 'CIRCUIT_OPEN', now(), now())`,
      [EVERYBODY],
    );
    assert.equal(await isEventDue(empty.pool), false);
  });
});
