import { MIRROR } from "../../domain/vocabulary/tuning/mirror.js";
import type { Journal } from "../journal/journal.js";
import type { MirrorGate } from "./mirror-signal.js";
import type { MirrorStore } from "./mirror-store.js";

export interface JournalMirrorOptions {
  journal: Pick<Journal, "readAfter" | "lastSequence" | "restore">;
  store: MirrorStore;
  /** PostgreSQL's position in the writer's last report. Below 0 while it is not known. */
  position(): number;
  /** Called with the newest mirrored sequence. */
  onMirrored(sequence: number): void;
  /** Called when decisions may be acknowledged again, or no more. */
  onChange(isOpen: boolean): void;
  /**
   * Called when the stream had records that this disk lacked: after a loss of power, or if the disk is an older copy.
   */
  onRestored(batches: number): void;
  /** Called with the error if this disk accepts nothing from the stream. */
  onDiskError(error: unknown): void;
  /** Monotonic milliseconds. */
  now(): number;
}

export interface MirrorStats {
  /** The records that are in the journal and not in the stream. */
  lagRecords: number;
  /** The bytes of the stream that this process has sent and PostgreSQL has not stored yet. */
  bytes: number;
  /** The batches whose answers wait for the stream. */
  batchesWaiting: number;
}

interface Waiter {
  sequence: number;
  deadlineMs: number;
  settle(isMirrored: boolean): void;
}

/**
 * Copies this node's journal to its stream in the shared cache, in order and without a hole. Only one entry is under
 * way at a time, and the next one has all batches committed since then.
 *
 * A batch is committed to the journal, appended to the stream, and then answered. An answer that waits longer than
 * `waitMsMax` is 503; its record stays in the journal, and is mirrored and stored like any other.
 *
 * | Event | `away` | `joining` | `open` |
 * |---|---|---|---|
 * | the cache answers where the stream ends | `joining` after that record | – | – |
 * | it has no stream | `joining` from the journal's oldest record | – | – |
 * | its stream ends after the journal | `joining`, once the journal has the rest | – | – |
 * | an entry is appended | – | `joining`; answers leave | `open`; answers leave |
 * | nothing is left to append | – | `open` | `open` |
 * | the stream ends elsewhere, or is gone | – | `joining`, asks again | `open`, asks again |
 * | an append fails, is late or lacks replicas | – | `away`; what waits is 503 | `away`; what waits is 503 |
 * | a batch is committed | waits, 503 in time | waits | appended |
 * | another node takes the stream over | – | – | – |
 *
 * An append that was late may have happened. The node then finds the stream's end after that append, and continues from
 * there.
 *
 * The last line explains why nodes need no fence. A node that takes over stores the stream's records after PostgreSQL's
 * position, and moves that position with them. This node's writer then finds the position moved (writer-actor.ts), and
 * this mirror finds at most that its stream is gone. So a node that was only frozen continues, and stores nothing
 * twice.
 */
export class JournalMirror implements MirrorGate {
  readonly #options: JournalMirrorOptions;
  #state: "away" | "joining" | "open" = "away";
  /** True if this node knows no end of the stream after `#end`. */
  #isJoined = false;
  /** The stream's end; null if there is no stream. */
  #end: number | null = null;
  #mirrored = 0;
  #isBusy = false;
  /** Something was committed since the last look. */
  #isWanted = false;
  #waiters: Waiter[] = [];
  /** The entries that were sent and not dropped, oldest first. */
  #sent: { through: number; bytes: number }[] = [];
  #trimmedThrough = 0;
  #onOpen: () => void = () => undefined;

  constructor(options: JournalMirrorOptions) {
    this.#options = options;
  }

  /** False: a decision would not be acknowledged. */
  readonly isOpen = (): boolean => this.#state === "open";

  /** Sends the journal's new batches. It is called after each commit of a batch. */
  readonly wake = (): void => void this.#pump();

  through(sequence: number): Promise<boolean> {
    if (sequence <= this.#mirrored) return Promise.resolve(true);
    return new Promise((resolve) => {
      const deadlineMs = this.#options.now() + MIRROR.waitMsMax;
      this.#waiters.push({ sequence, deadlineMs, settle: resolve });
      this.wake();
    });
  }

  /** Called at intervals. It ends waits that are too long, and notices when the cache is back. */
  look(): void {
    const nowMs = this.#options.now();
    this.#settle(({ deadlineMs }) => deadlineMs < nowMs, false);
    this.wake();
  }

  /** Resolves once the mirror is open, or after `patienceMs`. */
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

  /** Renews the node's lease, and drops the records that PostgreSQL has stored from the stream. */
  async tend(): Promise<void> {
    if (!this.isOpen()) return;
    const { store } = this.#options;
    await store.renew();
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

  #settle(isDue: (waiter: Waiter) => boolean, isMirrored: boolean): void {
    const due = this.#waiters.filter(isDue);
    if (due.length === 0) return;
    this.#waiters = this.#waiters.filter((waiter) => !isDue(waiter));
    for (const waiter of due) waiter.settle(isMirrored);
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

  async #pump(): Promise<void> {
    this.#isWanted = true;
    if (this.#isBusy) return;
    this.#isBusy = true;
    try {
      while (this.#isWanted) {
        this.#isWanted = false;
        if (!(await this.#appendAll())) this.#fail();
      }
    } finally {
      this.#isBusy = false;
    }
  }

  /** Appends until nothing is left. False if the cache is away. */
  async #appendAll(): Promise<boolean> {
    const { store } = this.#options;
    while (store.isUp()) {
      if (!this.#isJoined && !(await this.#join())) return false;
      if (!(await this.#append())) return true;
    }
    return false;
  }

  /** Finds the end of the stream. False if that has to be tried again. */
  async #join(): Promise<boolean> {
    const { journal, store } = this.#options;
    const found = await store.join();
    if (found === null) return false;
    const isBehind = found.sequence > journal.lastSequence();
    if (isBehind && !(await this.#restoreThrough(found.sequence))) return false;
    this.#end = found.exists ? found.sequence : null;
    this.#sent = [];
    this.#trimmedThrough = 0;
    this.#isJoined = true;
    if (this.#state === "away") this.#become("joining");
    if (this.#end !== null) this.#noteMirrored(this.#end);
    return true;
  }

  /** Copies the later batches of the node's own stream into the journal. Returns false if that must be repeated. */
  async #restoreThrough(sequence: number): Promise<boolean> {
    const { journal, store, onRestored, onDiskError } = this.#options;
    const missing = await store.after(journal.lastSequence());
    if (missing === null) return false;
    try {
      journal.restore(missing, sequence);
    } catch (error) {
      onDiskError(error);
      return false;
    }
    onRestored(missing.length);
    return true;
  }

  /** Appends one entry. False once nothing is left. */
  async #append(): Promise<boolean> {
    const { journal, store } = this.#options;
    // This is read first. Records that the journal lacks by then are in PostgreSQL.
    const last = journal.lastSequence();
    const entries = journal.readAfter(this.#end ?? 0, MIRROR.entryBytesMax).slice(0, MIRROR.entryBatchesMax);
    const through = entries.at(-1)?.sequence;
    if (through === undefined) {
      this.#noteMirrored(last);
      this.#become("open");
      return false;
    }
    const bytes = entries.reduce((sum, { batch }) => sum + batch.length, 0);
    const appended = await store.append(this.#end, entries);
    if (appended === "ok") {
      this.#end = through;
      this.#sent.push({ through, bytes });
      this.#noteMirrored(through);
    } else if (appended === "failed") this.#fail();
    else this.#isJoined = false;
    return true;
  }
}
