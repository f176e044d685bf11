import assert from "node:assert/strict";
import { once } from "node:events";
import { describe, it } from "node:test";
import { Worker } from "node:worker_threads";
import { bodyHashOf, replyKey } from "../../../../src/path/idempotency/reply-store.js";
import { openJournal, type Journal, type JournalOptions } from "../../../../src/path/journal/journal.js";
import { compiled } from "../../../support/service/actor-parts.js";
import { closeLater } from "../../../support/closing.js";
import { temporaryDir } from "../../../support/postgres/postgres.js";

const MIB = 2 ** 20;

async function createJournal(
  changes: Partial<JournalOptions> = {},
): Promise<{ journal: Journal; options: JournalOptions }> {
  const options = { dataDir: await temporaryDir(), bytesMax: 64 * MIB, syncEveryCommit: false, ...changes };
  const journal = openJournal(options);
  closeLater(() => journal.close());
  return { journal, options };
}

const append = (journal: Journal, text: string): number =>
  journal.transaction(() => journal.append(Buffer.from(text), 1));
const texts = (journal: Journal, after = 0, bytesMax = Number.POSITIVE_INFINITY): string[] =>
  journal.readAfter(after, bytesMax).map(({ batch }) => batch.toString());

for (const syncEveryCommit of [false, true]) {
  describe(`journal, ${syncEveryCommit ? "synced on every commit" : "synced in intervals"}`, () => {
    it("reads entries oldest first, after a sequence, until enough bytes", async () => {
      const { journal } = await createJournal({ syncEveryCommit });
      assert.equal(journal.lastSequence(), 0);
      assert.deepEqual(journal.readAfter(0, MIB), []);
      const sequences = ["one", "two", "three", "four"].map((text) => append(journal, text));
      assert.deepEqual(sequences, [1, 2, 3, 4]);
      assert.deepEqual(texts(journal), ["one", "two", "three", "four"]);
      assert.deepEqual(texts(journal, 2), ["three", "four"]);
      assert.deepEqual(texts(journal, 0, 1), ["one"], "at least one");
      assert.deepEqual(texts(journal, 0, 5), ["one"]);
      assert.deepEqual(texts(journal, 0, 6), ["one", "two"]);
      assert.deepEqual(texts(journal, 4), []);
      await journal.sync();
    });

    it("removes through a sequence, and never gives one out again", async () => {
      const { journal, options } = await createJournal({ syncEveryCommit });
      for (const text of ["one", "two", "three"]) append(journal, text);
      journal.removeThrough(2);
      assert.deepEqual(texts(journal), ["three"]);
      journal.removeThrough(2);
      journal.removeThrough(3);
      assert.equal(journal.stats().entries, 0);
      assert.equal(journal.lastSequence(), 3);
      const reopened = openJournal(options);
      assert.equal(append(reopened, "four"), 4);
      await reopened.close();
      assert.deepEqual(texts(journal), ["four"]);
    });

    it("appends all of a transaction or nothing", async () => {
      const { journal } = await createJournal({ syncEveryCommit });
      const key = replyKey("ws_1", "test", "merchant_1", "key");
      append(journal, "before");
      assert.throws(() =>
        journal.transaction(() => {
          journal.append(Buffer.from("half"), 1);
          journal.replies.store([{ key, bodyHash: bodyHashOf("body"), reply: "reply" }], 0);
          throw new Error("the batch fails");
        }),
      );
      assert.deepEqual(texts(journal), ["before"]);
      assert.equal(
        journal.transaction(() => journal.replies.find(key, 1)),
        null,
      );
      assert.equal(append(journal, "after"), 2);
    });

    it("counts the bytes it holds, and frees them", async () => {
      const { journal } = await createJournal({ syncEveryCommit });
      for (let i = 0; i < 50; i++) append(journal, "x".repeat(10_000));
      const { entries, bytes } = journal.stats();
      assert.equal(entries, 50);
      assert.ok(bytes >= 500_000 && bytes < 1_000_000, `${bytes} bytes`);
      journal.removeThrough(50);
      assert.deepEqual(journal.stats(), { entries: 0, bytes: 0 });
    });
  });
}

describe("journal, shared by threads", () => {
  it("gives sequences in commit order, without a gap, a repeat, or a lost entry", async () => {
    const { journal, options } = await createJournal();
    const perThread = 500;
    const threads = ["a", "b"].map((name) => {
      const worker = new Worker(compiled("test/support/workers/journal-append-worker.js"), {
        workerData: { options, name, count: perThread },
      });
      return { name, appended: once(worker, "message") as Promise<[number[]]>, exited: once(worker, "exit") };
    });
    for (let i = 0; i < perThread; i++) append(journal, `main ${i}`);
    const bySequence = new Map<number, string>();
    for (const { name, appended, exited } of threads) {
      const [sequences] = await appended;
      for (const [i, sequence] of sequences.entries()) {
        assert.ok(i === 0 || sequence > (sequences[i - 1] as number), "grows in each thread");
        bySequence.set(sequence, `${name} ${i}`);
      }
      await exited;
    }
    const entries = journal.readAfter(0, Number.POSITIVE_INFINITY);
    assert.deepEqual(
      entries.map(({ sequence }) => sequence),
      Array.from({ length: 3 * perThread }, (_, i) => i + 1),
    );
    for (const { sequence, batch } of entries) {
      const expected = bySequence.get(sequence);
      if (expected !== undefined) assert.equal(batch.toString(), expected);
      else assert.match(batch.toString(), /^main /);
    }
    assert.equal(bySequence.size, 2 * perThread);
  });
});
