import assert from "node:assert/strict";
import { afterEach, describe, it } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import type { Grant } from "../../../src/auth/grant.js";
import type { ApiError } from "../../../src/http/api-error.js";
import type { Exchange } from "../../../src/http/exchange.js";
import { withLargeBodyLine } from "../../../src/http/large-body-line.js";
import type { ScopedRoute } from "../../../src/http/route.js";
import { LIMITS } from "../../../src/shared/limits.js";

const LARGE = " ".repeat(LIMITS.smallBodyBytesMax + 1);
const GRANT: Grant = { actor: "key", workspaceId: "workspace", mode: "test", merchantScope: null };

/** Ends what a test has left waiting, which would hold the process for half a second each. */
const endings: (() => void)[] = [];
afterEach(() => endings.splice(0).forEach((end) => end()));

/** One route in a line of its own, with handlers that end when they are told to. */
function line(part: Pick<ScopedRoute, "bodyBytesMax" | "readsStoredPolicy">) {
  const begun: string[] = [];
  const failures: ApiError[] = [];
  let isOver = false;
  const ends = new Map<string, { resolve: () => void; reject: (error: Error) => void }>();
  const route: ScopedRoute = {
    method: "POST",
    path: "/large",
    access: { scope: "policy:write" },
    ...part,
    handle(_exchange, _grant, [name = ""]) {
      begun.push(name);
      if (isOver) return undefined;
      return new Promise((resolve, reject) => ends.set(name, { resolve, reject }));
    },
  };
  endings.push(() => {
    isOver = true;
    for (const { resolve } of ends.values()) resolve();
  });
  const [inLine] = withLargeBodyLine([route]) as [ScopedRoute];
  return {
    begun,
    failures,
    ask(name: string, body: string, done = false): Promise<void> {
      const exchange = { done, fail: (error: ApiError) => failures.push(error) };
      return Promise.resolve(inLine.handle(exchange as unknown as Exchange, GRANT, [name], body));
    },
    end: (name: string) => ends.get(name)?.resolve(),
    fail: (name: string, error: Error) => ends.get(name)?.reject(error),
    async until(name: string): Promise<void> {
      while (!begun.includes(name)) await sleep(1);
    },
  };
}

describe("large bodies take turns", () => {
  it("the next one begins once the one before is answered", async () => {
    const { ask, begun, end, until } = line({ bodyBytesMax: LIMITS.largeBodyBytesMax });
    const asked = ["a", "b", "c"].map((name) => ask(name, LARGE));
    await sleep(20);
    assert.deepEqual(begun, ["a"]);
    end("a");
    await until("b");
    await sleep(20);
    assert.deepEqual(begun, ["a", "b"]);
    end("b");
    await until("c");
    end("c");
    await Promise.all(asked);
  });

  it("one that waits for PostgreSQL for ever gives way", async () => {
    const { ask, until } = line({ bodyBytesMax: LIMITS.largeBodyBytesMax });
    void ask("stuck", LARGE);
    void ask("next", LARGE);
    await until("next");
  });

  it("one that fails tells its caller, and the next one begins", async () => {
    const { ask, fail, until } = line({ bodyBytesMax: LIMITS.largeBodyBytesMax });
    const failing = ask("failing", LARGE);
    void ask("next", LARGE);
    fail("failing", new Error("a bug"));
    await assert.rejects(failing, /a bug/);
    await until("next");
  });

  it("one whose peer has gone meanwhile is not begun", async () => {
    const { ask, begun, end, until } = line({ bodyBytesMax: LIMITS.largeBodyBytesMax });
    void ask("a", LARGE);
    const gone = ask("gone", LARGE, true);
    void ask("c", LARGE);
    end("a");
    await until("c");
    await gone;
    assert.deepEqual(begun, ["a", "c"]);
  });

  it("the line has an end: 503", async () => {
    const { ask, failures } = line({ bodyBytesMax: LIMITS.largeBodyBytesMax });
    for (let i = 0; i <= LIMITS.largeBodiesWaitingMax; i++) void ask(`${i}`, LARGE);
    assert.deepEqual(failures, []);
    await ask("one more", LARGE);
    assert.deepEqual(
      failures.map(({ kind }) => kind),
      ["unavailable"],
    );
  });

  it("small bodies of the same routes pass by", () => {
    const { ask, begun } = line({ bodyBytesMax: LIMITS.largeBodyBytesMax });
    for (const [name, body] of [
      ["a", LARGE],
      ["b", LARGE],
      ["c", LARGE.slice(1)],
    ] as const)
      void ask(name, body);
    assert.deepEqual(begun, ["a", "c"]);
  });

  it("more may wait without a body than with a large one, and that line has an end, too", async () => {
    const { ask, failures } = line({ bodyBytesMax: null, readsStoredPolicy: true });
    for (let i = 0; i <= LIMITS.storedPoliciesWaitingMax; i++) void ask(`${i}`, "");
    assert.deepEqual(failures, []);
    await ask("one more", "");
    assert.deepEqual(
      failures.map(({ kind }) => kind),
      ["unavailable"],
    );
  });

  it("what works on a stored policy takes turns without a body", async () => {
    const { ask, begun, end, until } = line({ bodyBytesMax: null, readsStoredPolicy: true });
    void ask("a", "");
    void ask("b", "");
    assert.deepEqual(begun, ["a"]);
    end("a");
    await until("b");
  });

  it("other routes take none", () => {
    const { ask, begun } = line({ bodyBytesMax: LIMITS.smallBodyBytesMax });
    void ask("a", LARGE);
    void ask("b", LARGE);
    assert.deepEqual(begun, ["a", "b"]);
  });
});
