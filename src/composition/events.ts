import { eventRoutes } from "../features/events/routes.js";
import { dropOldDeliveries, isEventDue } from "../features/events/queries/due.js";
import { superviseEvents } from "../features/events/sender/event-thread.js";
import type { Route } from "../path/front/route.js";
import { ownFile } from "../platform/node/own-files.js";
import type { BoundedWork } from "../platform/postgres/bounded-work.js";
import type { FeatureParts } from "./feature-parts.js";

/** Events out: the endpoints' routes, and the thread that sends. */
export function composeEvents(parts: FeatureParts & { attempt: BoundedWork }): Route[] {
  const { node, database, persistence, pool, isReachable, timeoutMs, now } = parts;
  const { settings, metrics, log, closers, nodeId, secretKey } = node;
  const allowsPrivate = settings.eventsAllowPrivate;
  const events = superviseEvents({
    file: ownFile("workers/events.js"),
    workerData: {
      databaseUrl: database.url,
      statementTimeoutMs: timeoutMs,
      nodeId,
      secretKey,
      allowsPrivate,
    },
    isDue: () => isEventDue(pool),
    dropOld: () => dropOldDeliveries(pool, now()),
    isReachable,
    metrics,
    log,
  });
  closers.push(() => events.close());
  return eventRoutes({ ...parts, secretBox: persistence.secretBox, allowsPrivate });
}
