import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import type { RunningService } from "./node.js";

export interface HeldJournal {
  /** Keeps PostgreSQL from executing what a writer sent before its node was killed. */
  forgetSent(): Promise<void>;
  letGo(): Promise<void>;
}

/** Keeps the node's writer from storing anything until `letGo` is called. */
export async function holdJournalBack(node: RunningService): Promise<HeldJournal> {
  const nodeId = (await readFile(join(node.dataDir, "journal", "node-id"), "utf8")).trim();
  const client = await node.pool.connect();
  await client.query("begin");
  const held = await client.query("select from journal_positions where node_id = $1 for update", [nodeId]);
  assert.equal(held.rowCount, 1);
  return {
    async forgetSent() {
      await client.query(
        `select pg_terminate_backend(pid) from pg_stat_activity
         where datname = current_database() and wait_event_type = 'Lock'`,
      );
    },
    async letGo() {
      await client.query("rollback");
      client.release();
    },
  };
}
