/** The numbers that tune moves between cells. */
export const MOVE_TUNING = {
  /** The most rows that one statement copies. A row of documents can have a megabyte. */
  rowsAtOnce: 1000,
  documentsAtOnce: 50,
  /** Passes copy newly stored rows until one takes no longer than this. The pass in the standstill is then short. */
  lastPassMsMax: 1000,
  passesMax: 20,
  statementTimeoutMs: 600_000,
  /** The longest wait of a statement for a lock, so that it does not hold other statements up. */
  lockTimeoutMs: 5000,
  /** CELL-8: the longest time from the standstill to the switch of the edge. After it, the move is undone. */
  frozenMsMax: 4000,
  /** Requests that the edge queued for the old cell before the switch have reached a node after this time. */
  inFlightMs: 2500,
  /** CELL-10: a decision that was being made at the switch has its reply after this time. */
  repliesAfterMs: 300,
  /** The life of a hold. The command renews the hold until it has copied the replies. A claim lives longer. */
  holdMs: 1500,
  /** CELL-8: this long after the switch, a move stops waiting for nodes whose journals are not stored yet. */
  closedMsMax: 9000,
  /** A node that has not renewed the claim on its number for this long counts as dead. */
  silentSeconds: 180,
  pollMs: 50,
  /** How many times a command tries to lock a move. The connection of a killed command ends within that time. */
  lockAttempts: 40,
  /** Replies are copied once more in the standstill if the first copy of them took no longer than this. */
  repliesAgainMsMax: 1000,
  /** The pause before a node looks for moves again after a failure. */
  retryMs: 1000,
  /** How long a node waits until its journal is stored. */
  drainMsMax: 5000,
  mapEntriesAtOnce: 100,
} as const;
