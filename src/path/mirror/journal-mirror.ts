import { MIRROR } from "../../domain/vocabulary/tuning/mirror.js";
import type { Journal } from "../journal/journal.js";
import type { MirrorGate } from "./mirror-signal.js";
import type { MirrorStore } from "./mirror-store.js";
import { packBatches, type MirrorEntry } from "./packed-batches.js";

export interface JournalMirrorOptions {
  journal: Pick<Journal, "readAfter" | "lastSequence" | "restore">;
  store: MirrorStore;
  /** The most entries that may wait for their answers. */
  entriesUnderWayMax: number;
  /** PostgreSQL's position in the writer's last report. Negative if it is not known yet. */
  position(): number;
  /** Called with the newest mirrored sequence. */
  onMirrored(sequence: number): void;
  /** Called with true when decisions may be acknowledged again, and with false when they no longer may. */
  onChange(isOpen: boolean): void;
  /**
   * Called if the stream has records that this disk lacks, because of a loss of power or because the disk is an older
   * copy.
   */
  onRestored(batches: number): void;
  /** Called with the error if records of the stream cannot be read, or cannot be written to this disk. */
  onRestoreError(error: unknown): void;
  /** Monotonic milliseconds. */
  now(): number;
}

export interface MirrorStats {
  /** The number of records that the journal has and the stream lacks. */
  lagRecords: number;
  /** The bytes that this process has sent to the stream and that PostgreSQL has not stored yet. */
  bytes: number;
  /** The number of batches whose answers wait for the stream. */
  batchesWaiting: number;
}

interface Waiter {
  sequence: number;
  deadlineMs: number;
  settle(isMirrored: boolean): void;
}

/**
 * Copies this node's journal to its stream in the shared cache, in order and without a gap. Up to `entriesUnderWayMax`
 * entries have no answer yet. The next entry has all batches that were committed meanwhile.
 *
 * A batch is committed to the journal, appended to the stream, and then answered. An answer that waits longer than
 * `waitMsMax` is 503. Its record stays in the journal, and is mirrored and stored like any other.
 *
 * | Event | `away` | `joining` | `open` |
 * |---|---|---|---|
 * | the cache answers where the stream ends | `joining` after that record | – | – |
 * | it has no stream | `joining` from the journal's oldest record | – | – |
 * | its stream ends after the journal | `joining`, when the journal has the rest | – | – |
 * | an answer waited for `waitMsMax` | 503 | 503 | `joining`; 503 |
 * | an entry is appended | – | `joining`; answers leave | `open`; answers leave |
 * | nothing is left to append | – | `open` | `open` |
 * | the stream ends elsewhere, or is gone (an append or `tend` finds it) | – | `joining`, asks again | `open`, asks again |
 * | an append fails, is late or lacks replicas | – | `away`; what waits is 503 | `away`; what waits is 503 |
 * | a batch is committed | waits; 503 after `waitMsMax` | waits | appended |
 * | another node takes the stream over | – | – | – |
 *
 * An append that seemed late may still have happened. The node then finds that the stream ends after that append, and
 * continues there.
 *
 * The last row is empty, because this mirror need not know of a takeover. A node that takes a stream over stores its
 * records after PostgreSQL's position, and moves the position in the same transaction. This node's writer then finds
 * the position moved (writer-actor.ts), and this mirror finds at most that its stream is gone. So a node that was only
 * frozen continues, and stores nothing twice.
 */
export class JournalMirror implements MirrorGate {
  readonly #options: JournalMirrorOptions;
  #state: "away" | "joining" | "open" = "away";
  /** True if the node knows where the stream ends. */
  #isJoined = false;
  /** The end of the stream, as far as the cache has confirmed it. Null if there is no stream. */
  #end: number | null = null;
  /** The end of the stream once every entry under way is appended. */
  #tail: number | null = null;
  #mirrored = 0;
  #isJoining = false;
  /** The number of entries that were sent and have no answer yet. */
  #underWay = 0;
  #waiters: Waiter[] = [];
  /** The entries that were sent and not dropped yet, the oldest first. */
  #sent: { through: number; bytes: number }[] = [];
  #trimmedThrough = 0;
  #onOpen: () => void = () => undefined;

  constructor(options: JournalMirrorOptions) {
    this.#options = options;
  }

  /** False if a decision would not be acknowledged now. */
  readonly isOpen = (): boolean => this.#state === "open";

  /** Sends the journal's new batches. Call it after each commit of a batch. */
  readonly wake = (): void => this.#pump();

  through(sequence: number): Promise<boolean> {
    if (sequence <= this.#mirrored) return Promise.resolve(true);
    return new Promise((resolve) => {
      const deadlineMs = this.#options.now() + MIRROR.waitMsMax;
      this.#waiters.push({ sequence, deadlineMs, settle: resolve });
      this.wake();
    });
  }

  /** Call this at intervals. It ends waits that take too long, and notices when the cache is back. */
  look(): void {
    const nowMs = this.#options.now();
    // More answers would only wait as long, for the stream is filled again and takes the newest records last.
    if (this.#settle(({ deadlineMs }) => deadlineMs < nowMs, false) && this.isOpen()) this.#become("joining");
    this.wake();
  }

  /** Resolves when the mirror is open, or after `patienceMs`. */
  started(patienceMs: number): Promise<void> {
    return new Promise((resolve) => {
      if (this.isOpen()) return resolve();
      const patience = setTimeout(resolve, patienceMs);
      this.#onOpen = () => {
        clearTimeout(patience);
        resolve();
      };
      this.wake();
    });
  }

  /**
   * Renews the node's lease, and drops from the stream what PostgreSQL has stored. The lease is renewed while the mirror
   * joins too: to fill a stream again may take longer than the lease lasts. If the cache has lost the stream, it is
   * filled again.
   */
  async tend(): Promise<void> {
    if (this.#state === "away") return;
    const { store } = this.#options;
    const tail = this.#tail;
    const found = await store.renew();
    if (!this.isOpen()) return;
    // While entries are under way, they notice by themselves if the stream is gone.
    const isIdle = this.#isJoined && this.#underWay === 0 && this.#tail === tail;
    if (isIdle && found !== null && (found.exists ? found.sequence : null) !== this.#end) {
      this.#isJoined = false;
      return this.#pump();
    }
    const position = Math.min(this.#options.position(), this.#end ?? 0);
    if (position <= this.#trimmedThrough) return;
    this.#trimmedThrough = position;
    this.#sent = this.#sent.filter(({ through }) => through > position);
    await store.trim(position);
  }

  stats(): MirrorStats {
    return {
      lagRecords: Math.max(0, this.#options.journal.lastSequence() - this.#mirrored),
      bytes: this.#sent.reduce((sum, { bytes }) => sum + bytes, 0),
      batchesWaiting: this.#waiters.length,
    };
  }

  #become(state: "away" | "joining" | "open"): void {
    const wasOpen = this.isOpen();
    this.#state = state;
    if (wasOpen !== this.isOpen()) this.#options.onChange(!wasOpen);
    if (this.isOpen()) this.#onOpen();
  }

  /** Returns false if no answer is due. */
  #settle(isDue: (waiter: Waiter) => boolean, isMirrored: boolean): boolean {
    const due = this.#waiters.filter(isDue);
    if (due.length === 0) return false;
    this.#waiters = this.#waiters.filter((waiter) => !isDue(waiter));
    for (const waiter of due) waiter.settle(isMirrored);
    return true;
  }

  #noteMirrored(sequence: number): void {
    if (sequence <= this.#mirrored) return;
    this.#mirrored = sequence;
    this.#options.onMirrored(sequence);
    this.#settle((waiter) => waiter.sequence <= sequence, true);
  }

  #fail(): void {
    this.#isJoined = false;
    this.#become("away");
    this.#settle(() => true, false);
  }

  /** Sends what can be sent. Call it whenever that may have changed. */
  #pump(): void {
    if (this.#isJoining) return;
    if (!this.#options.store.isUp()) return this.#fail();
    if (this.#isJoined) while (this.#underWay < this.#options.entriesUnderWayMax && this.#send());
    // The end of the stream is certain only once every entry under way has its answer.
    else if (this.#underWay === 0) void this.#join();
  }

  async #join(): Promise<void> {
    this.#isJoining = true;
    try {
      if (!(await this.#findEnd())) return this.#fail();
    } finally {
      this.#isJoining = false;
    }
    this.#pump();
  }

  /** Finds the end of the stream. Returns false if it must be tried again. */
  async #findEnd(): Promise<boolean> {
    const { journal, store } = this.#options;
    const found = await store.join();
    if (found === null) return false;
    const isBehind = found.sequence > journal.lastSequence();
    if (isBehind && !(await this.#restoreThrough(found.sequence))) return false;
    this.#end = found.exists ? found.sequence : null;
    this.#tail = this.#end;
    this.#sent = [];
    this.#trimmedThrough = 0;
    this.#isJoined = true;
    if (this.#state === "away") this.#become("joining");
    if (this.#end !== null) this.#noteMirrored(this.#end);
    return true;
  }

  /**
   * Copies from the node's own stream into the journal the batches that the journal lacks. Returns false if it must be
   * tried again.
   */
  async #restoreThrough(sequence: number): Promise<boolean> {
    const { journal, store, onRestored, onRestoreError } = this.#options;
    try {
      let restored = 0;
      for (;;) {
        const missing = await store.after(journal.lastSequence());
        if (missing === null) return false;
        const last = missing.at(-1);
        if (last === undefined) break;
        journal.restore(missing, last.sequence);
        restored += missing.length;
      }
      journal.restore([], sequence);
      onRestored(restored);
      return true;
    } catch (error) {
      onRestoreError(error);
      return false;
    }
  }

  /** Sends one entry. Returns false if nothing is left. */
  #send(): boolean {
    const { journal } = this.#options;
    // Read the last sequence before the entries. Records up to it that the journal no longer has are in PostgreSQL.
    const last = journal.lastSequence();
    const [first, ...others] = journal
      .readAfter(this.#tail ?? 0, MIRROR.entryBytesMax)
      .slice(0, MIRROR.entryBatchesMax);
    if (first === undefined) {
      if (this.#underWay > 0) return false;
      this.#noteMirrored(last);
      this.#become("open");
      return false;
    }
    void this.#append(packBatches([first, ...others]));
    return true;
  }

  async #append(entry: MirrorEntry): Promise<void> {
    const after = this.#tail;
    this.#tail = entry.through;
    this.#underWay++;
    const appended = await this.#options.store.append(after, entry);
    this.#underWay--;
    if (appended === "ok") {
      this.#end = entry.through;
      this.#sent.push({ through: entry.through, bytes: entry.packed.length });
      this.#noteMirrored(entry.through);
    } else if (appended === "failed") this.#fail();
    else this.#isJoined = false;
    this.#pump();
  }
}
