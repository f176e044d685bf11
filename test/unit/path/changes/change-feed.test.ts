import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { createChangeFeed } from "../../../../src/path/changes/change-feed.js";
import type {
  Change,
  ChangeCursor,
  ChangePage,
  ChangePosition,
} from "../../../../src/path/changes/change-queries.js";

const AWAY = new Error("PostgreSQL is away");
const cursor = (snapshot: string, source = "here"): ChangeCursor => ({ source, snapshot });
const change = (key: string): Change => ({ kind: "merchant", workspaceId: "ws_1", key });
const END: ChangePage = { changes: [], cursor: cursor("end"), after: null };

/** A feed over a database that the test simulates. `calls` lists all that the feed did, in order. */
function situation(held: ChangeCursor | null) {
  const calls: string[] = [];
  const world = { source: "here", isGood: true, pages: [] as ChangePage[], nowMs: 0, away: false };
  const answer = <T>(value: T): Promise<T> => (world.away ? Promise.reject(AWAY) : Promise.resolve(value));
  const feed = createChangeFeed({
    source: () => answer(world.source),
    now: (source) => answer(cursor("now", source)),
    isGood: () => answer(world.isGood),
    read(from: ChangeCursor, target: ChangeCursor | null, after: ChangePosition | null) {
      calls.push(`read ${from.snapshot} to ${target?.snapshot ?? "now"} behind ${after?.changeId ?? "none"}`);
      return answer(world.pages.shift() ?? END);
    },
    copy(changes) {
      calls.push(`copy ${changes.map(({ key }) => key).join(" ")}`);
      return answer(undefined);
    },
    copyAll(isFirst) {
      calls.push(isFirst ? "copy all, first of this run" : "copy all");
      return answer(undefined);
    },
    held: () => held,
    keep: ({ source, snapshot }) => void calls.push(`keep ${source} ${snapshot}`),
    sourceIntervalMs: 10,
    cursorIntervalMs: 1000,
    nowMs: () => world.nowMs,
  });
  const follow = async (): Promise<string[]> => {
    calls.length = 0;
    await feed.follow();
    return [...calls];
  };
  return { feed, follow, calls, world };
}

describe("NODE-3: a start with copies reads the changes since then; one without copies everything", () => {
  it("continues after its stored cursor", async () => {
    const { follow, world } = situation(cursor("kept"));
    world.pages = [{ changes: [change("a"), change("b")], cursor: cursor("later"), after: null }];
    assert.deepEqual(await follow(), ["read kept to now behind none", "copy a b", "keep here later"]);
    assert.deepEqual(await follow(), ["read later to now behind none"]);
  });

  it("takes its start before it copies, so that no change made meanwhile is missed", async () => {
    const { follow, world } = situation(null);
    const first = ["copy all, first of this run", "keep here now", "read now to now behind none"];
    assert.deepEqual(await follow(), first);
    world.pages = [{ changes: [change("a")], cursor: cursor("later"), after: null }];
    assert.deepEqual(await follow(), ["read end to now behind none", "copy a", "keep here later"]);
  });

  it("keeps the cursor behind the last page alone, each of which leads to the same moment", async () => {
    const { follow, world } = situation(cursor("kept"));
    const page = (key: string, changeId: string | null): ChangePage => ({
      changes: [change(key)],
      cursor: cursor("later"),
      after: changeId === null ? null : { changedBy: "7", changeId },
    });
    world.pages = [page("a", "1"), page("b", "2"), page("c", null)];
    assert.deepEqual(await follow(), [
      "read kept to now behind none",
      "copy a",
      "read kept to later behind 1",
      "copy b",
      "read kept to later behind 2",
      "copy c",
      "keep here later",
    ]);
  });
});

describe("NODE-4: gaps are noticed and healed", () => {
  it("a look that finds its changes dropped copies everything, and says whether it is the run's first", async () => {
    const { follow, world } = situation(cursor("kept"));
    world.isGood = false;
    const rest = ["keep here now", "read now to now behind none"];
    assert.deepEqual(await follow(), ["copy all, first of this run", ...rest]);
    world.nowMs += 10;
    assert.deepEqual(await follow(), ["copy all", ...rest]);
  });

  it("another database, or another of its histories, is another beginning", async () => {
    const { follow, world } = situation(cursor("kept"));
    await follow();
    world.source = "elsewhere";
    assert.deepEqual(await follow(), ["read end to now behind none"], "it is not asked for each time");
    world.nowMs += 10;
    assert.deepEqual(await follow(), ["copy all", "keep elsewhere now", "read now to now behind none"]);
  });

  it("a look that failed is made again from where it began, and asks which database it is", async () => {
    const { feed, follow, world } = situation(cursor("kept"));
    await follow();
    world.away = true;
    await assert.rejects(feed.follow(), AWAY);
    world.away = false;
    world.source = "elsewhere";
    assert.deepEqual((await follow())[0], "copy all");
  });

  it("a beginning that was interrupted is made again", async () => {
    const { feed, follow, world } = situation(null);
    world.away = true;
    await assert.rejects(feed.follow(), AWAY);
    world.away = false;
    assert.deepEqual((await follow()).slice(0, 2), ["copy all, first of this run", "keep here now"]);
  });

  it("the cursor is kept now and then where nothing changes, so that a start need not read from long ago", async () => {
    const { follow, world } = situation(cursor("kept"));
    await follow();
    world.nowMs = 1000;
    assert.deepEqual(await follow(), ["read end to now behind none", "keep here end"]);
  });
});
