import { eventRoutes } from "../features/events/routes.js";
import {
  countWaiting,
  dropOldDeliveries,
  isEventDue,
  type WaitingDeliveries,
} from "../features/events/queries/due.js";
import { createEventGauges, superviseEvents } from "../features/events/sender/event-thread.js";
import type { Route } from "../path/front/route.js";
import { ownFile } from "../platform/node/own-files.js";
import type { BoundedWork } from "../platform/postgres/bounded-work.js";
import type { FeatureParts } from "./feature-parts.js";

/** Builds the part for events: the routes of endpoints, and the thread that sends events to them. */
export function composeEvents(parts: FeatureParts & { attempt: BoundedWork }): Route[] {
  const { node, persistence } = parts;
  const { settings, secretKey } = node;
  const noteWaiting = createEventGauges(node.metrics);
  // Without the key this node cannot decrypt the endpoints' secrets, so other nodes must send.
  if (secretKey !== null) composeSender(parts, secretKey, noteWaiting);
  return eventRoutes({
    ...parts,
    secretBox: persistence.secretBox,
    allowsPrivate: settings.eventsAllowPrivate,
  });
}

function composeSender(
  { node, database, pool, isReachable, timeoutMs, now }: FeatureParts,
  secretKey: string,
  noteWaiting: (waiting: WaitingDeliveries) => void,
) {
  const { settings, metrics, log, closers, nodeId } = node;
  const events = superviseEvents({
    file: ownFile("workers/events.js"),
    workerData: {
      databaseUrl: database.url,
      statementTimeoutMs: timeoutMs,
      nodeId,
      secretKey,
      allowsPrivate: settings.eventsAllowPrivate,
    },
    isDue: () => isEventDue(pool),
    dropOld: () => dropOldDeliveries(pool, now()),
    noteWaiting: async () => noteWaiting(await countWaiting(pool)),
    isReachable,
    metrics,
    log,
  });
  closers.push(() => events.close());
}
