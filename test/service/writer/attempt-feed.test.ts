import assert from "node:assert/strict";
import { before, describe, it } from "node:test";
import type { Pool } from "pg";
import { LIMITS } from "../../../src/domain/vocabulary/limits.js";
import { attemptTimesMs } from "../../../src/path/attempts/attempt-list.js";
import { orderAttemptKey } from "../../../src/path/attempts/attempt-store.js";
import type { Journal } from "../../../src/path/journal/journal.js";
import { createAttemptFeed } from "../../../src/path/writer/attempt-feed.js";
import { readAttempts } from "../../../src/path/writer/attempt-queries.js";
import { closeLater } from "../../support/closing.js";
import { createTestDatabase } from "../../support/postgres/postgres.js";
import { createDataDir } from "../../support/service/actor-parts.js";
import { eventually } from "../../support/waiting/eventually.js";

/** More than one page of rows. */
const ROWS = 120;
const NOW_MS = Date.now();

let pool: Pool;
before(async () => {
  ({ pool } = await createTestDatabase());
});

const keyOf = (order: string): Buffer => orderAttemptKey("ws_1", "test", "shop", order);

let made = 0;
/** An attempt as another node's writer stores it. */
async function store(order: string): Promise<void> {
  const id = Buffer.alloc(16);
  id.writeUIntBE(NOW_MS, 0, 6);
  id.writeUInt32BE(++made, 12);
  await pool.query("insert into order_attempts (attempts) values ($1)", [Buffer.concat([keyOf(order), id])]);
}

const countOf = (journal: Journal, order: string): number =>
  journal.reading(() => attemptTimesMs(journal.attempts.find(keyOf(order))).length);

/** A feed into `journal` that counts the rows it reads and the transactions it writes. */
function feedInto(journal: Journal, source = "a") {
  const counted = { rows: 0, transactions: 0 };
  const feed = createAttemptFeed({
    journal: {
      ...journal,
      transaction(write) {
        counted.transactions++;
        return journal.transaction(write);
      },
    },
    source: async () => source,
    async read(after) {
      const page = await readAttempts(pool, after, LIMITS.retryAttemptsWindowSeconds);
      counted.rows += page.attempts.length;
      return page;
    },
    dropOld: () => Promise.resolve(),
    onForgotten: () => assert.fail("nothing is too much"),
    now: Date.now,
  });
  closeLater(() => feed.end());
  return { feed, counted };
}

describe("RTRY-17: attempts of other nodes", () => {
  it("are all there once the feed has begun, page after page, and then follow", async () => {
    const { journal } = await createDataDir();
    for (let row = 0; row < ROWS; row++) await store(`order_${row % 40}`);
    const { feed, counted } = feedInto(journal);
    await feed.begin();
    assert.equal(counted.rows, ROWS);
    for (let order = 0; order < 40; order++) assert.equal(countOf(journal, `order_${order}`), 3);
    await store("later");
    await eventually(async () => assert.equal(countOf(journal, "later"), 1));
  });

  it("are not read again after a restart, and a feed that finds nothing writes nothing", async () => {
    const { journal } = await createDataDir();
    const first = feedInto(journal);
    await store("known");
    await first.feed.begin();
    await first.feed.end();
    const second = feedInto(journal);
    await second.feed.begin();
    assert.deepEqual(second.counted, { rows: 0, transactions: 0 });
    assert.equal(countOf(journal, "known"), 1);
  });

  it("are all read again in another database, and each counts once", async () => {
    const { journal } = await createDataDir();
    await store("restored");
    const before = feedInto(journal, "a");
    await before.feed.begin();
    await before.feed.end();
    const after = feedInto(journal, "b");
    await after.feed.begin();
    assert.equal(after.counted.rows, before.counted.rows);
    assert.equal(countOf(journal, "restored"), 1);
  });

  it("come with the next look where one failed", async () => {
    const { journal } = await createDataDir();
    await store("failed");
    let failures = 1;
    const feed = createAttemptFeed({
      journal,
      source: async () => "a",
      async read(after) {
        if (failures-- > 0) throw new Error("the connection broke");
        return readAttempts(pool, after, LIMITS.retryAttemptsWindowSeconds);
      },
      dropOld: () => Promise.resolve(),
      onForgotten: () => assert.fail("nothing is too much"),
      now: Date.now,
    });
    closeLater(() => feed.end());
    await feed.begin();
    assert.equal(countOf(journal, "failed"), 0);
    await eventually(async () => assert.equal(countOf(journal, "failed"), 1));
  });
});
