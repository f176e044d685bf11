import { superviseExports } from "../features/exports/maker/export-thread.js";
import { countUnfinished, sweepExports } from "../features/exports/queries/unfinished.js";
import { exportRoutes } from "../features/exports/routes.js";
import type { Route } from "../path/front/route.js";
import { ownFile } from "../platform/node/own-files.js";
import type { BoundedWork } from "../platform/postgres/bounded-work.js";
import type { FeatureParts } from "./feature-parts.js";

/** Builds the part for exports: their routes, and the thread that makes the files. */
export function composeExports(parts: FeatureParts & { attempt: BoundedWork }): Route[] {
  const { node, database, pool, isReachable, now } = parts;
  const { metrics, log, closers, nodeId } = node;
  const exports = superviseExports({
    file: ownFile("workers/exports.js"),
    workerData: {
      databaseUrl: database.url,
      retentionDays: node.settings.retentionDays,
      nodeId,
      clickHouseUrl: node.settings.analyticsUrl,
    },
    countUnfinished: () => countUnfinished(pool, nodeId),
    sweep: () => sweepExports(pool, now()),
    isReachable,
    metrics,
    log,
  });
  closers.push(() => exports.close());
  return exportRoutes(parts);
}
