import { idTimeMs } from "../../domain/ids/ids.js";
import { KEPT_AT_LEAST_MS, keptDays, keptSinceMs } from "../../domain/vocabulary/tuning/retention.js";
import type { ArchiveErasure } from "./archive/erase-archive.js";
import { workspaceKey, type Replica, type ReplicaWorkspace } from "../../path/replica/replica.js";

/** For erasures. */
export { withRetentionLock } from "./retention-lock.js";
export { WEEKLY_TABLES } from "./weeks.js";

/** RET-6: tells by a decision's id alone whether its workspace still keeps it. PostgreSQL is not asked. */
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

/** RET-24: takes an owner's rows out of the archive. A start does not need it. */
export async function eraseArchive(erasure: ArchiveErasure): Promise<void> {
  const archive = await import("./archive/erase-archive.js");
  return archive.eraseArchive(erasure);
}
