import { TEST_EVENT } from "../../domain/vocabulary/event-types.js";
import { isId } from "../../domain/ids/ids.js";
import type { Principal } from "../../path/access/session.js";
import type { TenantConnection } from "../../platform/postgres/tenant-db.js";
import type { AuditAction } from "../audit/service.js";
import { noteChange } from "./audited-change.js";
import {
  insertEventDelivery,
  listEventDeliveries,
  repeatEventDelivery,
  type EventDelivery,
} from "./queries/delivery.js";
import { lockEventEndpoint, type Page } from "./queries/endpoint.js";
import type { EventEndpointsOptions } from "./service.js";

/** `disabled`: nothing is sent to the endpoint until it is enabled. */
export type Added = EventDelivery | "unknown" | "disabled";

/** EVT-6, EVT-11: the deliveries to endpoints. */
export function createEventDeliveries({ tenants, attempt, nextId, now }: EventEndpointsOptions) {
  /** Adds a delivery to an endpoint that is enabled. */
  const add = (
    by: Principal,
    endpointId: string,
    action: AuditAction,
    insert: (client: TenantConnection) => Promise<EventDelivery | null>,
  ): Promise<Added> =>
    tenants.of(by.workspaceId).transaction(async (client) => {
      const endpoint = await lockEventEndpoint(client, by.workspaceId, endpointId);
      if (endpoint === null) return "unknown";
      if (endpoint.status !== "enabled") return "disabled";
      const delivery = await insert(client);
      if (delivery === null) return "unknown";
      await noteChange(client, nextId(), by, action, endpointId, { delivery_id: delivery.deliveryId });
      return delivery;
    });

  return {
    async list({ workspaceId }: Principal, endpointId: string, page: Page) {
      if (!isId(endpointId, "ep")) return null;
      return attempt(() => listEventDeliveries(tenants.of(workspaceId), { workspaceId, endpointId }, page));
    },

    /** EVT-6: sends a test event, so that a receiver can be tried. */
    async test(by: Principal, endpointId: string): Promise<Added | "unavailable"> {
      if (!isId(endpointId, "ep")) return "unknown";
      const { workspaceId } = by;
      const eventId = `evt_${nextId()}`;
      const timestamp = new Date(now()).toISOString();
      const body = JSON.stringify({ type: TEST_EVENT, timestamp, data: { endpoint_id: endpointId } });
      const delivery = {
        workspaceId,
        endpointId,
        deliveryId: `dlv_${nextId()}`,
        eventId,
        type: TEST_EVENT,
        // The event's own id is the subject, so that a test event waits for no other event.
        subject: eventId,
        body,
      } as const;
      return attempt(() =>
        add(by, endpointId, "event_endpoint.tested", (client) => insertEventDelivery(client, delivery)),
      );
    },

    /** EVT-6: sends an event once more. */
    async redeliver(by: Principal, endpointId: string, deliveryId: string): Promise<Added | "unavailable"> {
      if (!isId(endpointId, "ep") || !isId(deliveryId, "dlv")) return "unknown";
      const key = { workspaceId: by.workspaceId, endpointId };
      const newId = `dlv_${nextId()}`;
      return attempt(() =>
        add(by, endpointId, "event_endpoint.redelivered", (client) =>
          repeatEventDelivery(client, key, deliveryId, newId),
        ),
      );
    },
  };
}

export type EventDeliveries = ReturnType<typeof createEventDeliveries>;
