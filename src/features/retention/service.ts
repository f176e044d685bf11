import { idTimeMs } from "../../domain/ids/ids.js";
import { KEPT_AT_LEAST_MS, keptDays, keptSinceMs } from "../../domain/vocabulary/tuning/retention.js";
import type { ArchiveErasure } from "./archive/erase-archive.js";
import { workspaceKey, type Replica, type ReplicaWorkspace } from "../../path/replica/replica.js";

/** Erasures need these two. */
export { withRetentionLock } from "./retention-lock.js";
export { WEEKLY_TABLES } from "./weeks.js";

/**
 * RET-6: returns whether a workspace still keeps a decision. It needs only the decision's id, and no query to
 * PostgreSQL.
 */
export function createKeptLookup(
  replica: Pick<Replica, "refresh" | "read">,
  serviceDays: number,
  now: () => number,
): (workspaceId: string, decisionId: string) => boolean {
  return (workspaceId, decisionId) => {
    const nowMs = now();
    const madeAtMs = idTimeMs(decisionId);
    if (madeAtMs > nowMs - KEPT_AT_LEAST_MS) return true;
    replica.refresh();
    const text = replica.read(workspaceKey(workspaceId));
    const own = text === undefined ? null : (JSON.parse(text) as ReplicaWorkspace).retention_days;
    return madeAtMs >= keptSinceMs(keptDays(serviceDays, own), nowMs);
  };
}

/**
 * RET-24: removes an owner's rows from the archive. The code is loaded here, so that the start of a node does not
 * wait for it.
 */
export async function eraseArchive(erasure: ArchiveErasure): Promise<void> {
  const archive = await import("./archive/erase-archive.js");
  return archive.eraseArchive(erasure);
}
