import { idFromHex, idToHex } from "../../../domain/ids/ids.js";
import type { EventFormat } from "../../../domain/vocabulary/event-types.js";
import { TUNING } from "../../../domain/vocabulary/tuning.js";
import type { Queryable } from "../../../platform/postgres/pool.js";
import type { EndpointKey } from "./delivery.js";

/** PostgreSQL's clock alone decides which leases have ended, so nodes need not agree on the time. */

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
  /** Where the walk begins: `lookedTo` of the look before, or null. */
  after: EndpointKey | null;
}

export interface Leased {
  endpoints: LeasedEndpoint[];
  /** Where the walk stopped before its end. Null if it reached the end, so that the next one begins anew. */
  lookedTo: EndpointKey | null;
}

/**
 * Walks the index from one endpoint with waiting deliveries to the next, so that the cost depends on the number of
 * these endpoints. The walk begins after endpoint $5 of workspace $4.
 */
const WAITING_ENDPOINTS = `
  (select workspace_id, endpoint_id from event_deliveries
   where next_try_at is not null and (workspace_id, endpoint_id) > ($4, $5)
   order by workspace_id, endpoint_id limit 1)
  union all
  select next.workspace_id, next.endpoint_id from waiting, lateral (
    select workspace_id, endpoint_id from event_deliveries
    where next_try_at is not null and (workspace_id, endpoint_id) > (waiting.workspace_id, waiting.endpoint_id)
    order by workspace_id, endpoint_id limit 1) next`;

/** Before every id. */
const NIL_UUID = "00000000-0000-0000-0000-000000000000";

/**
 * EVT-7: leases endpoints with a due delivery. Endpoints that were served longest ago come first. Two nodes never lease
 * the same endpoint. A dead node's endpoints are free once their leases have ended.
 *
 * One look walks past a bounded number of endpoints, and the next one goes on there. So an endpoint has its turn
 * however many others wait before it.
 */
export async function leaseEndpoints(
  db: Queryable,
  { nodeId, failing, endpointsMax, after }: LeaseRequest,
): Promise<Leased> {
  const { rows } = await db.query<(LeasedRow | NoneLeased) & LookedTo>({
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
         for no key update of e skip locked),
       leased as (
         update event_endpoints e
         set leased_by = $1, leased_until = now() + interval '${TUNING.eventLeaseSeconds} seconds'
         from due where e.workspace_id = due.workspace_id and e.endpoint_id = due.endpoint_id
         returning e.workspace_id, e.endpoint_id, e.url, e.format, e.sealed),
       last as (
         select workspace_id as last_workspace_id, endpoint_id as last_endpoint_id from looked_at
         order by workspace_id, endpoint_id offset ${TUNING.eventEndpointsLookedAtMax - 1})
     select leased.*, last.* from (select) as look left join last on true left join leased on true`,
    values: [nodeId, failing, endpointsMax, ...(after === null ? [NIL_UUID, NIL_UUID] : endpointOf(after))],
  });
  const [first] = rows;
  return {
    endpoints: rows.flatMap((row) => (row.workspace_id === null ? [] : [leasedOf(row)])),
    lookedTo:
      first === undefined || first.last_workspace_id === null
        ? null
        : {
            workspaceId: idFromHex("ws", first.last_workspace_id),
            endpointId: idFromHex("ep", first.last_endpoint_id),
          },
  };
}

const leasedOf = (row: LeasedRow): LeasedEndpoint => ({
  workspaceId: idFromHex("ws", row.workspace_id),
  endpointId: idFromHex("ep", row.endpoint_id),
  url: row.url,
  format: row.format,
  sealed: row.sealed,
});

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

const endpointOf = ({ workspaceId, endpointId }: EndpointKey): string[] => [
  idToHex(workspaceId),
  idToHex(endpointId),
];

interface LeasedRow {
  workspace_id: string;
  endpoint_id: string;
  url: string;
  format: EventFormat;
  sealed: Buffer;
}

interface NoneLeased {
  workspace_id: null;
}

type LookedTo =
  | { last_workspace_id: string; last_endpoint_id: string }
  | { last_workspace_id: null; last_endpoint_id: null };
