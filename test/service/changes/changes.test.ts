import assert from "node:assert/strict";
import { before, describe, it } from "node:test";
import fc from "fast-check";
import type { ClientBase, Pool } from "pg";
import { insertMerchant } from "../../../src/features/workspaces/queries/merchant.js";
import {
  dropOldChanges,
  isChangeCursorGood,
  readChangeCursor,
  readChanges,
  type Change,
  type ChangeCursor,
  type ChangePage,
} from "../../../src/path/changes/change-queries.js";
import { insertPolicy, publishPolicy } from "../../../src/features/policies/queries.js";
import { readDatabaseSource } from "../../../src/platform/postgres/database-source.js";
import { idToHex } from "../../../src/domain/ids/ids.js";
import { CHANGE_KINDS } from "../../../src/domain/vocabulary/vocabulary.js";
import { createTestDatabase, tenantsOf } from "../../support/postgres/postgres.js";
import { createKey, newId, revokeKey, setWorkspaceStatus } from "../../support/people/tenants.js";
import { insertWorkspace } from "../../../src/features/workspaces/queries/workspace.js";
import { eventually } from "../../support/waiting/eventually.js";

let pool: Pool;
let source: string;
before(async () => {
  ({ pool } = await createTestDatabase());
  source = await readDatabaseSource(pool);
});

const now = (): Promise<ChangeCursor> => readChangeCursor(pool, source);
const name = ({ kind, key }: Change): string => `${kind} ${key}`;

/** Runs one complete look: every page after `cursor`, up to the point that the first page saw. */
async function look(cursor: ChangeCursor): Promise<{ changes: Change[]; cursor: ChangeCursor }> {
  let page: ChangePage = await readChanges(pool, cursor);
  const target = page.cursor;
  const changes = [...page.changes];
  while (page.after !== null) {
    page = await readChanges(pool, cursor, target, page.after);
    changes.push(...page.changes);
  }
  return { changes, cursor: target };
}

/** The changes that nodes see while `work` runs. */
async function changesOf(workspaceId: string, work: () => Promise<unknown>): Promise<string[]> {
  const begun = await now();
  await work();
  const { changes } = await look(begun);
  assert.deepEqual(
    new Set(changes.map((change) => change.workspaceId)),
    new Set(changes.length > 0 ? [workspaceId] : []),
  );
  return changes.map(name);
}

async function newWorkspace(): Promise<string> {
  const workspaceId = newId("ws");
  await insertWorkspace(pool, { workspaceId, name: "W" });
  return workspaceId;
}

const POLICY = { name: "P", default_provider: null, rules: [] };

describe("NODE-1: each change is one row, and nothing else writes one", () => {
  it("holds for workspaces, merchants, policies and keys", async () => {
    const workspaceId = newId("ws");
    assert.deepEqual(
      await changesOf(workspaceId, async () => {
        await insertWorkspace(pool, { workspaceId, name: "W" });
        await insertMerchant(pool, { workspaceId, merchantId: "m" });
      }),
      ["workspace ", "merchant m"],
    );
    const tenant = tenantsOf(pool).of(workspaceId);
    const policy = { ...POLICY, policy_id: newId("pol") };
    const store = () => insertPolicy(tenant, workspaceId, "m", policy, false);
    assert.deepEqual(await changesOf(workspaceId, store), [], "a draft is nobody's business");
    const publish = () => publishPolicy(tenant, workspaceId, policy.policy_id);
    assert.deepEqual(await changesOf(workspaceId, publish), ["policy m"]);
    const replace = () =>
      insertPolicy(tenant, workspaceId, "m", { ...POLICY, policy_id: newId("pol") }, true);
    assert.deepEqual(await changesOf(workspaceId, replace), ["policy m", "policy m"], "one ends, one begins");

    const key = await createKey(pool, workspaceId);
    const changes = await changesOf(workspaceId, async () => {
      await pool.query("update api_keys set last_used_at = now()");
      await pool.query("update workspaces set name = 'another' where workspace_id = $1", [
        idToHex(workspaceId),
      ]);
    });
    assert.deepEqual(changes, [], "neither a key's use nor a name");
    const ended = await changesOf(workspaceId, async () => {
      await revokeKey(pool, key);
      await setWorkspaceStatus(pool, workspaceId, "suspended");
    });
    assert.equal(ended.length, 2);
    assert.match(String(ended[0]), /^api_key ./);
    assert.equal(ended[1], "workspace ");
  });

  it("holds for pins, prices, secrets and incidents, when tenants change them", async () => {
    const workspaceId = await newWorkspace();
    await insertMerchant(pool, { workspaceId, merchantId: "m" });
    const hex = idToHex(workspaceId);
    const tenant = tenantsOf(pool).of(workspaceId);
    const changes = await changesOf(workspaceId, async () => {
      await tenant.query(
        "insert into provider_overrides (workspace_id, provider, overrides) values ($1, 'p', '[]')",
        [hex],
      );
      await tenant.query("insert into merchant_prices (workspace_id, merchant_id) values ($1, 'm')", [hex]);
      await tenant.query(
        `insert into webhook_secrets (workspace_id, merchant_id, provider, secret_id, sealed, created_at)
         values ($1, 'm', 'p', gen_random_uuid(), '', now())`,
        [hex],
      );
      await tenant.query(
        `insert into provider_incidents (workspace_id, merchant_id, provider, incident_id, severity, is_open, changed_at, received_at)
         values ($1, 'm', 'p', '', 0, true, now(), now())`,
        [hex],
      );
    });
    assert.deepEqual(changes, ["pin p", "pricing m", "webhook_secret p/m", "incident "]);
    await assert.rejects(tenant.query("select from changes"), { code: "42501" });
  });
});

describe("no change is missed or read twice, in any order of commits", () => {
  const write = (client: Pick<ClientBase, "query">, workspaceId: string, key: string): Promise<unknown> =>
    client.query("insert into changes (workspace_id, kind, key) values ($1, $2, $3)", [
      idToHex(workspaceId),
      CHANGE_KINDS.indexOf("merchant"),
      key,
    ]);

  it("a transaction that begins first and commits last is read once", async () => {
    const workspaceId = await newWorkspace();
    const begun = await now();
    const early = await pool.connect();
    try {
      await early.query("begin");
      await write(early, workspaceId, "early");
      await write(pool, workspaceId, "late");
      const first = await look(begun);
      assert.deepEqual(first.changes.map(name), ["merchant late"], "it waits for nobody");
      await early.query("commit");
      const second = await look(first.cursor);
      assert.deepEqual(second.changes.map(name), ["merchant early"]);
      assert.deepEqual((await look(second.cursor)).changes, []);
    } finally {
      early.release();
    }
  });

  it("NODE-1: any interleaving of transactions and looks reads each change once", async () => {
    const workspaceId = await newWorkspace();
    const step = fc.oneof(
      fc.record({ act: fc.constantFrom("write", "commit", "abort"), of: fc.nat({ max: 3 }) }),
      fc.record({ act: fc.constant("look"), of: fc.constant(0) }),
    );
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 5, maxLength: 40 }), async (steps) => {
        const clients = await Promise.all([0, 1, 2, 3].map(() => pool.connect()));
        const open = new Map<number, string[]>();
        const committed: string[] = [];
        const readKeys: string[] = [];
        let written = 0;
        let cursor = await now();
        const see = async (): Promise<void> => {
          const looked = await look(cursor);
          ({ cursor } = looked);
          readKeys.push(...looked.changes.map(({ key }) => key));
        };
        try {
          for (const { act, of } of steps) {
            const client = clients[of] as ClientBase;
            if (act === "look") {
              await see();
              assert.deepEqual(readKeys.toSorted(), committed.toSorted());
            } else if (act === "write") {
              if (!open.has(of)) await client.query("begin");
              const key = String(written++).padStart(3, "0");
              open.set(of, [...(open.get(of) ?? []), key]);
              await write(client, workspaceId, key);
            } else if (open.has(of)) {
              await client.query(act === "commit" ? "commit" : "rollback");
              if (act === "commit") committed.push(...(open.get(of) ?? []));
              open.delete(of);
            }
          }
          await see();
          assert.deepEqual(readKeys.toSorted(), committed.toSorted());
        } finally {
          for (const client of clients) {
            await client.query("rollback");
            client.release();
          }
        }
      }),
      { numRuns: 40, seed: 29 },
    );
  });

  it("all pages are read, even while other transactions commit in between", async () => {
    const workspaceId = await newWorkspace();
    const begun = await now();
    await pool.query(
      "insert into changes (workspace_id, kind, key) select $1, 1, n::text from generate_series(1, 1200) n",
      [idToHex(workspaceId)],
    );
    const early = await pool.connect();
    await early.query("begin");
    await write(early, workspaceId, "early");
    await write(pool, workspaceId, "before the look");
    const first = await readChanges(pool, begun);
    assert.equal(first.changes.length, 500);
    await early.query("commit");
    early.release();
    await write(pool, workspaceId, "between the pages");
    const rest: Change[] = [];
    let { after } = first;
    while (after !== null) {
      const page: ChangePage = await readChanges(pool, begun, first.cursor, after);
      rest.push(...page.changes);
      ({ after } = page);
    }
    assert.equal(new Set([...first.changes, ...rest].map(({ key }) => key)).size, 1201);
    const { changes } = await look(first.cursor);
    assert.deepEqual(changes.map(({ key }) => key).toSorted(), ["between the pages", "early"]);
  });
});

/**
 * A change is dropped only when every transaction of the server sees it. Other tests have transactions open, so this
 * waits for them.
 */
const dropsOne = (pool: Pool): Promise<void> =>
  eventually(async () => assert.equal(await dropOldChanges(pool, 60), 1));

describe("NODE-4: dropped changes are noticed", () => {
  it("a cursor after the dropped changes continues; an older one compares everything", async () => {
    const { pool: own } = await createTestDatabase();
    const workspaceId = newId("ws");
    const before = await readChangeCursor(own, source);
    assert.equal(await isChangeCursorGood(own, before), true);
    await insertWorkspace(own, { workspaceId, name: "W" });
    const behind = await readChangeCursor(own, source);
    assert.equal(await dropOldChanges(own, 60), 0, "it is not old");
    await own.query("update changes set changed_at = now() - interval '2 minutes'");
    await dropsOne(own);
    assert.equal(await isChangeCursorGood(own, before), false);
    assert.equal(await isChangeCursorGood(own, behind), true);
    await insertMerchant(own, { workspaceId, merchantId: "m" });
    await own.query("update changes set changed_at = now() - interval '2 minutes'");
    await dropsOne(own);
    assert.equal(await isChangeCursorGood(own, behind), false, "what went first is remembered no longer");
  });

  it("a server that went back to before the cursor lacks the changes after it", async () => {
    const { snapshot } = await now();
    const [, xmax] = snapshot.split(":");
    const ahead = { source, snapshot: `${Number(xmax) + 1000}:${Number(xmax) + 1000}:` };
    assert.equal(await isChangeCursorGood(pool, ahead), false);
  });

  it("another database has another name, even if its snapshots look the same", async () => {
    const { pool: other } = await createTestDatabase();
    assert.notEqual(await readDatabaseSource(other), source);
    assert.equal(await readDatabaseSource(pool), source);
  });
});
