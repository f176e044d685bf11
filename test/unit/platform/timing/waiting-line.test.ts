import assert from "node:assert/strict";
import { describe, it } from "node:test";
import fc from "fast-check";
import { WaitingLine, type LineBounds } from "../../../../src/platform/timing/waiting-line.js";

interface Waiter {
  owner: string;
  weight: number;
  state: "waits" | "begun" | "refused" | "left";
}

/** A line, and the state of every place that was ever in it. */
function watched(bounds: LineBounds) {
  const line = new WaitingLine(bounds);
  const all: Waiter[] = [];
  const waiting = (): Waiter[] => all.filter(({ state }) => state === "waits");
  return {
    line,
    waiting,
    weightOf: (owner?: string): number =>
      waiting()
        .filter((waiter) => owner === undefined || waiter.owner === owner)
        .reduce((sum, { weight }) => sum + weight, 0),
    add(owner: string, weight = 1) {
      const waiter: Waiter = { owner, weight, state: "waits" };
      const become = (state: Waiter["state"]) => (): void => {
        assert.equal(waiter.state, "waits", `${state} after it was ${waiter.state}`);
        waiter.state = state;
      };
      const place = { begin: become("begun"), refuse: become("refused") };
      all.push(waiter);
      line.add(owner, place, weight);
      return {
        waiter,
        leave() {
          line.leave(owner, place);
          if (waiter.state === "waits") waiter.state = "left";
        },
      };
    },
  };
}

const statesOf = (added: readonly { waiter: Waiter }[]): string =>
  added.map(({ waiter }) => waiter.state).join();

describe("OPS-13: a line that serves owners in turn", () => {
  it("refuses the owner with the most places in favour of one with fewer, the newest place first", () => {
    const { add } = watched({ max: 4, ownMax: 4 });
    const noisy = Array.from({ length: 5 }, () => add("noisy"));
    assert.equal(statesOf(noisy), "waits,waits,waits,waits,refused");
    const quiet = ["b", "c", "d"].map((owner) => add(owner));
    assert.equal(statesOf(quiet), "waits,waits,waits");
    assert.equal(statesOf(noisy), "waits,refused,refused,refused,refused");
    assert.equal(statesOf([add("e")]), "refused", "all of them have as much");
  });

  it("refuses nobody where it could not make room enough", () => {
    const { add } = watched({ max: 10, ownMax: 10 });
    const before = [add("a", 3), add("a", 3), add("b", 2), add("c", 2)];
    assert.equal(statesOf([add("d", 5)]), "refused");
    assert.equal(statesOf(before), "waits,waits,waits,waits");
  });

  it("keeps the order of places that it could not take", () => {
    const { add, line, waiting } = watched({ max: 10, ownMax: 10 });
    const before = [...Array.from({ length: 8 }, () => add("a")), add("d", 2)];
    // The newcomer needs room for four. After two of a's places are gone, a has no more than d would have, so no
    // further place can be taken from a.
    assert.equal(statesOf([add("d", 4)]), "refused");
    const served: number[] = [];
    while (waiting().length > 0) {
      line.next()?.begin();
      served.push(before.findIndex(({ waiter }, at) => waiter.state === "begun" && !served.includes(at)));
    }
    assert.deepEqual(served, [0, 8, 1, 2, 3, 4, 5, 6, 7]);
  });

  it("one owner may have half of the line, rounded up, by default", () => {
    const { add } = watched({ max: 3 });
    assert.equal(statesOf([add("a"), add("a"), add("a")]), "waits,waits,refused");
  });

  it("a leaving owner gives up its place and its turn", () => {
    const { add, line } = watched({ max: 2, ownMax: 1 });
    const gone = add("a");
    gone.leave();
    gone.leave();
    const [other, again] = [add("b"), add("a")];
    line.next()?.begin();
    assert.equal(statesOf([gone, other, again]), "left,begun,waits");
    gone.leave();
    line.next()?.begin();
    assert.equal(statesOf([gone, other, again]), "left,begun,begun");
    assert.equal(line.next(), undefined);
  });

  it("an owner that may not begin yet keeps its turn, and its oldest place is known", () => {
    const { add, line } = watched({ max: 9 });
    const [first, second, other] = [add("a"), add("a"), add("b")];
    assert.equal(line.oldest("c"), undefined);
    const oldest = line.oldest("a");
    line.next((owner) => owner !== "a")?.begin();
    assert.equal(statesOf([first, second, other]), "waits,waits,begun");
    assert.equal(
      line.next(() => false),
      undefined,
    );
    add("b");
    assert.equal(line.next(), oldest);
    oldest?.begin();
    assert.equal(statesOf([first, second]), "begun,waits");
  });

  it("for any arrivals and departures: within its bounds, each owner in turn, and only the owner with the most is refused", () => {
    const owner = fc.constantFrom("a", "b", "c", "d");
    const step = fc.oneof(
      {
        weight: 4,
        arbitrary: fc.record({
          type: fc.constant("add" as const),
          owner,
          weight: fc.integer({ min: 1, max: 3 }),
        }),
      },
      { weight: 2, arbitrary: fc.constant({ type: "next" as const }) },
      { weight: 1, arbitrary: fc.record({ type: fc.constant("leave" as const), nth: fc.nat(50) }) },
    );
    const bounds = { max: 8, ownMax: 5 };
    fc.assert(
      fc.property(fc.array(step, { maxLength: 60 }), (steps) => {
        const { add, line, waiting, weightOf } = watched(bounds);
        const added: ReturnType<typeof add>[] = [];
        /**
         * For each owner, the owners served since its own last service. None of them may be served again while the
         * owner waits.
         */
        const servedSince = new Map<string, Set<string>>();
        for (const one of steps) {
          if (one.type === "add") {
            const before = waiting();
            const weights = new Map(["a", "b", "c", "d"].map((name) => [name, weightOf(name)]));
            const mine = (weights.get(one.owner) ?? 0) + one.weight;
            const newest = add(one.owner, one.weight);
            added.push(newest);
            for (const { owner: loser } of before.filter(({ state }) => state === "refused")) {
              assert.ok((weights.get(loser) ?? 0) > mine, `${loser} lost its place to one that has as much`);
            }
            if (newest.waiter.state === "refused" && mine <= bounds.ownMax) {
              assert.ok(weightOf() + one.weight > bounds.max, "refused though there is room");
            }
          } else if (one.type === "leave") added[one.nth]?.leave();
          else {
            const owners = new Set(waiting().map((waiter) => waiter.owner));
            const before = waiting();
            line.next()?.begin();
            const served = before.find(({ state }) => state === "begun")?.owner;
            assert.equal(served === undefined, owners.size === 0);
            if (served === undefined) continue;
            for (const name of owners) {
              const passedBy = servedSince.get(name) ?? new Set();
              assert.ok(
                name === served || !passedBy.has(served),
                `${served} was served twice before ${name}`,
              );
              servedSince.set(name, name === served ? new Set() : passedBy.add(served));
            }
          }
          const now = new Set(waiting().map((waiter) => waiter.owner));
          for (const name of servedSince.keys()) if (!now.has(name)) servedSince.delete(name);
          assert.ok(weightOf() <= bounds.max);
          for (const name of now) assert.ok(weightOf(name) <= bounds.ownMax);
        }
      }),
    );
  });
});
