import assert from "node:assert/strict";
import { beforeEach, before, describe, it } from "node:test";
import { ALERT_KIND_ROWS } from "../../../src/domain/vocabulary/alert-kinds.js";
import { createNodeAlerts } from "../../../src/features/alerts/node-alerts.js";
import { storeNodeWord } from "../../../src/features/alerts/node-alert-writer.js";
import { listAlerts, listPlatformAlerts, type Alert } from "../../../src/features/alerts/queries.js";
import { closeLater } from "../../support/closing.js";
import { newId } from "../../support/people/tenants.js";
import { createTestDatabase, tenantsOf, type TestDatabase } from "../../support/postgres/postgres.js";
import { eventually } from "../../support/service/service.js";

let database: TestDatabase;
before(async () => {
  database = await createTestDatabase();
});
beforeEach(async () => {
  await database.pool.query("delete from alerts; delete from alert_nodes");
});

const nextId = (): string => newId("alr").slice(4);

interface Node {
  /** Whether the node's clock is off. */
  isOff: boolean;
  /** Whether the node reaches PostgreSQL. */
  reaches: boolean;
  end(): void;
  /** Resolves once PostgreSQL has a report that the node made after the call. */
  stored(): Promise<void>;
}

function startNode(nodeId: string, state: { isOff?: boolean; reaches?: boolean } = {}): Node {
  const words = { begun: 0, stored: 0 };
  const node = { isOff: false, reaches: true, ...state };
  const alerts = createNodeAlerts({
    nodeId,
    causes: { clock: () => node.isOff },
    async store(word) {
      const begun = ++words.begun;
      await storeNodeWord(database.pool, word, nextId);
      words.stored = begun;
    },
    isReachable: () => node.reaches,
    now: Date.now,
    onError: (error) => assert.fail(String(error)),
  });
  alerts.start();
  closeLater(() => Promise.resolve(alerts.close()));
  return Object.assign(node, {
    end: alerts.close,
    stored() {
      const { begun } = words;
      return eventually(() => Promise.resolve(assert.ok(words.stored > begun)));
    },
  });
}

const all = (): Promise<Alert[]> => listPlatformAlerts(database.pool, newId("ws"));
const open = async (): Promise<Alert[]> => (await all()).filter(({ closedAt }) => closedAt === null);
const becomesOpen = (count: number): Promise<void> =>
  eventually(async () => assert.equal((await open()).length, count));

describe("ALRT-14: alerts of causes that nodes report about themselves", () => {
  it("ALRT-14: the first node opens the alert, no other opens a second one, and the last one closes it", async () => {
    const [first, second, third] = [startNode("first"), startNode("second"), startNode("third")];
    await Promise.all([first, second, third].map((node) => node.stored()));
    assert.deepEqual(await all(), []);
    const startedMs = Date.now();
    first.isOff = true;
    await becomesOpen(1);
    const [opened] = await open();
    assert.ok(opened !== undefined && opened.openedAt.getTime() >= startedMs);
    const { severity, reasonCode } = ALERT_KIND_ROWS.clock;
    const { kind, provider, segmentKey } = opened;
    assert.deepEqual(
      [kind, opened.severity, opened.reasonCode, provider, segmentKey],
      ["clock", severity, reasonCode, null, null],
    );
    const workspaceId = newId("ws");
    assert.deepEqual(
      await listAlerts(tenantsOf(database.pool).of(workspaceId), workspaceId, "live"),
      [],
      "a workspace sees none",
    );

    const secondStored = second.stored();
    second.isOff = true;
    await secondStored;
    const firstStored = first.stored();
    first.isOff = false;
    await firstStored;
    assert.deepEqual(await all(), [opened]);
    second.isOff = false;
    await becomesOpen(0);
    assert.equal((await all()).length, 1);
  });

  it("ALRT-14: no alert opens while PostgreSQL is away; its return stores the causes that still hold, with their start times", async () => {
    const node = startNode("away", { reaches: false });
    const other = startNode("there");
    node.isOff = true;
    await other.stored();
    assert.deepEqual(await all(), []);
    const backMs = Date.now();
    node.reaches = true;
    await becomesOpen(1);
    assert.ok(((await open())[0] as Alert).openedAt.getTime() <= backMs);
  });

  it("ALRT-14: a node that restarts without the cause closes the alert that it had opened", async () => {
    const node = startNode("restarted", { isOff: true });
    await becomesOpen(1);
    node.end();
    startNode("restarted");
    await becomesOpen(0);
  });

  it("ALRT-14: a node that is silent for 5 minutes holds no alert, and opens one when it reports again", async () => {
    const silent = startNode("silent", { isOff: true });
    await becomesOpen(1);
    silent.end();
    const word = { kinds: ["clock"], heldSinceMs: new Map(), atMs: Date.now() } as const;
    await storeNodeWord(database.pool, { nodeId: "other", ...word }, nextId);
    await becomesOpen(1);
    await database.pool.query("update alert_nodes set confirmed_at = now() - interval '6 minutes'");
    // A node of an earlier build does not know the kind and leaves the alert alone.
    await storeNodeWord(database.pool, { nodeId: "earlier", ...word, kinds: [] }, nextId);
    await becomesOpen(1);
    await storeNodeWord(database.pool, { nodeId: "other", ...word }, nextId);
    await becomesOpen(0);
    startNode("silent", { isOff: true });
    await becomesOpen(1);
  });

  it("ALRT-14: with many nodes writing at once, repeatedly, the alert is open exactly while a node has the cause", async () => {
    const word = { kinds: ["clock"], atMs: Date.now() } as const;
    const held = new Map([["clock", Date.now()]] as const);
    for (let round = 0; round < 20; round++) {
      await Promise.all(
        Array.from({ length: 8 }, (_, i) =>
          storeNodeWord(
            database.pool,
            { nodeId: `node_${i % 4}`, ...word, heldSinceMs: (i + round) % 3 === 0 ? held : new Map() },
            nextId,
          ),
        ),
      );
      const { rowCount } = await database.pool.query("select from alert_nodes");
      assert.equal((await open()).length, rowCount === 0 ? 0 : 1);
    }
  });
});
