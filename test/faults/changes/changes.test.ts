import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { idToHex } from "../../../src/domain/ids/ids.js";
import { createDatabaseGate } from "../../support/postgres/database-gate.js";
import { onceLooked } from "../../support/service/once-looked.js";
import { createTestDatabase } from "../../support/postgres/postgres.js";
import { eventually, send, startTestService } from "../../support/service/service.js";
import { createKey, revokeKey } from "../../support/people/tenants.js";
import {
  actionOf,
  assertCatchesUp,
  assertServesWhileCopying,
  CALM,
  decide,
  fillFeed,
  publish,
} from "./change-scenario.js";

describe("POL-13: no node uses a policy that was archived more than 5 s ago", { concurrency: 2 }, () => {
  it("even without a notification", async () => {
    const service = await startTestService(CALM);
    const { pool, workspaceId } = service;
    await publish(pool, workspaceId, "hold");
    await eventually(async () => assert.equal(await actionOf(service), "hold"));
    // The same row and change as a real publish, but without a notification.
    await pool.query("alter table policies disable trigger user");
    await publish(pool, workspaceId, "block");
    await fillFeed(pool, workspaceId, 1);
    await onceLooked(service, async () => assert.equal(await actionOf(service), "block"));
  });

  it("a node that was cut off applies the change once it is back, and reads only what it missed", async () => {
    const { url } = await createTestDatabase();
    const gate = await createDatabaseGate(url);
    const first = await startTestService({ ...CALM, DATABASE_URL: url });
    const cut = await startTestService({ ...CALM, DATABASE_URL: gate.url, DEMO: "0" });
    cut.key = first.key;
    await publish(first.pool, first.workspaceId, "hold");
    await eventually(async () => assert.equal(await actionOf(cut), "hold"));
    await gate.shut();
    await publish(first.pool, first.workspaceId, "block");
    assert.equal(await actionOf(cut), "hold", "it knows no better");
    await gate.open();
    await eventually(async () => assert.equal((await send(cut, "GET", "/ready")).status, 200), 20_000);
    await onceLooked(cut, async () => assert.equal(await actionOf(cut), "block"));
    const metrics = await (await fetch(cut.metricsUrl)).text();
    assert.match(metrics, /payinference_changes_copied_total\{kind="policy"\} \d+/);
    assert.doesNotMatch(metrics, /payinference_changes_missed_total [1-9]/);
  });

  it("a node that was away reads all changes, however many, before it is ready", () =>
    assertCatchesUp(20_000));

  it("a node that was away for longer than changes are kept starts empty, and uses nothing old", async () => {
    const service = await startTestService(CALM);
    const { pool, workspaceId } = service;
    await publish(pool, workspaceId, "hold");
    await pool.query(
      `insert into provider_overrides (workspace_id, provider, overrides)
       values ($1, 'provider_1', '[{"state":"critical","score":10,"payment_method":null,"currency":null}]')`,
      [idToHex(workspaceId)],
    );
    const other = await createKey(pool, workspaceId);
    const health = async (): Promise<unknown> => {
      const { json } = await decide(service);
      return (json["provider_health"] as Record<string, { state: string }>)["provider_1"]?.state;
    };
    await eventually(async () => {
      assert.equal((await decide(service, other)).json["action"], "hold");
      assert.equal(await health(), "critical");
    });
    await service.stop();
    await publish(pool, workspaceId, "block");
    await revokeKey(pool, other);
    await pool.query("delete from provider_overrides");
    await pool.query("insert into changes_dropped (changed_by) select max(changed_by) from changes");
    await pool.query("delete from changes");
    await service.start();
    assert.equal(await actionOf(service), "block");
    assert.equal((await decide(service, other)).status, 401);
    await eventually(async () => assert.notEqual(await health(), "critical"));
    await service.stop();
  });
});

describe("NODE-3: a node with no copies serves while it copies", () => {
  it("two nodes that start on empty replicas at once decide for every merchant from the first moment", () =>
    assertServesWhileCopying(20_000));
});
