import assert from "node:assert/strict";
import { before, describe, it } from "node:test";
import type { Pool } from "pg";
import { listenToChanges } from "../../../src/path/changes/change-listener.js";
import { insertMerchant } from "../../../src/features/workspaces/queries/merchant.js";
import { createDatabaseGate } from "../../support/postgres/database-gate.js";
import { createTestDatabase } from "../../support/postgres/postgres.js";
import { eventually } from "../../support/service/service.js";
import { newId } from "../../support/people/tenants.js";
import { insertWorkspace } from "../../../src/features/workspaces/queries/workspace.js";

let pool: Pool;
let url: string;
before(async () => {
  ({ pool, url } = await createTestDatabase());
});

const registerMerchant = async (): Promise<void> => {
  const workspaceId = newId("ws");
  await insertWorkspace(pool, { workspaceId, name: "New" });
  await insertMerchant(pool, { workspaceId, merchantId: "m" });
};

describe("a publish reaches every node, even one whose connection died silently", () => {
  it("POL-13: a change wakes the listeners; a hanging connection is replaced, and then all are woken", async () => {
    const gate = await createDatabaseGate(url);
    let woken = 0;
    const listener = listenToChanges({ connectionString: gate.url, onChange: () => woken++ });
    await eventually(async () => assert.equal(woken, 1, "by the connection itself"));
    await registerMerchant();
    await eventually(async () => assert.ok(woken >= 2));
    const before = woken;
    await gate.stall();
    await registerMerchant();
    await gate.open();
    await eventually(async () => assert.ok(woken > before), 20_000);
    const remade = woken;
    await registerMerchant();
    await eventually(async () => assert.ok(woken > remade));
    await listener.close();
  });
});

describe("OPS-7: a stop leaves no connection behind", () => {
  it("a listener that is closed while it connects disappears at once, and reports nothing", async () => {
    const gate = await createDatabaseGate(url);
    let woken = 0;
    const listener = listenToChanges({ connectionString: gate.url, onChange: () => woken++ });
    await listener.close();
    await eventually(async () => assert.deepEqual(gate.connections(), { taken: 1, open: 0 }));
    assert.equal(woken, 0);
  });
});
