import type { EventEndpointStatus, EventFormat, EventType } from "../../../domain/vocabulary/event-types.js";
import { idFromHex, idToHex } from "../../../domain/ids/ids.js";
import type { Cursor } from "../../../platform/http/page-query.js";
import type { TenantConnection } from "../../../platform/postgres/tenant-db.js";

export interface EventEndpoint {
  /** `ep_…` */
  endpointId: string;
  url: string;
  types: EventType[];
  description: string | null;
  format: EventFormat;
  status: EventEndpointStatus;
  failingSince: Date | null;
  createdAt: Date;
}

/** The fields that a person sets. */
export type EndpointFields = Pick<EventEndpoint, "url" | "types" | "description" | "format">;

/** One page of a list, newest first. */
export interface Page {
  pageSize: number;
  /**
   * The row before or after which the page lies. The page does not include it. Null: the page begins at the newest row.
   */
  cursor: Cursor | null;
}

const COLUMNS = "endpoint_id, url, types, description, format, status, failing_since, created_at";

/** The page is empty when the workspace has no endpoint with the cursor's id (LIST-3). */
export async function listEventEndpoints(
  db: TenantConnection,
  workspaceId: string,
  { pageSize, cursor }: Page,
): Promise<{ endpoints: EventEndpoint[]; hasMore: boolean }> {
  const newer = cursor?.kind === "newer_than";
  const { rows } = await db.query<EndpointRow>(
    `select ${COLUMNS} from event_endpoints
     where workspace_id = $1
       and ($2::uuid is null or (
         endpoint_id ${newer ? ">" : "<"} $2
         and exists (select from event_endpoints where workspace_id = $1 and endpoint_id = $2)
       ))
     order by endpoint_id ${newer ? "asc" : "desc"} limit $3`,
    [idToHex(workspaceId), cursor === null ? null : idToHex(cursor.id), pageSize + 1],
  );
  const endpoints = rows.slice(0, pageSize).map(endpointOf);
  return { endpoints: newer ? endpoints.toReversed() : endpoints, hasMore: rows.length > pageSize };
}

export async function countEventEndpoints(db: TenantConnection, workspaceId: string): Promise<number> {
  const { rows } = await db.query<{ count: number }>(
    "select count(*)::int as count from event_endpoints where workspace_id = $1",
    [idToHex(workspaceId)],
  );
  return rows[0]?.count ?? 0;
}

export async function insertEventEndpoint(
  db: TenantConnection,
  workspaceId: string,
  { endpointId, sealed, ...fields }: EndpointFields & { endpointId: string; sealed: Buffer },
): Promise<EventEndpoint> {
  const { rows } = await db.query<EndpointRow>(
    `insert into event_endpoints (workspace_id, endpoint_id, url, types, description, format, sealed)
     values ($1, $2, $3, $4, $5, $6, $7) returning ${COLUMNS}`,
    [
      idToHex(workspaceId),
      idToHex(endpointId),
      fields.url,
      fields.types,
      fields.description,
      fields.format,
      sealed,
    ],
  );
  return endpointOf(rows[0] as EndpointRow);
}

const BY_ID = `select ${COLUMNS} from event_endpoints where workspace_id = $1 and endpoint_id = $2`;

/** Null for an id that is unknown or another workspace's. */
export async function findEventEndpoint(
  db: TenantConnection,
  workspaceId: string,
  endpointId: string,
): Promise<EventEndpoint | null> {
  const { rows } = await db.query<EndpointRow>(BY_ID, [idToHex(workspaceId), idToHex(endpointId)]);
  return rows[0] === undefined ? null : endpointOf(rows[0]);
}

/** Locks the endpoint until the commit. Null for an id that is unknown or another workspace's. */
export async function lockEventEndpoint(
  db: TenantConnection,
  workspaceId: string,
  endpointId: string,
): Promise<EventEndpoint | null> {
  const { rows } = await db.query<EndpointRow>(`${BY_ID} for no key update`, [
    idToHex(workspaceId),
    idToHex(endpointId),
  ]);
  return rows[0] === undefined ? null : endpointOf(rows[0]);
}

/** EVT-5: an endpoint that is enabled again starts without its earlier failures. */
export async function updateEventEndpoint(
  db: TenantConnection,
  workspaceId: string,
  { endpointId, ...fields }: EndpointFields & Pick<EventEndpoint, "endpointId" | "status">,
): Promise<EventEndpoint> {
  const { rows } = await db.query<EndpointRow>(
    `update event_endpoints set url = $3, types = $4, description = $5, format = $6, status = $7,
       failing_since = case when status = $7 then failing_since end
     where workspace_id = $1 and endpoint_id = $2 returning ${COLUMNS}`,
    [
      idToHex(workspaceId),
      idToHex(endpointId),
      fields.url,
      fields.types,
      fields.description,
      fields.format,
      fields.status,
    ],
  );
  return endpointOf(rows[0] as EndpointRow);
}

/** Deletes an endpoint with its deliveries. Returns false if there was none. */
export async function deleteEventEndpoint(
  db: TenantConnection,
  workspaceId: string,
  endpointId: string,
): Promise<boolean> {
  const { rowCount } = await db.query(
    "delete from event_endpoints where workspace_id = $1 and endpoint_id = $2",
    [idToHex(workspaceId), idToHex(endpointId)],
  );
  return rowCount === 1;
}

interface EndpointRow {
  endpoint_id: string;
  url: string;
  types: EventType[];
  description: string | null;
  format: EventFormat;
  status: EventEndpointStatus;
  failing_since: Date | null;
  created_at: Date;
}

function endpointOf(row: EndpointRow): EventEndpoint {
  return {
    endpointId: idFromHex("ep", row.endpoint_id),
    url: row.url,
    types: row.types,
    description: row.description,
    format: row.format,
    status: row.status,
    failingSince: row.failing_since,
    createdAt: row.created_at,
  };
}
