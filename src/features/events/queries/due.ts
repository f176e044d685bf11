import type { DeliveryError, EventFormat } from "../../../domain/vocabulary/event-types.js";
import { idFloorHex, idFromHex, idToHex } from "../../../domain/ids/ids.js";
import { LIMITS } from "../../../domain/vocabulary/limits.js";
import { TUNING } from "../../../domain/vocabulary/tuning.js";
import type { Queryable } from "../../../platform/postgres/pool.js";
import type { EndpointKey } from "./delivery.js";

/**
 * PostgreSQL's clock alone decides which deliveries are due and which leases have ended, so nodes need not agree on the
 * time.
 */

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

/** An endpoint that this node has leased. No other node sends to it until the lease ends. */
export interface LeasedEndpoint extends EndpointKey {
  url: string;
  format: EventFormat;
  sealed: Buffer;
}

export interface LeaseRequest {
  nodeId: string;
  /** True takes endpoints whose last attempt failed, and false takes only the others. */
  failing: boolean;
  endpointsMax: number;
}

/**
 * Walks the index from one endpoint with waiting deliveries to the next, so that the cost depends on the number of
 * these endpoints.
 */
const WAITING_ENDPOINTS = `
  (select workspace_id, endpoint_id from event_deliveries where next_try_at is not null
   order by workspace_id, endpoint_id limit 1)
  union all
  select next.workspace_id, next.endpoint_id from waiting, lateral (
    select workspace_id, endpoint_id from event_deliveries
    where next_try_at is not null and (workspace_id, endpoint_id) > (waiting.workspace_id, waiting.endpoint_id)
    order by workspace_id, endpoint_id limit 1) next`;

/**
 * EVT-7: leases endpoints with a due delivery. Endpoints that were served longest ago come first. Two nodes never lease
 * the same endpoint. A dead node's endpoints are free once their leases have ended.
 */
export async function leaseEndpoints(
  db: Queryable,
  { nodeId, failing, endpointsMax }: LeaseRequest,
): Promise<LeasedEndpoint[]> {
  const { rows } = await db.query<LeasedRow>({
    name: "lease_event_endpoints",
    text: `with recursive waiting as (${WAITING_ENDPOINTS}),
       looked_at as (select * from waiting limit ${TUNING.eventEndpointsLookedAtMax}),
       due as (
         select e.workspace_id, e.endpoint_id
         from looked_at join event_endpoints e using (workspace_id, endpoint_id)
         join workspaces w using (workspace_id)
         where e.status = 'enabled' and w.status = 0 and (e.failing_since is not null) = $2
           and (e.leased_until is null or e.leased_until < now())
           and exists (
             select from event_deliveries d
             where d.workspace_id = e.workspace_id and d.endpoint_id = e.endpoint_id and d.next_try_at <= now())
         order by e.leased_until nulls first limit $3
         for no key update of e skip locked)
     update event_endpoints e
     set leased_by = $1, leased_until = now() + interval '${TUNING.eventLeaseSeconds} seconds'
     from due where e.workspace_id = due.workspace_id and e.endpoint_id = due.endpoint_id
     returning e.workspace_id, e.endpoint_id, e.url, e.format, e.sealed`,
    values: [nodeId, failing, endpointsMax],
  });
  return rows.map((row) => ({
    workspaceId: idFromHex("ws", row.workspace_id),
    endpointId: idFromHex("ep", row.endpoint_id),
    url: row.url,
    format: row.format,
    sealed: row.sealed,
  }));
}

/** Ends this node's leases. Call it when the sending thread starts, because no attempt is in progress then. */
export async function dropOwnLeases(db: Queryable, nodeId: string): Promise<void> {
  await db.query(
    "update event_endpoints set leased_until = now() where leased_by = $1 and leased_until > now()",
    [nodeId],
  );
}

export async function endLease(db: Queryable, { workspaceId, endpointId }: EndpointKey, nodeId: string) {
  await db.query(
    `update event_endpoints set leased_until = now()
     where workspace_id = $1 and endpoint_id = $2 and leased_by = $3`,
    [idToHex(workspaceId), idToHex(endpointId), nodeId],
  );
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

interface LeasedRow {
  workspace_id: string;
  endpoint_id: string;
  url: string;
  format: EventFormat;
  sealed: Buffer;
}
