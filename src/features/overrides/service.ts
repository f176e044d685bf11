import { written, type Readers } from "../../platform/postgres/database-read.js";
import type { TenantDb } from "../../platform/postgres/tenant-db.js";
import { createDrillHistory, type DrillRead } from "./history/drill-history.js";

export type { DrillRead };

/** The read of this feature that the reader thread answers. `now` returns Unix milliseconds. */
export function drillReaders(tenants: TenantDb, now: () => number): Readers<DrillRead> {
  const history = createDrillHistory(tenants, now);
  return { drills: ({ workspaceId, page }) => written(history(workspaceId, page)) };
}
