/** Test → server. */
export type ServerCommand =
  /** Executes inserts into a table, and never answers them. Null ends this. */
  | { type: "hold"; table: string | null }
  | { type: "refuse"; refuses: boolean }
  /** Holds queries back until this ends. */
  | { type: "stall"; stalls: boolean }
  | { type: "query"; sql: string };

/** Server → test. */
export type ServerReport =
  | { type: "ready" }
  | { type: "inserted"; table: string; token: string }
  /** So many queries are held back. */
  | { type: "stalled"; queries: number }
  /** The answer to a query: its rows as lines of JSON, or the error. */
  | { type: "answer"; text: string; failure: string | null };
