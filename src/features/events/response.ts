import { idTimeMs } from "../../domain/ids/ids.js";
import type { EventDelivery } from "./queries/delivery.js";
import type { EventEndpoint } from "./queries/endpoint.js";
import type { EventDeliveryBody, EventEndpointBody } from "./wire/event-endpoint-response-schema.js";

export function eventEndpointBody(endpoint: EventEndpoint): EventEndpointBody {
  return {
    id: endpoint.endpointId,
    url: endpoint.url,
    types: endpoint.types,
    description: endpoint.description,
    format: endpoint.format,
    status: endpoint.status,
    failing_since: endpoint.failingSince?.toISOString() ?? null,
    created_at: endpoint.createdAt.toISOString(),
  };
}

export function eventDeliveryBody(delivery: EventDelivery): EventDeliveryBody {
  const { deliveredAt, nextTryAt } = delivery;
  const state = deliveredAt === null ? (nextTryAt === null ? "failed" : "waiting") : "delivered";
  return {
    id: delivery.deliveryId,
    event_id: delivery.eventId,
    type: delivery.type,
    state,
    attempts: delivery.attempts,
    last_status: delivery.lastStatus,
    last_error: delivery.lastError,
    created_at: new Date(idTimeMs(delivery.deliveryId)).toISOString(),
    last_tried_at: delivery.lastTriedAt?.toISOString() ?? null,
    next_try_at: nextTryAt?.toISOString() ?? null,
    delivered_at: deliveredAt?.toISOString() ?? null,
  };
}
