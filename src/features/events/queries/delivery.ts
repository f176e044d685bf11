import type { DeliveryError, EventType, TEST_EVENT } from "../../../domain/vocabulary/event-types.js";
import { idFromHex, idToHex } from "../../../domain/ids/ids.js";
import type { TenantConnection } from "../../../platform/postgres/tenant-db.js";
import type { Page } from "./endpoint.js";

export interface EventDelivery {
  /** `dlv_…`. The time in this id is the `created_at` of the answers. */
  deliveryId: string;
  /** `evt_…` */
  eventId: string;
  type: EventType | typeof TEST_EVENT;
  attempts: number;
  lastStatus: number | null;
  lastError: DeliveryError | null;
  lastTriedAt: Date | null;
  nextTryAt: Date | null;
  deliveredAt: Date | null;
}

/** The fields that identify an endpoint's deliveries. */
export interface EndpointKey {
  workspaceId: string;
  endpointId: string;
}

const COLUMNS =
  "delivery_id, event_id, type, attempts, last_status, last_error, last_tried_at, next_try_at, delivered_at";

/** Null for an unknown endpoint. The page is empty when the endpoint has no delivery with the cursor's id (LIST-3). */
export async function listEventDeliveries(
  db: TenantConnection,
  { workspaceId, endpointId }: EndpointKey,
  { pageSize, cursor }: Page,
): Promise<{ deliveries: EventDelivery[]; hasMore: boolean } | null> {
  const newer = cursor?.kind === "newer_than";
  const { rows } = await db.query<DeliveryRow | { delivery_id: null }>(
    `select d.* from event_endpoints e left join lateral (
       select ${COLUMNS} from event_deliveries
       where workspace_id = $1 and endpoint_id = $2
         and ($3::uuid is null or (
           delivery_id ${newer ? ">" : "<"} $3
           and exists (select from event_deliveries where workspace_id = $1 and endpoint_id = $2 and delivery_id = $3)
         ))
       order by delivery_id ${newer ? "asc" : "desc"} limit $4
     ) d on true
     where e.workspace_id = $1 and e.endpoint_id = $2
     order by d.delivery_id ${newer ? "asc" : "desc"}`,
    [idToHex(workspaceId), idToHex(endpointId), cursor === null ? null : idToHex(cursor.id), pageSize + 1],
  );
  if (rows.length === 0) return null;
  const found = rows.flatMap((row) => (row.delivery_id === null ? [] : [deliveryOf(row)]));
  const deliveries = found.slice(0, pageSize);
  return { deliveries: newer ? deliveries.toReversed() : deliveries, hasMore: found.length > pageSize };
}

/** A delivery of a test event, which no other endpoint gets. */
export interface NewDelivery extends EndpointKey {
  deliveryId: string;
  eventId: string;
  type: typeof TEST_EVENT;
  /** The endpoint gets the deliveries of one subject in order. */
  subject: string;
  body: string;
}

export async function insertEventDelivery(
  db: TenantConnection,
  { workspaceId, endpointId, deliveryId, eventId, type, subject, body }: NewDelivery,
): Promise<EventDelivery> {
  const { rows } = await db.query<DeliveryRow>(
    `insert into event_deliveries (workspace_id, endpoint_id, delivery_id, event_id, type, subject, body)
     values ($1, $2, $3, $4, $5, $6, $7) returning ${COLUMNS}`,
    [idToHex(workspaceId), idToHex(endpointId), idToHex(deliveryId), idToHex(eventId), type, subject, body],
  );
  return deliveryOf(rows[0] as DeliveryRow);
}

/** EVT-6: adds a delivery of the same event. Null when the endpoint has no such delivery. */
export async function repeatEventDelivery(
  db: TenantConnection,
  { workspaceId, endpointId }: EndpointKey,
  deliveryId: string,
  newDeliveryId: string,
): Promise<EventDelivery | null> {
  const { rows } = await db.query<DeliveryRow>(
    `insert into event_deliveries (workspace_id, endpoint_id, delivery_id, event_id, type, subject, body)
     select workspace_id, endpoint_id, $4, event_id, type, subject, body from event_deliveries
     where workspace_id = $1 and endpoint_id = $2 and delivery_id = $3
     returning ${COLUMNS}`,
    [idToHex(workspaceId), idToHex(endpointId), idToHex(deliveryId), idToHex(newDeliveryId)],
  );
  return rows[0] === undefined ? null : deliveryOf(rows[0]);
}

interface DeliveryRow {
  delivery_id: string;
  event_id: string;
  type: EventDelivery["type"];
  attempts: number;
  last_status: number | null;
  last_error: DeliveryError | null;
  last_tried_at: Date | null;
  next_try_at: Date | null;
  delivered_at: Date | null;
}

function deliveryOf(row: DeliveryRow): EventDelivery {
  return {
    deliveryId: idFromHex("dlv", row.delivery_id),
    eventId: idFromHex("evt", row.event_id),
    type: row.type,
    attempts: row.attempts,
    lastStatus: row.last_status,
    lastError: row.last_error,
    lastTriedAt: row.last_tried_at,
    nextTryAt: row.next_try_at,
    deliveredAt: row.delivered_at,
  };
}
