import type { ClientBase } from "pg";
import { idFloorHex, idToHex } from "../../domain/ids/ids.js";
import { RETENTION_TUNING } from "./retention-tuning.js";

/** What is kept for each decision, is rare, and has no partitions: people's reviews, and outcomes without a decision. */
const SWEPT_TABLES = ["reviews", "unmatched_outcomes"] as const;

/** RET-7: removes what is older than the service's limit, in bounded steps. */
export async function sweepAll(client: ClientBase, sinceMs: number): Promise<void> {
  for (const table of SWEPT_TABLES) {
    await inSteps(
      client,
      `delete from ${table} where ctid = any(array(
      select ctid from ${table} where decision_id < $1 order by decision_id limit ${RETENTION_TUNING.sweepRowsMax}))`,
      [idFloorHex(sinceMs)],
    );
  }
}

/** RET-8: removes what is older than a workspace's own limit. */
export async function sweepWorkspace(
  client: ClientBase,
  workspaceId: string,
  sinceMs: number,
): Promise<void> {
  for (const table of SWEPT_TABLES) {
    await inSteps(
      client,
      `delete from ${table} where ctid = any(array(
      select ctid from ${table} where workspace_id = $1 and mode in (0, 1) and decision_id < $2
      limit ${RETENTION_TUNING.sweepRowsMax}))`,
      [idToHex(workspaceId), idFloorHex(sinceMs)],
    );
  }
}

async function inSteps(client: ClientBase, statement: string, values: unknown[]): Promise<void> {
  for (;;) {
    const { rowCount } = await client.query(statement, values);
    if ((rowCount ?? 0) < RETENTION_TUNING.sweepRowsMax) return;
  }
}
