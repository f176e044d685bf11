import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { createAggregateCache } from "../../../../src/features/decisions/aggregate-cache.js";
import type { DecisionScope } from "../../../../src/domain/vocabulary/decision-scope.js";

const SCOPE: DecisionScope = { workspaceId: "ws_a", mode: "live", merchantScope: null };

/** An aggregate cache with a clock and writes that the test moves. It counts how often the aggregate was computed. */
function setUp() {
  const world = { nowMs: 0, writes: 0, computed: 0, isAway: false, during: () => undefined as void };
  const ask = createAggregateCache({
    aggregate: async () => {
      world.during();
      return world.isAway ? "unavailable" : { json: JSON.stringify({ total: ++world.computed }) };
    },
    writes: () => world.writes,
    now: () => world.nowMs,
  });
  const sourceOf = async (scope = SCOPE): Promise<string> => {
    const answer = await ask(scope);
    if (typeof answer === "string") return answer;
    const { source, total } = JSON.parse(answer.json) as { source: string; total: number };
    return `${source} ${total}`;
  };
  return { world, sourceOf };
}

describe("the aggregate's cache", () => {
  it("AGG-5: lives at most 5 s", async () => {
    const { world, sourceOf } = setUp();
    assert.equal(await sourceOf(), "live 1");
    world.nowMs = 4999;
    assert.equal(await sourceOf(), "cache 1");
    world.nowMs = 5000;
    assert.equal(await sourceOf(), "live 2");
  });

  it("AGG-5: is skipped after a write of this node, also one that came while it was computed", async () => {
    const { world, sourceOf } = setUp();
    await sourceOf();
    world.writes++;
    world.during = () => void world.writes++;
    assert.equal(await sourceOf(), "live 2");
    assert.equal(await sourceOf(), "live 3");
  });

  it("keeps workspaces, modes and merchants apart", async () => {
    const { sourceOf } = setUp();
    await sourceOf();
    assert.equal(await sourceOf({ ...SCOPE, workspaceId: "ws_b" }), "live 2");
    assert.equal(await sourceOf({ ...SCOPE, mode: "test" }), "live 3");
    assert.equal(await sourceOf({ ...SCOPE, merchantScope: "shop_a" }), "live 4");
    assert.equal(await sourceOf(), "cache 1");
  });

  it("does not keep that PostgreSQL is away", async () => {
    const { world, sourceOf } = setUp();
    world.isAway = true;
    assert.equal(await sourceOf(), "unavailable");
    world.isAway = false;
    assert.equal(await sourceOf(), "live 1");
  });
});
