import assert from "node:assert/strict";
import { before, describe, it } from "node:test";
import { runRetention } from "../../../src/features/retention/retention-run.js";
import { insertMerchant } from "../../../src/features/workspaces/queries/merchant.js";
import { insertWorkspace } from "../../../src/features/workspaces/queries/workspace.js";
import { idToHex } from "../../../src/domain/ids/ids.js";
import { createDecisionWriter } from "../../../src/path/writer/decision-writer.js";
import { ByteRange } from "../../../src/path/journal/decision-record.js";
import { createTestDatabase, type TestDatabase } from "../../support/postgres/postgres.js";
import { decisionRow, decisionsOnly, newId } from "../../support/rows/decision-rows.js";

const DAY_MS = 86_400_000;
/** A Monday, the first day of a week. */
const START_MS = Date.UTC(2021, 0, 4);
const at = (day: number): Date => new Date(START_MS + day * DAY_MS);

let database: TestDatabase;
before(async () => {
  database = await createTestDatabase();
});

async function run(day: number, serviceDays = 400): Promise<void> {
  const client = await database.pool.connect();
  const options = {
    serviceDays,
    now: () => at(day).getTime(),
    store: null,
    onDropped() {},
    onRewritten() {},
  };
  await runRetention(client, options).finally(() => client.release(true));
}

async function numbers(sql: string): Promise<number[]> {
  const { rows } = await database.pool.query<{ number: number }>(sql);
  return rows.map(({ number }) => number);
}

describe("retention: records that decisions name", () => {
  it("RET-16: health is dropped once no decision on disk can name it, and repeated health stays", async () => {
    const writer = createDecisionWriter(database.pool, { nodeId: "node" });
    await writer.write(
      decisionsOnly([decisionRow({}, at(100).getTime()), decisionRow({}, at(500).getTime())]),
      2,
    );
    const group = (number: number) => ({
      hash: ByteRange.of(Buffer.alloc(16, number)),
      content: ByteRange.of(Buffer.from("{}")),
    });
    await writer.write({ decisions: [], outcomes: [], healthGroups: [1, 2, 3, 4].map(group) }, 3);
    const seen = async (number: number, day: number): Promise<unknown> =>
      database.pool.query("update health_views set last_seen_at = $2 where content_hash = $1", [
        Buffer.alloc(16, number),
        at(day),
      ]);
    // The oldest week on disk begins with day 98. A view is kept if it was seen less than 30 days before that day.
    await seen(1, 60);
    await seen(2, 70);
    await seen(3, 60);
    await seen(4, 470);
    await writer.write({ decisions: [], outcomes: [], healthGroups: [group(3)] }, 4);
    const kept = (): Promise<number[]> =>
      numbers("select get_byte(content_hash, 0) as number from health_views order by 1");
    await run(500, 0);
    assert.deepEqual(await kept(), [1, 2, 3, 4]);
    await run(500);
    assert.deepEqual(await kept(), [2, 3, 4]);
    // The week of day 100 is removed by now, so the service's limit, day 110, decides.
    await run(510);
    assert.deepEqual(await kept(), [3, 4]);
  });

  it("RET-16: prices leave once decisions with them have, and the newest never does", async () => {
    const owner = { workspaceId: newId("ws"), merchantId: "merchant" };
    await insertWorkspace(database.pool, { workspaceId: owner.workspaceId, name: "Test" });
    await insertMerchant(database.pool, owner);
    for (const [version, day] of [10, 20, 900, 1000].entries()) {
      await database.pool.query(
        `insert into observed_prices (workspace_id, merchant_id, version_number, prices, created_at)
         values ($1, 'merchant', $2, '[]', $3)`,
        [idToHex(owner.workspaceId), version + 1, at(day)],
      );
    }
    const kept = (): Promise<number[]> =>
      numbers("select version_number as number from observed_prices order by 1");
    await run(925);
    // Version 2 was the current one until day 900.
    assert.deepEqual(await kept(), [2, 3, 4]);
    await run(2000);
    assert.deepEqual(await kept(), [4]);
  });

  it("RET-16: alerts are dropped once they closed before the limit, with their acknowledgements", async () => {
    const workspaceId = newId("ws");
    await insertWorkspace(database.pool, { workspaceId, name: "Test" });
    for (const [kind, closed] of [at(1500), at(1700), null].entries()) {
      const ids = [idToHex(workspaceId), idToHex(newId("alt"))];
      await database.pool.query(
        `insert into alerts (workspace_id, alert_id, severity, reason_code, opened_at, closed_at, confirmed_at, kind)
         values ($1, $2, 0, 'CODE', $3, $4, $3, $5)`,
        [...ids, at(1490), closed, kind],
      );
      await database.pool.query(
        "insert into alert_acknowledgements (workspace_id, alert_id, acknowledged_by) values ($1, $2, $1)",
        ids,
      );
    }
    const kept = (): Promise<number[]> =>
      numbers(
        "select kind::int as number from alerts a join alert_acknowledgements using (alert_id) order by 1",
      );
    await run(1899);
    assert.deepEqual(await kept(), [0, 1, 2]);
    await run(1901);
    assert.deepEqual(await kept(), [1, 2]);
    assert.deepEqual(await numbers("select count(*)::int as number from alert_acknowledgements"), [2]);
  });
});
