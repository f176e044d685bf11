import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { assertNothingLost, assertRepliesSurvive } from "../support/load/acknowledged.js";
import { startDecisionLoad } from "../support/load/decision-load.js";
import { cachedNodes } from "../support/service/nodes.js";
import { eventually } from "../support/service/service.js";
import { NO_VALKEY } from "../support/edge/valkey.js";

describe("DUR-1: nothing acknowledged is lost when all nodes are killed in turn", { skip: NO_VALKEY }, () => {
  it("keeps every acknowledged decision and reply across kill -9 and restart of each of three nodes under load", async (t) => {
    const { nodes } = await cachedNodes();
    const loads = nodes.map(({ url, key }) => startDecisionLoad({ url, key, ratePerSecond: 60 }));
    await eventually(async () => assert.ok(loads.every(({ keyed }) => keyed.size > 0)));
    for (const node of nodes) {
      await sleep(300);
      await node.killAndRestart();
    }
    await sleep(300);
    await Promise.all(loads.map((load) => load.stop()));
    const [first] = nodes;
    assert.ok(first !== undefined);
    await assertNothingLost(first.pool, loads);
    // Each node replays the answers of the others, even of a node that was killed after it answered.
    for (const [index, load] of loads.entries()) {
      await assertRepliesSurvive(nodes[(index + 1) % nodes.length] ?? first, load);
    }
    const acknowledged = loads.reduce((sum, load) => sum + load.acknowledged.size, 0);
    t.diagnostic(`${acknowledged} decisions acknowledged by three nodes around 3 kills, none lost`);
  });
});
