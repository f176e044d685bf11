import type { Pool } from "pg";

/** What a node has told of its journal. Times are Unix milliseconds, with fractions, by PostgreSQL's clock. */
export interface JournalStanding {
  /** All that the node acknowledged before is stored. */
  settledThroughMs: number;
  /** When it was last heard of. */
  heardMs: number;
  /** It ended with everything stored. */
  stopped: boolean;
}

export interface JournalStandings {
  /** When they were read, by the same clock. */
  clockMs: number;
  others: JournalStanding[];
}

/** What one node tells the others of its journal; registered by the first `position()` of its DecisionWriter. */
export interface JournalTeller {
  /** Resolves to PostgreSQL's clock: what is acknowledged from now on is acknowledged later than that. */
  settled(throughMs: number): Promise<number>;
  stopped(): Promise<void>;
}

export function createJournalTeller(pool: Pool, nodeId: string): JournalTeller {
  return {
    async settled(throughMs) {
      const { rows } = await pool.query<{ clock_ms: number }>({
        name: "tell_journal_standing",
        text: `update journal_positions
               set settled_through = greatest(settled_through, to_timestamp($2::float8 / 1000)), updated_at = clock_timestamp(), stopped = false
               where node_id = $1 returning extract(epoch from updated_at)::float8 * 1000 as clock_ms`,
        values: [nodeId, throughMs],
      });
      return rows[0]?.clock_ms ?? 0;
    },
    async stopped() {
      await pool.query(
        "update journal_positions set stopped = true, updated_at = clock_timestamp() where node_id = $1",
        [nodeId],
      );
    },
  };
}

/** Those of the other nodes heard of within a day: what a node took along that is longer gone is lost. */
export async function readOtherStandings(pool: Pool, ownNodeId: string): Promise<JournalStandings> {
  const { rows } = await pool.query<{
    settled_ms: number | null;
    heard_ms: number;
    stopped: boolean;
    clock_ms: number;
  }>({
    name: "read_journal_standings",
    text: `select extract(epoch from o.settled_through)::float8 * 1000 as settled_ms,
                  extract(epoch from o.updated_at)::float8 * 1000 as heard_ms, o.stopped,
                  extract(epoch from clock_timestamp())::float8 * 1000 as clock_ms
           from (select 1) as one
           left join journal_positions o
             on o.node_id <> $1 and o.settled_through is not null and o.updated_at > now() - interval '1 day'`,
    values: [ownNodeId],
  });
  const others: JournalStanding[] = [];
  for (const { settled_ms, heard_ms, stopped } of rows) {
    if (settled_ms !== null) others.push({ settledThroughMs: settled_ms, heardMs: heard_ms, stopped });
  }
  return { clockMs: rows[0]?.clock_ms ?? 0, others };
}
