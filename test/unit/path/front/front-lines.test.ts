import assert from "node:assert/strict";
import { afterEach, describe, it, mock, type TestContext } from "node:test";
import { setImmediate as nextTurn, setTimeout as sleep } from "node:timers/promises";
import type { Grant } from "../../../../src/path/access/grant.js";
import type { ApiError } from "../../../../src/platform/http/api-error.js";
import type { Exchange } from "../../../../src/platform/http/exchange.js";
import { withFrontLines } from "../../../../src/path/front/front-lines.js";
import { createQueue, createSlices, createTurns, type Line } from "../../../../src/platform/http/line.js";
import type { PublicRoute, Route, ScopedRoute } from "../../../../src/path/front/route.js";
import { LIMITS } from "../../../../src/domain/vocabulary/limits.js";
import { TUNING } from "../../../../src/domain/vocabulary/tuning.js";

const LARGE = " ".repeat(LIMITS.smallBodyBytesMax + 1);
const GRANT: Grant = { actor: "key", workspaceId: "workspace", mode: "test", merchantScope: null };

/** Ends the work that a test left waiting. Each such work would otherwise keep the process alive for half a second. */
const endings: (() => void)[] = [];
afterEach(() => {
  mock.restoreAll();
  endings.splice(0).forEach((end) => end());
});

/** One route with a separate line. Its handlers end when the test says so. */
function line(part: Pick<ScopedRoute, "bodyBytesMax" | "line">) {
  const begun: string[] = [];
  const failures: ApiError[] = [];
  let isOver = false;
  const ends = new Map<string, { resolve: () => void; reject: (error: Error) => void }>();
  const route: ScopedRoute = {
    method: "POST",
    onRepeat: "again",
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
  const [inLine] = withFrontLines([route]) as [ScopedRoute];
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

  it("a request that waits for PostgreSQL for ever gives way", async () => {
    const { ask, until } = line({ bodyBytesMax: LIMITS.largeBodyBytesMax });
    void ask("stuck", LARGE);
    void ask("next", LARGE);
    await until("next");
  });

  it("a request that fails answers its caller, and the next one begins", async () => {
    const { ask, fail, until } = line({ bodyBytesMax: LIMITS.largeBodyBytesMax });
    const failing = ask("failing", LARGE);
    void ask("next", LARGE);
    fail("failing", new Error("a bug"));
    await assert.rejects(failing, /a bug/);
    await until("next");
  });

  it("a request whose peer has gone meanwhile is not begun", async () => {
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
    for (let i = 0; i <= TUNING.largeBodiesWaitingMax / 2; i++) void ask(`${i}`, LARGE);
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
    const { ask, failures } = line({ bodyBytesMax: null, line: "turns" });
    for (let i = 0; i <= TUNING.turnsWaitingMax / 2; i++) void ask(`${i}`, "");
    assert.deepEqual(failures, []);
    await ask("one more", "");
    assert.deepEqual(
      failures.map(({ kind }) => kind),
      ["unavailable"],
    );
  });

  it("work on a stored policy takes turns without a body", async () => {
    const { ask, begun, end, until } = line({ bodyBytesMax: null, line: "turns" });
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

/** Routes whose work lasts either a whole slice or no time at all. */
function slices() {
  const begun: string[] = [];
  const failures: ApiError[] = [];
  let isOver = false;
  endings.push(() => (isOver = true));
  // Work takes as long as its name says, even if the host pauses this process.
  let nowMs = 0;
  mock.method(performance, "now", () => nowMs);
  const work = (name: string): void => {
    begun.push(name);
    if (!isOver && name.startsWith("long")) nowMs += TUNING.sliceMs;
  };
  const draft: ScopedRoute = {
    method: "POST",
    onRepeat: "again",
    path: "/draft",
    access: { scope: "policy:read" },
    bodyBytesMax: LIMITS.largeBodyBytesMax,
    line: "slices",
    handle: (_exchange, _grant, [name = ""]) => work(name),
  };
  const document: PublicRoute = {
    method: "GET",
    path: "/document",
    access: "public",
    line: "slices",
    handle: (_exchange, [name = ""]) => work(name),
  };
  const inLines = withFrontLines([draft, document] satisfies Route[]) as [ScopedRoute, PublicRoute];
  const exchange = (done: boolean): Exchange =>
    ({ done, fail: (error: ApiError) => failures.push(error) }) as unknown as Exchange;
  return {
    begun,
    failures,
    ask: (name: string, { body = "", done = false } = {}) =>
      Promise.resolve(inLines[0].handle(exchange(done), GRANT, [name], body)),
    askPublic: (name: string) => Promise.resolve(inLines[1].handle(exchange(false), [name])),
  };
}

describe("requests that cost more than a decision have slices of time", () => {
  it("requests run one after the other until the slice is over; then the rest waits", async () => {
    const { ask, begun } = slices();
    const asked = ["short a", "short b", "long a", "short c", "long b", "short d"].map((name) => ask(name));
    assert.deepEqual(begun, ["short a", "short b", "long a"]);
    await asked[3];
    assert.deepEqual(begun.slice(3), ["short c", "long b"]);
    await Promise.all(asked);
    assert.deepEqual(begun.slice(5), ["short d"]);
  });

  it("other work comes between two slices", async () => {
    const { ask, begun } = slices();
    const begunCounts: number[] = [];
    const watching = setInterval(() => begunCounts.push(begun.length), 0);
    await Promise.all(Array.from({ length: 10 }, (_, i) => ask(`long ${i}`)));
    clearInterval(watching);
    assert.deepEqual(new Set(begunCounts), new Set([1, 2, 3, 4, 5, 6, 7, 8, 9]));
  });

  it("a request whose peer has gone meanwhile is not begun", async () => {
    const { ask, begun } = slices();
    await Promise.all([ask("long"), ask("gone", { done: true }), ask("short")]);
    assert.deepEqual(begun, ["long", "short"]);
  });

  it("a request that fails answers its caller, and the next one begins", async () => {
    const route: ScopedRoute = {
      method: "GET",
      path: "/failing",
      access: { scope: "health:read" },
      bodyBytesMax: null,
      line: "slices",
      handle: (_exchange, _grant, [name]) => {
        if (name === "failing") throw new Error("a bug");
      },
    };
    const [inLine] = withFrontLines([route]) as [ScopedRoute];
    const exchange = { done: false } as unknown as Exchange;
    const handle = async (name: string): Promise<void> => inLine.handle(exchange, GRANT, [name], "");
    await assert.rejects(handle("failing"), /a bug/);
    await handle("next");
  });

  it("the line has an end: 503", async () => {
    const { ask, failures } = slices();
    void ask("long");
    for (let i = 0; i < TUNING.slicesWaitingMax / 2; i++) void ask(`${i}`);
    assert.deepEqual(failures, []);
    await ask("one more");
    assert.deepEqual(
      failures.map(({ kind }) => kind),
      ["unavailable"],
    );
  });

  it("requests without a key delay none that needs a key", async () => {
    const { ask, askPublic, begun } = slices();
    void askPublic("long a");
    void askPublic("long b");
    void ask("with a key");
    assert.deepEqual(begun, ["long a", "with a key"]);
  });

  it("a large body takes its turn instead", async () => {
    const { ask, begun } = slices();
    void ask("large a", { body: LARGE });
    void ask("large b", { body: LARGE });
    void ask("small");
    assert.deepEqual(begun, ["large a", "small"]);
  });
});

/** A line in which somebody else has the turn until `end`. `ask` resolves to `done` or `refused`. */
function taken(line: Line) {
  const begun: string[] = [];
  let end = (): void => undefined;
  const never = (): void => assert.fail("the first has its turn at once");
  void line("somebody", () => new Promise<void>((resolve) => (end = resolve)), never);
  endings.push(() => end());
  return {
    begun,
    async ask(owner: string, name = owner): Promise<"done" | "refused"> {
      let result: "done" | "refused" = "done";
      await line(
        owner,
        () => void begun.push(name),
        () => (result = "refused"),
      );
      return result;
    },
    end: () => end(),
  };
}

/**
 * Large bodies, webhooks among them, and stored policies wait for turns. Texts to translate wait in a queue that counts
 * their length.
 */
const LINES: Readonly<Record<string, (places: number) => Line>> = {
  "turns of the front thread": createTurns,
  "texts to translate": (places) => {
    const queue = createQueue(places * TUNING.translationCharsMin);
    return (owner, work, refuse) => queue(owner, TUNING.translationCharsMin, work, refuse);
  },
};

for (const [name, create] of Object.entries(LINES)) {
  describe(`OPS-13: the order of waiting requests: ${name}`, () => {
    it("each workspace has its turn, however many of another's wait", async () => {
      const { ask, begun, end } = taken(create(20));
      const asked = ["a 1", "a 2", "a 3", "b 1", "a 4", "c 1", "b 2"].map((one) => ask(one.slice(0, 1), one));
      end();
      await Promise.all(asked);
      assert.deepEqual(begun, ["a 1", "b 1", "c 1", "a 2", "b 2", "a 3", "a 4"]);
    });

    it("one workspace has half of the places, and a full line makes room for an owner with fewer", async () => {
      const { ask, begun, end } = taken(create(4));
      const asked = ["a 1", "a 2", "a 3", "b 1", "b 2", "c 1", "d 1", "e 1"].map((one) =>
        ask(one.slice(0, 1), one),
      );
      end();
      // `a 3` is more than a's half of the places. `c 1` and `d 1` take the places of `a 2` and `b 2`. Then each owner
      // has one place, so `e 1` gets none.
      assert.deepEqual(await Promise.all(asked), [
        "done",
        "refused",
        "refused",
        "done",
        "refused",
        "done",
        "done",
        "refused",
      ]);
      assert.deepEqual(begun, ["a 1", "b 1", "c 1", "d 1"]);
      assert.equal(await ask("a"), "done");
    });

    it("a request that fails answers its caller, and the next one begins", async () => {
      const line = create(4);
      const failing = line("a", () => Promise.reject(new Error("a bug")), notRefused);
      const next = line("a", () => undefined, notRefused);
      await assert.rejects(failing, /a bug/);
      await next;
    });
  });
}

function notRefused(): void {
  assert.fail("there is a place for it");
}

describe("the front thread is left alone for as long as it worked", () => {
  /**
   * Runs work of `workMs` on the test's own clock, with more work waiting behind it. Lets each of `passedMs` pass, and
   * returns whether the waiting work had then begun.
   */
  async function begunAfter(
    t: TestContext,
    line: Line,
    workMs: number,
    ...passedMs: number[]
  ): Promise<boolean[]> {
    t.mock.timers.enable({ apis: ["setTimeout"] });
    let nowMs = 0;
    mock.method(performance, "now", () => nowMs);
    let hasBegun = false;
    await line("a", () => void (nowMs += workMs), notRefused);
    const next = line("a", () => void (hasBegun = true), notRefused);
    // A promise ends the turn of the first work.
    await nextTurn();
    const answers = passedMs.map((ms) => {
      t.mock.timers.tick(ms);
      return hasBegun;
    });
    await next;
    return answers;
  }

  it("it rests after a turn", async (t) => {
    assert.deepEqual(await begunAfter(t, createTurns(4), 30, 29, 1), [false, true]);
  });

  it("it rests after a turn that was too long, for no longer than a turn may be", async (t) => {
    const { turnMsMax } = TUNING;
    assert.deepEqual(await begunAfter(t, createTurns(4), turnMsMax + 1, turnMsMax - 1, 1), [false, true]);
  });

  it("it rests after a slice", async (t) => {
    const workMs = TUNING.sliceMs + 7;
    assert.deepEqual(await begunAfter(t, createSlices(4), workMs, workMs - 1, 1), [false, true]);
  });
});

describe("OPS-13: the order of waiting requests: slices of the front thread", () => {
  it("a full line makes room for an owner with fewer places", async () => {
    let nowMs = 0;
    mock.method(performance, "now", () => nowMs);
    const line = createSlices(4);
    const results: string[] = [];
    const ask = (owner: string): Promise<void> =>
      line(
        owner,
        () => void results.push(owner),
        () => void results.push(`${owner} is refused`),
      );
    const first = line(
      "somebody",
      () => void (nowMs += TUNING.sliceMs),
      () => undefined,
    );
    await Promise.all([first, ...["a", "a", "a", "b", "b", "c"].map(ask)]);
    assert.deepEqual(results, ["a is refused", "a is refused", "a", "b", "c", "b"]);
  });
});
