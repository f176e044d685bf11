/** The numbers of the journal's mirror (JOURNAL_MIRROR). `payinference_mirror_*` shows them. */
export const MIRROR = {
  /** The most batches and bytes in one entry of the stream. A larger batch gets an entry to itself. */
  entryBatchesMax: 256,
  entryBytesMax: 4 * 1024 * 1024,
  /**
   * While the cache appends one entry, the next one is already in its socket. More would only make entries smaller, and
   * so cost more of them.
   */
  entriesUnderWayMax: 2,
  /**
   * A mirrored node has this many task slots for each task that its workers may have. Answers wait for the mirror in the
   * additional slots, each of which takes up to 256 KiB of memory.
   */
  slotsPerTask: 4,
  /** If the mirror has not confirmed an answer within this time, the answer is 503. */
  waitMsMax: 1000,
  /** The part of `waitMsMax` within which the replicas of the cache must confirm. */
  replicasMsMax: 500,
  /** How often a timer makes a mirror check whether the cache is back, and whether answers have waited too long. */
  ownLookIntervalMs: 100,
  /** A start waits this long for its mirror. Then it continues without the mirror. */
  startPatienceMs: 2000,
  /**
   * After this time without a renewed lease, other nodes take a node for dead. A wrong guess costs work, but no record.
   */
  leaseMs: 3000,
  leaseRenewalMs: 500,
  /** How often each node looks for the streams of dead nodes. */
  lookIntervalMs: 1000,
  /** A node that takes over a stream keeps other nodes from it for this long, and renews the claim with each read. */
  claimMs: 5000,
  /** The most entries of a dead node's stream that are in memory at once. */
  entriesReadMax: 4,
  /** How long the end of a stream is remembered after all of its records are stored. */
  endKeptSeconds: 30 * 24 * 3600,
} as const;

if (3 * MIRROR.leaseRenewalMs > MIRROR.leaseMs) {
  throw new RangeError("leaseMs must outlast two renewals that are late");
}
if (MIRROR.leaseMs + MIRROR.lookIntervalMs + MIRROR.claimMs > 10_000) {
  throw new RangeError("a dead node's records must be stored within 10 s (DUR-22)");
}
