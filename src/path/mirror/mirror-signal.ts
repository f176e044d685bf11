import { MIRROR } from "../../domain/vocabulary/tuning/mirror.js";

/** The gate at which an answer waits until the mirror has its records. */
export interface MirrorGate {
  /** Resolves to true when the mirror has everything up to `sequence`, or to false if that takes too long. */
  through(sequence: number): Promise<boolean>;
}

/*
 * Memory that the front thread and the decide workers share. Word 0 is the newest sequence that a worker waits for.
 * Word 1 is the newest sequence in the mirror.
 */
const WANTED = 0;
const MIRRORED = 1;

export function allocateMirrorSignal(): SharedArrayBuffer {
  return new SharedArrayBuffer(2 * BigInt64Array.BYTES_PER_ELEMENT);
}

/**
 * A decide worker's gate, for replies that the worker sends to the shared cache. The front cannot delay such replies.
 *
 * @param now monotonic milliseconds
 */
export function openMirrorGate(memory: SharedArrayBuffer, now: () => number): MirrorGate {
  const cells = new BigInt64Array(memory);
  return {
    async through(sequence) {
      const wanted = BigInt(sequence);
      raise(cells, WANTED, wanted);
      const deadlineMs = now() + MIRROR.waitMsMax;
      for (;;) {
        const mirrored = Atomics.load(cells, MIRRORED);
        if (mirrored >= wanted) return true;
        const leftMs = deadlineMs - now();
        if (leftMs <= 0) return false;
        const wait = Atomics.waitAsync(cells, MIRRORED, mirrored, leftMs);
        if (wait.async) await wait.value;
      }
    },
  };
}

/** The front's side of the shared memory. */
export interface MirrorSignal {
  /** Publishes the mirror's position to the workers. */
  mirrored(sequence: number): void;
  close(): void;
}

/** Opens the front's side. `onWanted` is called whenever a worker has begun to wait. */
export function openMirrorSignal(memory: SharedArrayBuffer, onWanted: () => void): MirrorSignal {
  const cells = new BigInt64Array(memory);
  let isClosed = false;
  const watch = async (): Promise<void> => {
    let seen = Atomics.load(cells, WANTED);
    while (!isClosed) {
      const wait = Atomics.waitAsync(cells, WANTED, seen);
      if (wait.async) await wait.value;
      seen = Atomics.load(cells, WANTED);
      if (!isClosed) onWanted();
    }
  };
  void watch();
  return {
    mirrored: (sequence) => raise(cells, MIRRORED, BigInt(sequence)),
    close() {
      isClosed = true;
      Atomics.notify(cells, WANTED);
    },
  };
}

/** Raises a cell to `value`. Two threads may do so at once, and then the higher value stays. */
function raise(cells: BigInt64Array<SharedArrayBuffer>, cell: number, value: bigint): void {
  for (let before = Atomics.load(cells, cell); before < value;) {
    const found = Atomics.compareExchange(cells, cell, before, value);
    if (found === before) {
      Atomics.notify(cells, cell);
      return;
    }
    before = found;
  }
}
