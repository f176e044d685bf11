import assert from "node:assert/strict";
import { describe, it } from "node:test";
import fc from "fast-check";
import { MIRROR } from "../../../../src/domain/vocabulary/tuning/mirror.js";
import type { JournalEntry } from "../../../../src/path/journal/journal.js";
import { JournalMirror } from "../../../../src/path/mirror/journal-mirror.js";
import type { Appended, MirrorStore } from "../../../../src/path/mirror/mirror-store.js";
import { packBatches, unpackBatches, type MirrorEntry } from "../../../../src/path/mirror/packed-batches.js";
import { createDataDir } from "../../../support/service/actor-parts.js";

/** A stream as Valkey stores it. The test sets the network's effect on the next answers. */
function memoryStream() {
  let entries: { through: number; batches: JournalEntry[] }[] | null = null;
  let end = 0;
  const network = {
    isUp: true,
    losesAnswers: false,
    failsBefore: false,
    failsNext: 0,
    isHeld: false,
    appends: 0,
    renewals: 0,
  };
  /** The entries that are under way while the network is held, the oldest first. */
  const held: (() => void)[] = [];
  const take = (after: number | null, { through, packed }: MirrorEntry): Appended => {
    if (network.failsNext-- > 0 || network.failsBefore) return "failed";
    if ((entries === null ? null : end) !== after) return "elsewhere";
    end = through;
    entries = [...(entries ?? []), { through, batches: unpackBatches(packed) }];
    return network.losesAnswers ? "failed" : "ok";
  };
  const store: MirrorStore = {
    isUp: () => network.isUp,
    join: () => Promise.resolve(network.failsBefore ? null : { exists: entries !== null, sequence: end }),
    append(after, entry) {
      network.appends++;
      if (!network.isHeld) return Promise.resolve(take(after, entry));
      return new Promise((answer) => held.push(() => answer(take(after, entry))));
    },
    renew() {
      network.renewals++;
      return store.join();
    },
    trim(position) {
      entries = entries?.filter(({ through }) => through > position) ?? null;
      return Promise.resolve();
    },
    after: (sequence) =>
      Promise.resolve(
        (entries ?? [])
          .filter(({ through }) => through > sequence)
          .slice(0, MIRROR.entriesReadMax)
          .flatMap(({ batches }) => batches)
          .filter((one) => one.sequence > sequence),
      ),
  };
  return {
    store,
    network,
    /** Lets what is under way arrive. */
    release(): void {
      network.isHeld = false;
      for (const arrive of held.splice(0)) arrive();
    },
    /** Simulates a Valkey that restarts without data. */
    lose(): void {
      entries = null;
      end = 0;
    },
    /** Simulates another node that stored everything and then removed the stream. */
    forget(): void {
      entries = null;
    },
    sequences: (): number[] =>
      (entries ?? []).flatMap(({ batches }) => batches.map(({ sequence }) => sequence)),
  };
}

async function setUp() {
  const { journal } = await createDataDir();
  const stream = memoryStream();
  const clock = { ms: 0 };
  const changes: boolean[] = [];
  const restored: number[] = [];
  const restoreErrors: unknown[] = [];
  let position = 0;
  const mirror = new JournalMirror({
    journal,
    store: stream.store,
    entriesUnderWayMax: MIRROR.entriesUnderWayMax,
    position: () => position,
    onMirrored: () => undefined,
    onChange: (isOpen) => changes.push(isOpen),
    onRestored: (batches) => restored.push(batches),
    onRestoreError: (error) => restoreErrors.push(error),
    now: () => clock.ms,
  });
  const commit = (): number =>
    journal.transaction(() => journal.append(Buffer.from(`batch ${Math.random()}`), 1));
  /** Stores up to this record as the writer does, so the journal drops it. */
  const drain = (through: number): void => {
    position = through;
    journal.removeThrough(through);
  };
  return {
    journal,
    stream,
    mirror,
    clock,
    changes,
    restored,
    restoreErrors,
    commit,
    drain,
    position: () => position,
  };
}

/** Waits until everything under way has ended. */
const settled = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 2));

describe("the mirror's state machine", () => {
  it("DUR-17: an answer leaves once the stream has its batch, and not before", async () => {
    const { mirror, stream, commit } = await setUp();
    const first = commit();
    const answer = mirror.through(first);
    assert.deepEqual(stream.sequences(), [], "nothing is there yet");
    assert.equal(await answer, true);
    assert.deepEqual(stream.sequences(), [1]);
    await settled();
    assert.ok(mirror.isOpen());
  });

  it("batches that are committed while two entries are under way share the next one", async () => {
    const { mirror, stream, commit } = await setUp();
    await mirror.through(commit());
    await settled();
    const before = stream.network.appends;
    const answers = Array.from({ length: 50 }, () => mirror.through(commit()));
    assert.ok((await Promise.all(answers)).every(Boolean));
    assert.equal(stream.network.appends - before, MIRROR.entriesUnderWayMax + 1);
    assert.deepEqual(
      stream.sequences(),
      Array.from({ length: 51 }, (_, at) => at + 1),
    );
  });

  it("DUR-24: an entry that follows one that failed is not appended, and both are sent again", async () => {
    const { mirror, stream, commit } = await setUp();
    await mirror.through(commit());
    await settled();
    stream.network.failsNext = 1;
    const answers = [mirror.through(commit()), mirror.through(commit())];
    assert.deepEqual(await Promise.all(answers), [false, false]);
    await settled();
    assert.deepEqual(stream.sequences(), [1, 2, 3]);
    assert.ok(mirror.isOpen());
  });

  it("DUR-24: the end of the stream is asked for only when no entry is under way any more", async () => {
    const { mirror, stream, commit } = await setUp();
    await mirror.through(commit());
    await settled();
    const { append, join } = stream.store;
    let answerLate: (appended: Appended) => void = () => undefined;
    let asked = 0;
    stream.store.join = () => {
      asked++;
      return join();
    };
    stream.store.append = () => new Promise((resolve) => (answerLate = resolve));
    const second = mirror.through(commit());
    stream.store.append = () => Promise.resolve("failed");
    assert.equal(await mirror.through(commit()), false);
    assert.equal(await second, false);
    mirror.look();
    await settled();
    assert.equal(asked, 0);
    stream.store.append = append;
    answerLate("failed");
    await settled();
    assert.equal(asked, 1);
    assert.deepEqual(stream.sequences(), [1, 2, 3]);
  });

  it("DUR-19: while the cache is away a wait ends, and the mirror is closed until the stream has everything", async () => {
    const { mirror, stream, commit, changes } = await setUp();
    await mirror.through(commit());
    await settled();
    stream.network.isUp = false;
    assert.equal(await mirror.through(commit()), false);
    assert.equal(mirror.isOpen(), false);
    stream.network.isUp = true;
    mirror.look();
    await settled();
    assert.deepEqual(stream.sequences(), [1, 2], "what was 503 is mirrored all the same");
    assert.ok(mirror.isOpen());
    assert.deepEqual(changes, [true, false, true]);
  });

  it("DUR-19: a wait whose entry hangs ends in time", async () => {
    const { mirror, stream, commit, clock } = await setUp();
    await mirror.through(commit());
    await settled();
    stream.store.append = () => new Promise(() => undefined);
    const answer = mirror.through(commit());
    clock.ms += MIRROR.waitMsMax + 1;
    mirror.look();
    assert.equal(await answer, false);
  });

  it("DUR-24: an append whose answer was lost is not appended again", async () => {
    const { mirror, stream, commit } = await setUp();
    await mirror.through(commit());
    stream.network.losesAnswers = true;
    assert.equal(await mirror.through(commit()), false);
    stream.network.losesAnswers = false;
    assert.equal(await mirror.through(commit()), true);
    assert.deepEqual(stream.sequences(), [1, 2, 3]);
  });

  it("DUR-24: a stream that is gone is filled again from the oldest record that PostgreSQL lacks", async () => {
    const { mirror, stream, commit, drain } = await setUp();
    for (let i = 0; i < 4; i++) await mirror.through(commit());
    drain(2);
    stream.lose();
    assert.equal(await mirror.through(commit()), true);
    assert.deepEqual(stream.sequences(), [3, 4, 5]);
  });

  it("DUR-25: an older disk gets the stream's records back, and continues after them", async () => {
    const { mirror, stream, commit, journal, restored } = await setUp();
    await mirror.through(commit());
    // Simulates a loss of power: the stream has three records that the disk has lost.
    const lostOf = (sequence: number): JournalEntry => ({ sequence, batch: Buffer.from(`lost ${sequence}`) });
    assert.equal(await stream.store.append(1, packBatches([lostOf(2), lostOf(3), lostOf(4)])), "ok");
    stream.network.isUp = false;
    await mirror.through(99);
    stream.network.isUp = true;
    mirror.look();
    await settled();
    assert.deepEqual(restored, [3]);
    assert.deepEqual(
      journal.readAfter(1, 1e6).map(({ batch }) => batch.toString()),
      ["lost 2", "lost 3", "lost 4"],
    );
    assert.equal(commit(), 5);
  });

  it("DUR-25: a stream that cannot be read keeps the mirror closed, and ends nothing", async () => {
    const { mirror, stream, restoreErrors, restored } = await setUp();
    await stream.store.append(null, packBatches([{ sequence: 3, batch: Buffer.from("lost") }]));
    const { after } = stream.store;
    const unreadable = new TypeError("the mirror's entry 3-0 has another format");
    stream.store.after = () => Promise.reject(unreadable);
    mirror.look();
    await settled();
    assert.deepEqual([mirror.isOpen(), restoreErrors], [false, [unreadable]]);
    stream.store.after = after;
    mirror.look();
    await settled();
    assert.deepEqual([mirror.isOpen(), restored], [true, [1]]);
  });

  it("DUR-25: of a stream that was stored and forgotten only the end is known, and the node continues after it", async () => {
    const { mirror, stream, commit, journal } = await setUp();
    const other = { sequence: 7, batch: Buffer.from("stored by another node") };
    await stream.store.append(null, packBatches([other]));
    stream.forget();
    mirror.look();
    await settled();
    assert.equal(journal.lastSequence(), 7);
    assert.equal(await mirror.through(commit()), true);
    assert.deepEqual(stream.sequences(), [8]);
  });

  it("DUR-21: records that PostgreSQL has stored leave the stream", async () => {
    const { mirror, stream, commit, drain } = await setUp();
    for (let i = 0; i < 4; i++) await mirror.through(commit());
    await settled();
    assert.ok(mirror.stats().bytes > 0);
    drain(3);
    await mirror.tend();
    assert.deepEqual(stream.sequences(), [4]);
    drain(4);
    await mirror.tend();
    assert.deepEqual(mirror.stats(), { lagRecords: 0, bytes: 0, batchesWaiting: 0 });
  });

  it("DUR-22: a node that fills its stream again keeps its lease, and one whose cache is away does not ask for it", async () => {
    const { mirror, stream, commit } = await setUp();
    const { network } = stream;
    network.isHeld = true;
    commit();
    mirror.look();
    await settled();
    await mirror.tend();
    assert.deepEqual([mirror.isOpen(), network.renewals], [false, 1]);
    network.isUp = false;
    mirror.look();
    await mirror.tend();
    assert.deepEqual([mirror.isOpen(), network.renewals], [false, 1]);
  });

  it("DUR-24: an idle node notices that the cache has lost its stream, and fills it again", async () => {
    const { mirror, stream, commit, changes } = await setUp();
    for (let i = 0; i < 3; i++) await mirror.through(commit());
    await settled();
    stream.lose();
    await mirror.tend();
    await settled();
    assert.deepEqual(stream.sequences(), [1, 2, 3]);
    assert.deepEqual(changes, [true], "it was soon done, so no answer had to be refused");
  });

  it("DUR-19: while a stream takes long to fill again, decisions are refused at once, not after a wait", async () => {
    const { mirror, stream, commit, clock } = await setUp();
    await mirror.through(commit());
    await settled();
    stream.lose();
    stream.network.isHeld = true;
    const answer = mirror.through(commit());
    clock.ms += MIRROR.waitMsMax + 1;
    mirror.look();
    assert.deepEqual([await answer, mirror.isOpen()], [false, false]);
    stream.release();
    await settled();
    mirror.look();
    await settled();
    assert.deepEqual([mirror.isOpen(), stream.sequences()], [true, [1, 2]]);
  });

  it("DUR-25: a disk that lacks more than one read of its stream gets all of it back", async () => {
    const { mirror, stream, journal, restored } = await setUp();
    const lost = 3 * MIRROR.entriesReadMax + 1;
    for (let sequence = 1; sequence <= lost; sequence++) {
      const entry = packBatches([{ sequence, batch: Buffer.from(`lost ${sequence}`) }]);
      await stream.store.append(sequence === 1 ? null : sequence - 1, entry);
    }
    mirror.look();
    await settled();
    const back = journal.readAfter(0, Number.POSITIVE_INFINITY).map(({ batch }) => batch.toString());
    assert.deepEqual(
      back,
      Array.from({ length: lost }, (_, index) => `lost ${index + 1}`),
    );
    assert.deepEqual([mirror.isOpen(), restored, journal.lastSequence()], [true, [lost], lost]);
  });

  it("DUR-17, DUR-24: with any network faults, the stream has every acknowledged record that PostgreSQL lacks, once and in order", async () => {
    const step = fc.constantFrom(
      "commit",
      "commit",
      "commit three",
      "hold",
      "release",
      "drain",
      "cut",
      "lose the answers",
      "fail",
      "fail once",
      "heal",
      "empty",
      "forget",
    );
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 5, maxLength: 40 }), async (steps) => {
        const { mirror, stream, journal, commit, drain, position } = await setUp();
        const { network } = stream;
        const answers: Promise<void>[] = [];
        const ask = (): void => {
          const sequence = commit();
          const noteAnswer = (isMirrored: boolean): void => {
            if (!isMirrored) return;
            const there = stream.sequences();
            const missing = sequencesBetween(position(), sequence).filter((one) => !there.includes(one));
            assert.deepEqual(missing, [], `acknowledged through ${sequence}, stored through ${position()}`);
          };
          answers.push(mirror.through(sequence).then(noteAnswer));
        };
        for (const name of steps) {
          if (name === "commit") ask();
          else if (name === "commit three") for (let i = 0; i < 3; i++) ask();
          else if (name === "hold") network.isHeld = true;
          else if (name === "release") stream.release();
          else if (name === "drain") {
            drain(journal.lastSequence());
            await mirror.tend();
          } else if (name === "cut") network.isUp = false;
          else if (name === "lose the answers") network.losesAnswers = true;
          else if (name === "fail") network.failsBefore = true;
          else if (name === "fail once") network.failsNext = 1;
          else if (name === "heal")
            Object.assign(network, { isUp: true, losesAnswers: false, failsBefore: false, failsNext: 0 });
          else if (name === "empty") stream.lose();
          else if (position() >= (stream.sequences().at(-1) ?? 0)) stream.forget();
          mirror.look();
          await settled();
          const there = stream.sequences();
          assert.deepEqual(
            there,
            [...new Set(there)].toSorted((a, b) => a - b),
          );
        }
        Object.assign(network, { isUp: true, losesAnswers: false, failsBefore: false, failsNext: 0 });
        stream.release();
        await settled();
        mirror.look();
        await Promise.all(answers);
        assert.equal(await mirror.through(commit()), true, "it always comes back");
      }),
      { numRuns: 60 },
    );
  });
});

const sequencesBetween = (after: number, through: number): number[] =>
  Array.from({ length: Math.max(0, through - after) }, (_, at) => after + 1 + at);
