import { randomBytes } from "node:crypto";
import { isId } from "../../domain/ids/ids.js";
import type { LimitReached } from "../../domain/vocabulary/kept-limits.js";
import { LIMITS } from "../../domain/vocabulary/limits.js";
import type { Principal } from "../../path/access/session.js";
import type { SecretBox } from "../../platform/node/secret-box.js";
import type { BoundedWork } from "../../platform/postgres/bounded-work.js";
import type { TenantDb } from "../../platform/postgres/tenant-db.js";
import type { AuditEntry } from "../audit/service.js";
import { lockWorkspace } from "../workspaces/service.js";
import { noteChange } from "./audited-change.js";
import { endpointSecretContext } from "./endpoint-secret.js";
import {
  countEventEndpoints,
  deleteEventEndpoint,
  findEventEndpoint,
  insertEventEndpoint,
  listEventEndpoints,
  lockEventEndpoint,
  updateEventEndpoint,
  type EndpointFields,
  type EventEndpoint,
  type Page,
} from "./queries/endpoint.js";

export interface EventEndpointsOptions {
  tenants: TenantDb;
  attempt: BoundedWork;
  /** Null when SECRET_KEY is not set. */
  secretBox: SecretBox | null;
  /** The 26 characters of a new id. */
  nextId(): string;
  /** Unix milliseconds. */
  now(): number;
}

export type EndpointChanges = Partial<EndpointFields> & { status?: "enabled" | "disabled" };

const SECRET_BYTES = 32;
const FULL: LimitReached = {
  kind: "limit_reached",
  limit: LIMITS.eventEndpointsMax,
  what: "event endpoints",
};

/** EVT-1: the endpoints that receive a workspace's events. deliveries.ts has the deliveries. */
export function createEventEndpoints({ tenants, attempt, secretBox, nextId }: EventEndpointsOptions) {
  return {
    list: ({ workspaceId }: Principal, page: Page) =>
      attempt(() => listEventEndpoints(tenants.of(workspaceId), workspaceId, page)),

    /** Null for an id that is unknown, malformed or another workspace's. */
    async find(
      { workspaceId }: Principal,
      endpointId: string,
    ): Promise<EventEndpoint | null | "unavailable"> {
      if (!isId(endpointId, "ep")) return null;
      return attempt(() => findEventEndpoint(tenants.of(workspaceId), workspaceId, endpointId));
    },

    /** The returned secret is shown nowhere else. */
    async create(
      by: Principal,
      fields: EndpointFields,
    ): Promise<{ endpoint: EventEndpoint; secret: string } | LimitReached | "no_secret_key" | "unavailable"> {
      if (secretBox === null) return "no_secret_key";
      const { workspaceId } = by;
      const endpointId = `ep_${nextId()}`;
      const secret = `whsec_${randomBytes(SECRET_BYTES).toString("base64")}`;
      const sealed = secretBox.seal(secret, endpointSecretContext(workspaceId, endpointId));
      return attempt(() =>
        tenants.of(workspaceId).transaction(async (client) => {
          await lockWorkspace(client, workspaceId);
          if ((await countEventEndpoints(client, workspaceId)) >= LIMITS.eventEndpointsMax) return FULL;
          const endpoint = await insertEventEndpoint(client, workspaceId, { ...fields, endpointId, sealed });
          await noteChange(client, nextId(), by, "event_endpoint.created", endpointId, metadataOf(endpoint));
          return { endpoint, secret };
        }),
      );
    },

    /**
     * Null for an id that is unknown, malformed or another workspace's. Fields that `changes` leaves out stay as they
     * are.
     */
    async update(
      by: Principal,
      endpointId: string,
      changes: EndpointChanges,
    ): Promise<EventEndpoint | null | "unavailable"> {
      if (!isId(endpointId, "ep")) return null;
      const { workspaceId } = by;
      return attempt(() =>
        tenants.of(workspaceId).transaction(async (client) => {
          const before = await lockEventEndpoint(client, workspaceId, endpointId);
          if (before === null) return null;
          const endpoint = await updateEventEndpoint(client, workspaceId, { ...before, ...changes });
          await noteChange(client, nextId(), by, "event_endpoint.updated", endpointId, metadataOf(endpoint));
          return endpoint;
        }),
      );
    },

    /** False for an id that is unknown, malformed or another workspace's. */
    async remove(by: Principal, endpointId: string): Promise<boolean | "unavailable"> {
      if (!isId(endpointId, "ep")) return false;
      return attempt(() =>
        tenants.of(by.workspaceId).transaction(async (client) => {
          const removed = await deleteEventEndpoint(client, by.workspaceId, endpointId);
          if (removed) await noteChange(client, nextId(), by, "event_endpoint.deleted", endpointId, {});
          return removed;
        }),
      );
    },
  };
}

/** The address is left out, because it may itself be a secret, as a Slack webhook's is. */
const metadataOf = ({ types, format, status }: EventEndpoint): AuditEntry["metadata"] => ({
  types: types.join(" "),
  format,
  status,
});

export type EventEndpoints = ReturnType<typeof createEventEndpoints>;
