import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { setImmediate as turn } from "node:timers/promises";
import { createNodeCopies } from "../../../../src/path/changes/node-copies.js";
import type { Change, ChangePage } from "../../../../src/path/changes/change-queries.js";
import { openReplica } from "../../../../src/path/replica/replica.js";
import { TUNING } from "../../../../src/domain/vocabulary/tuning.js";
import { closeLater } from "../../../support/closing.js";
import { temporaryDir } from "../../../support/postgres/postgres.js";
import { recordCopies } from "../../../support/rows/record-copies.js";

/**
 * A node whose changes the test announces. `sweeps` counts its sweeps of old changes, and `merchants` are the pages
 * that it copied.
 */
async function createNode() {
  const replica = openReplica(await temporaryDir());
  closeLater(() => replica.close());
  const nothing = () => recordCopies(new Map(), new Map()).kind;
  const merchants = recordCopies(new Map(), new Map());
  const world = { sweeps: 0, changes: [] as Change[] };
  const cursor = { source: "here", snapshot: "1:1:" };
  const copies = createNodeCopies({
    kinds: {
      workspace: nothing(),
      pin: nothing(),
      webhook_secret: nothing(),
      api_key: nothing(),
      merchant: merchants.kind,
    },
    incidentsChanged: () => undefined,
    feed: {
      source: async () => "here",
      now: async () => cursor,
      isGood: async () => true,
      read: async (): Promise<ChangePage> => ({ changes: world.changes.splice(0), cursor, after: null }),
    },
    dropOldChanges: async () => world.sweeps++,
    replica,
    forget: async () => undefined,
    isReachable: () => true,
    announce: () => undefined,
    isServing: () => false,
    onCopied: () => undefined,
    onCaughtUp: () => undefined,
    onCopyingAll: () => undefined,
    onDifferences: () => undefined,
    onSkipped: (_kind, _record, error) => assert.fail(String(error)),
    onError: (error) => assert.fail(String(error)),
  });
  return { copies, world, pages: merchants.pages };
}

const changeOf = (key: string): Change => ({ kind: "policy", workspaceId: "ws_1", key });

describe("NODE-3: a node's copies", () => {
  it("a start that is made again, since a later step of it failed, works no more than one", async (t) => {
    t.mock.timers.enable({ apis: ["setInterval"] });
    const { copies, world } = await createNode();
    await copies.start();
    await copies.start();
    t.mock.timers.tick(TUNING.changesSweepIntervalMs);
    for (let turns = 0; turns < 20; turns++) await turn();
    assert.equal(world.sweeps, 1);
    await copies.close();
  });

  it("changes of one kind are copied together, in pages; a node that stops copies no more", async () => {
    const { copies, world, pages } = await createNode();
    await copies.start();
    const count = TUNING.recordsCopiedAtOnce + 1;
    world.changes = Array.from({ length: count }, (_, n) => changeOf(`m${n}`));
    copies.wake();
    for (let turns = 0; turns < 20; turns++) await turn();
    assert.deepEqual(
      pages.map((page) => page.length),
      [TUNING.recordsCopiedAtOnce, 1],
    );
    await copies.close();
    await assert.rejects(copies.applyChangesNow([changeOf("late")]));
    assert.equal(pages.length, 2);
  });
});
