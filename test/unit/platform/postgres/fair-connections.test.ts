import assert from "node:assert/strict";
import { describe, it } from "node:test";
import type { Pool, PoolClient } from "pg";
import { createFairConnections } from "../../../../src/platform/postgres/fair-connections.js";

const LONG_MS = 600_000;

/** Connections without a database, and the owners that hold one. */
function connectionsOf(options: { max: number; ownMax: number; waitMsMax?: number }) {
  let open = 0;
  let isAway = false;
  const pool = {
    connect() {
      if (isAway) return Promise.reject(new Error("away"));
      assert.ok(++open <= options.max, "the pool would make somebody wait");
      return Promise.resolve({ release: () => void open-- } as unknown as PoolClient);
    },
  } as unknown as Pick<Pool, "connect">;
  const connect = createFairConnections(pool, { waitMsMax: LONG_MS, ...options });
  const had: string[] = [];
  const held = new Map<string, PoolClient[]>();
  return {
    had,
    setAway: (away: boolean) => (isAway = away),
    connect,
    async ask(owner: string): Promise<void> {
      const client = await connect(owner);
      had.push(owner);
      held.set(owner, [...(held.get(owner) ?? []), client]);
    },
    async release(owner: string): Promise<void> {
      const client = held.get(owner)?.shift();
      assert.ok(client !== undefined, owner);
      client.release();
      await new Promise((resolve) => setImmediate(resolve));
    },
  };
}

describe("OPS-13: connections that owners have one after the other", () => {
  it("however many one owner holds and waits for, another has one at once", async () => {
    const { ask, had, release } = connectionsOf({ max: 3, ownMax: 2 });
    const slow = Array.from({ length: 5 }, () => ask("slow"));
    await Promise.all(slow.slice(0, 2));
    await ask("other");
    assert.deepEqual(had, ["slow", "slow", "other"]);
    for (let ended = 0; ended < 3; ended++) await release("slow");
    await Promise.all(slow);
  });

  it("waiting owners are served in turn, and no owner exceeds its own bound", async () => {
    const { ask, had, release } = connectionsOf({ max: 2, ownMax: 1 });
    await Promise.all([ask("a"), ask("b")]);
    for (const owner of ["a", "a", "b", "c"]) void ask(owner);
    await release("b");
    assert.deepEqual(had.splice(0), ["a", "b", "b"]);
    await release("b");
    await release("a");
    assert.deepEqual(had.splice(0), ["c", "a"]);
    await release("c");
    assert.deepEqual(had, [], "a holds one, and waits for its end");
    await release("a");
    assert.deepEqual(had, ["a"]);
  });

  it("an owner that waits too long is refused, and takes no connection then", async () => {
    const { ask, had, release, connect } = connectionsOf({ max: 1, ownMax: 1, waitMsMax: 20 });
    await ask("a");
    await assert.rejects(connect("a"), /too many requests wait for a connection/);
    await assert.rejects(connect("b"), /too many requests wait for a connection/);
    await release("a");
    await ask("b");
    assert.deepEqual(had, ["a", "b"]);
  });

  it("a connection that cannot be had gives its turn on", async () => {
    const { ask, had, release, setAway } = connectionsOf({ max: 1, ownMax: 1 });
    await ask("a");
    const [second, third] = [ask("b"), ask("c")];
    setAway(true);
    const failed = [assert.rejects(second, /away/), assert.rejects(third, /away/)];
    await release("a");
    await Promise.all(failed);
    setAway(false);
    await ask("a");
    assert.deepEqual(had, ["a", "a"]);
  });
});
