import assert from "node:assert/strict";
import { before, describe, it } from "node:test";
import { requestsCounted } from "../support/service/requests-counted.js";
import {
  decisionBody,
  eventually,
  send,
  startTestService,
  type RunningService,
} from "../support/service/service.js";
import { untilPasses } from "../support/waiting/eventually.js";
import { IS_TWO_NODES } from "../support/two-nodes-mode.js";

/** The run on two nodes relies on two facts: its requests reach both nodes, and the nodes share their records. */
const skip = IS_TWO_NODES ? false : "is of the run of two nodes (--two-nodes)";
const DECISIONS = 20;

let service: RunningService;
/** The number of decisions made so far. */
let decisions = 0;
before(async () => {
  if (skip === false) service = await startTestService({ RATE_LIMIT_PER_MINUTE: "0" });
});

const decide = (headers: Readonly<Record<string, string>> = {}) =>
  send(service, "POST", "/v1/decision", { body: decisionBody(), headers });
const decisionsOf = async (node: RunningService): Promise<number> =>
  (await requestsCounted(node)).get("/v1/decision") ?? 0;

describe("two nodes behind the edge are one service", { skip }, () => {
  it("IDEM-3, SET-5: consecutive requests go to the nodes in turn", async () => {
    const [first, second] = service.nodes as [RunningService, RunningService];
    // On a starved host the edge may miss a node's readiness, and ignore the node for some seconds.
    await untilPasses(async () => {
      let before = [await decisionsOf(first), await decisionsOf(second)];
      const turns: string[] = [];
      for (let i = 0; i < DECISIONS; i++) {
        assert.equal((await decide()).status, 200);
        decisions++;
        const after = [await decisionsOf(first), await decisionsOf(second)];
        turns.push(after.map((count, node) => count - (before[node] ?? 0)).join());
        before = after;
      }
      const [one, other] = turns[0] === "1,0" ? ["1,0", "0,1"] : ["0,1", "1,0"];
      assert.deepEqual(
        turns,
        Array.from({ length: DECISIONS }, (_, i) => (i % 2 === 0 ? one : other)),
      );
    });
  });

  it("IDEM-3, SET-5: the other node answers a repeated request with the same bytes", async () => {
    const first = await decide({ "idempotency-key": "in turn" });
    const again = await decide({ "idempotency-key": "in turn" });
    assert.equal(again.headers.get("idempotency-replayed"), "true");
    assert.equal(again.text, first.text);
  });

  it("each node stores the decisions that it has acknowledged", async () => {
    await eventually(async () => {
      const { rows } = await service.pool.query(
        "select count(*)::int as count from decisions where merchant_id = 'demo_merchant'",
      );
      assert.deepEqual(rows, [{ count: decisions + 1 }]);
    });
  });
});
