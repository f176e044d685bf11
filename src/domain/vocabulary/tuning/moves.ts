/** What operators and developers tune of moves between cells. */
export const MOVE_TUNING = {
  /** Rows that one statement copies. A row of documents may have a megabyte. */
  rowsAtOnce: 1000,
  documentsAtOnce: 50,
  /** What was stored meanwhile is copied again until that takes no longer than this, so that the standstill is short. */
  lastPassMsMax: 1000,
  passesMax: 20,
  statementTimeoutMs: 600_000,
  /** A statement must not be planned wrongly for long by a table without statistics, nor hold others up. */
  lockTimeoutMs: 5000,
  /** CELL-8: from the standstill to the switch of the edge. Longer, and the move goes back. */
  frozenMsMax: 4000,
  /** What the edge has given to the old cell before the switch has reached a node by then: its queue and its connect. */
  inFlightMs: 2500,
  /** CELL-10: a decision that was under way at the switch has its reply by then. */
  repliesAfterMs: 300,
  /** The life of a hold, which the command renews until the replies are there. It is less than a claim's life. */
  holdMs: 1500,
  /** CELL-8: reads open so long after the switch at the latest, whatever is still to come. */
  closedMsMax: 9000,
  /** A node that did not confirm its number for so long does not live. */
  silentSeconds: 180,
  pollMs: 50,
  /** The connection of a command that was killed ends within these polls. */
  lockAttempts: 40,
  /** Replies are copied once more in the standstill if it takes no longer than this. */
  repliesAgainMsMax: 1000,
  /** A node that could not look tries again after this. */
  retryMs: 1000,
  /** How long a node waits for its own journal. */
  drainMsMax: 5000,
  mapEntriesAtOnce: 100,
} as const;
