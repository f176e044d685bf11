import type { DeliveryError } from "../../../domain/vocabulary/event-types.js";
import { idFloorHex, idFromHex, idToHex } from "../../../domain/ids/ids.js";
import { LIMITS } from "../../../domain/vocabulary/limits.js";
import { TUNING } from "../../../domain/vocabulary/tuning.js";
import type { Queryable } from "../../../platform/postgres/pool.js";
import type { EndpointKey } from "./delivery.js";

/** PostgreSQL's clock alone decides which deliveries are due, so nodes need not agree on the time. */

/** True if a delivery may be due, or if an event is yet to be distributed to all workspaces. */
export async function isEventDue(db: Queryable): Promise<boolean> {
  const { rows } = await db.query<{ is_due: boolean }>(
    `select exists (select from event_fan_outs)
       or exists (select from event_deliveries where next_try_at <= now()) as is_due`,
  );
  return rows[0]?.is_due === true;
}

export interface WaitingDeliveries {
  /** Up to TUNING.eventSweepRowsMax. */
  deliveries: number;
  /** The time for which the oldest due delivery has waited for its attempt. */
  overdueSeconds: number;
}

/**
 * EVT-14: counts the deliveries that wait at enabled endpoints. Deliveries of a failing endpoint never count as
 * overdue, because the endpoint itself causes their delay.
 */
export async function countWaiting(db: Queryable): Promise<WaitingDeliveries> {
  const { rows } = await db.query<{ deliveries: number; overdue_seconds: number }>({
    name: "count_waiting_events",
    text: `select count(*)::integer as deliveries,
         coalesce(greatest(0, extract(epoch from
           now() - min(d.next_try_at) filter (where e.failing_since is null))), 0)::float8 as overdue_seconds
       from (
         select workspace_id, endpoint_id, next_try_at from event_deliveries
         where next_try_at is not null order by next_try_at limit ${TUNING.eventSweepRowsMax}) d
       join event_endpoints e using (workspace_id, endpoint_id)
       join workspaces w using (workspace_id)
       where e.status = 'enabled' and w.status = 0`,
  });
  return { deliveries: rows[0]?.deliveries ?? 0, overdueSeconds: rows[0]?.overdue_seconds ?? 0 };
}

export interface DueDelivery {
  deliveryId: string;
  eventId: string;
  body: string;
  attempts: number;
}

/**
 * EVT-7: takes the endpoint's oldest due delivery. A delivery waits for earlier deliveries of its subject. The
 * statement also renews the lease. Returns null if there is no such delivery, if another node has the endpoint, or if
 * the endpoint is no longer enabled.
 */
export async function nextDelivery(
  db: Queryable,
  { workspaceId, endpointId }: EndpointKey,
  nodeId: string,
): Promise<DueDelivery | null> {
  const { rows } = await db.query<{
    delivery_id: string;
    event_id: string;
    body: string;
    attempts: number;
  }>({
    name: "next_event_delivery",
    text: `with lease as (
       update event_endpoints set leased_until = now() + interval '${TUNING.eventLeaseSeconds} seconds'
       where workspace_id = $1 and endpoint_id = $2 and leased_by = $3 and status = 'enabled'
       returning workspace_id, endpoint_id)
     select d.delivery_id, d.event_id, d.body, d.attempts
     from lease join event_deliveries d using (workspace_id, endpoint_id)
     where d.next_try_at <= now() and not exists (
       select from event_deliveries earlier
       where earlier.workspace_id = $1 and earlier.endpoint_id = $2 and earlier.subject = d.subject
         and earlier.position < d.position and earlier.next_try_at is not null)
     order by d.position limit 1`,
    values: [idToHex(workspaceId), idToHex(endpointId), nodeId],
  });
  const [row] = rows;
  return row === undefined
    ? null
    : {
        deliveryId: idFromHex("dlv", row.delivery_id),
        eventId: idFromHex("evt", row.event_id),
        body: row.body,
        attempts: row.attempts,
      };
}

/** Postpones each delivery that follows a waiting delivery of the same subject. */
export async function postponeFollowers(
  db: Queryable,
  { workspaceId, endpointId }: EndpointKey,
): Promise<void> {
  await db.query(
    `update event_deliveries d set next_try_at = earlier.next_try_at
     from event_deliveries earlier
     where d.workspace_id = $1 and d.endpoint_id = $2 and d.next_try_at <= now()
       and earlier.workspace_id = $1 and earlier.endpoint_id = $2 and earlier.subject = d.subject
       and earlier.position < d.position and earlier.next_try_at > now()`,
    [idToHex(workspaceId), idToHex(endpointId)],
  );
}

export type TriedDelivery = EndpointKey & Pick<DueDelivery, "deliveryId">;

export async function noteDelivered(db: Queryable, tried: TriedDelivery, status: number): Promise<void> {
  await db.query(
    `with delivered as (
       update event_deliveries set attempts = attempts + 1, first_tried_at = coalesce(first_tried_at, now()),
         last_tried_at = now(), last_status = $4, last_error = null, next_try_at = null, delivered_at = now()
       where workspace_id = $1 and endpoint_id = $2 and delivery_id = $3)
     update event_endpoints set failing_since = null
     where workspace_id = $1 and endpoint_id = $2 and failing_since is not null`,
    [...keyOf(tried), status],
  );
}

export interface FailedAttempt {
  status: number | null;
  error: DeliveryError | null;
  /** Null: the delivery is given up. */
  pauseSeconds: number | null;
}

/**
 * Records a failed attempt, in one statement. EVT-8: if the delivery is given up, and the endpoint has accepted nothing
 * since the delivery's first attempt, the endpoint is disabled. All its other waiting deliveries are then given up too.
 */
export async function noteFailed(
  db: Queryable,
  tried: TriedDelivery,
  { status, error, pauseSeconds }: FailedAttempt,
): Promise<void> {
  await db.query(
    `with failed as (
       update event_deliveries set attempts = attempts + 1, first_tried_at = coalesce(first_tried_at, now()),
         last_tried_at = now(), last_status = $4, last_error = $5,
         next_try_at = now() + $6::integer * interval '1 second'
       where workspace_id = $1 and endpoint_id = $2 and delivery_id = $3
       returning first_tried_at, next_try_at),
     endpoint as (
       update event_endpoints set failing_since = coalesce(failing_since, now()),
         status = case when failed.next_try_at is null and failing_since <= failed.first_tried_at
           then 'failed' else status end
       from failed where workspace_id = $1 and endpoint_id = $2
       returning status)
     update event_deliveries d set next_try_at = null
     from endpoint where endpoint.status = 'failed' and d.workspace_id = $1 and d.endpoint_id = $2
       and d.delivery_id <> $3 and d.next_try_at is not null`,
    [...keyOf(tried), status, error, pauseSeconds],
  );
}

/** EVT-11: deletes deliveries that are done and old, a bounded number per call. `nowMs` is Unix milliseconds. */
export async function dropOldDeliveries(db: Queryable, nowMs: number): Promise<number> {
  const { rowCount } = await db.query(
    `delete from event_deliveries where (workspace_id, endpoint_id, delivery_id) in (
       select workspace_id, endpoint_id, delivery_id from event_deliveries
       where next_try_at is null and delivery_id < $1
       order by delivery_id limit ${TUNING.eventSweepRowsMax})`,
    [idFloorHex(nowMs - LIMITS.eventDeliveriesKeptMs)],
  );
  return rowCount ?? 0;
}

const keyOf = ({ workspaceId, endpointId, deliveryId }: TriedDelivery): string[] => [
  idToHex(workspaceId),
  idToHex(endpointId),
  idToHex(deliveryId),
];
