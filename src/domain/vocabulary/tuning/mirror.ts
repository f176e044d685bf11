/** The numbers of the journal's mirror (JOURNAL_MIRROR). `payinference_mirror_*` shows them. */
export const MIRROR = {
  /** One entry of the stream has so many batches and bytes at most. A batch that is larger is an entry of its own. */
  entryBatchesMax: 256,
  entryBytesMax: 4 * 1024 * 1024,
  /** An answer that the mirror has not confirmed by then is 503. */
  waitMsMax: 1000,
  /** The part of it that the replicas of the cache have. */
  replicasMsMax: 500,
  /** How often a mirror looks by itself: for a cache that is back, and for answers that waited too long. */
  ownLookIntervalMs: 100,
  /** A start waits so long for its mirror, and goes on without. */
  startPatienceMs: 2000,
  /** A node that has not shown itself for so long may be dead. A wrong guess costs work, but no record. */
  leaseMs: 3000,
  leaseRenewalMs: 500,
  /** How often each node looks for the streams of dead nodes. */
  lookIntervalMs: 1000,
  /** A node that takes a stream over keeps the others from it for so long, and asks again with each read. */
  claimMs: 5000,
  /** Entries of a dead node's stream that are in memory at once. */
  entriesReadMax: 4,
  /** The end of a stream is remembered for so long once everything in it is stored. */
  endKeptSeconds: 30 * 24 * 3600,
} as const;

if (3 * MIRROR.leaseRenewalMs > MIRROR.leaseMs) {
  throw new RangeError("leaseMs must outlast two renewals that are late");
}
if (MIRROR.leaseMs + MIRROR.lookIntervalMs + MIRROR.claimMs > 10_000) {
  throw new RangeError("a dead node's records must be stored within 10 s (DUR-22)");
}
