import assert from "node:assert/strict";
import { before, describe, it } from "node:test";
import { idToHex } from "../../../src/domain/ids/ids.js";
import { createDatabaseGate } from "../../support/postgres/database-gate.js";
import { onceLooked } from "../../support/service/once-looked.js";
import { eventually, send, startTestService, type RunningService } from "../../support/service/service.js";
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

let service: RunningService;
before(async () => {
  service = await startTestService(CALM);
});

describe("POL-13: no node uses a policy that was archived more than 5 s ago", () => {
  it("a node that was cut off applies the change once it is back, and reads only the missed changes", async () => {
    const { pool, workspaceId } = service;
    const gate = await createDatabaseGate(pool.options.connectionString as string);
    const cut = await startTestService({ ...CALM, DATABASE_URL: gate.url, DEMO: "0" });
    cut.key = service.key;
    await publish(pool, workspaceId, "hold");
    await eventually(async () => assert.equal(await actionOf(cut), "hold"));
    await gate.shut();
    await publish(pool, workspaceId, "block");
    assert.equal(await actionOf(cut), "hold", "it knows no better");
    await gate.open();
    await eventually(async () => assert.equal((await send(cut, "GET", "/ready")).status, 200), 20_000);
    await onceLooked(cut, async () => assert.equal(await actionOf(cut), "block"));
    const metrics = await (await fetch(cut.metricsUrl)).text();
    assert.match(metrics, /payinference_changes_copied_total\{kind="policy"\} \d+/);
    assert.doesNotMatch(metrics, /payinference_changes_missed_total [1-9]/);
    await cut.stop();
  });

  it("a node that was away reads all changes, however many, before it is ready", () =>
    assertCatchesUp(service, 20_000));

  it("a node that was away for longer than changes are kept starts empty, and uses nothing old", async () => {
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
  });

  it("even without a notification", async () => {
    const { pool, workspaceId } = service;
    await publish(pool, workspaceId, "hold");
    await eventually(async () => assert.equal(await actionOf(service), "hold"));
    // Stores the same row and the same change as a real publish. But no statement sends a notification.
    await pool.query("alter table policies disable trigger user");
    await publish(pool, workspaceId, "block");
    await fillFeed(pool, workspaceId, 1);
    await onceLooked(service, async () => assert.equal(await actionOf(service), "block"));
  });
});

describe("NODE-3: a node with no copies serves while it copies", () => {
  it("two nodes that start on empty replicas at once decide for every merchant from the first moment", () =>
    assertServesWhileCopying(service, 20_000));
});
