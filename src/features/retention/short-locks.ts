import { setTimeout as sleep } from "node:timers/promises";
import type { ClientBase } from "pg";
import { sqlStateOf } from "../../platform/postgres/sql-state.js";
import { RETENTION_TUNING } from "./retention-tuning.js";

/** SQLSTATE lock_not_available */
const LOCK_NOT_GIVEN = "55P03";

/**
 * Repeats `work` until it gets its locks. Other queries queue behind a waiting lock, so each attempt waits only
 * briefly. Rejects after the last attempt.
 */
export async function withShortLocks<T>(client: ClientBase, work: () => Promise<T>): Promise<T> {
  await client.query(`set lock_timeout = ${RETENTION_TUNING.lockTimeoutMs}`);
  for (let attempt = 1; ; attempt++) {
    try {
      return await work();
    } catch (error) {
      if (sqlStateOf(error) !== LOCK_NOT_GIVEN || attempt >= RETENTION_TUNING.lockAttemptsMax) throw error;
    }
    await sleep(RETENTION_TUNING.lockPauseMs);
  }
}
