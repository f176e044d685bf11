/** Of the line in which reads wait for the thread that does them; a part of `LIMITS`. */
export const READER_LIMITS = {
  readerConnectionsMax: 5,
  /** Of one workspace: where its reads are slow, a connection is left for the others. */
  readerConnectionsOwnMax: 4,
  /** Two for each connection: while PostgreSQL works on one, the next is there. */
  readsAtWorkMax: 10,
  readsAtWorkOwnMax: 8,
  /** Of all workspaces, and half of them of one: about as many as are answered within databaseReadTimeoutMs. */
  readsWaitingMax: 1024,
  /** How long the first read of a workspace may wait before more of it are refused; leaves time for its own answer. */
  readWaitMsMax: 750,
  /** What has less left of databaseReadTimeoutMs is not read: its answer would come too late. */
  readAnswerMsMin: 250,
} as const;

if (READER_LIMITS.readerConnectionsOwnMax >= READER_LIMITS.readerConnectionsMax) {
  throw new RangeError("readerConnectionsOwnMax must be less than readerConnectionsMax: others need one");
}
if (READER_LIMITS.readsAtWorkOwnMax >= READER_LIMITS.readsAtWorkMax) {
  throw new RangeError("readsAtWorkOwnMax must be less than readsAtWorkMax: others need a place");
}
