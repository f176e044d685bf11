import { isLimitReached } from "../../domain/vocabulary/kept-limits.js";
import { LIMITS } from "../../domain/vocabulary/limits.js";
import type { Route, SessionRoute } from "../../path/front/route.js";
import { ADMINISTRATION_UNAVAILABLE, type ApiError } from "../../platform/http/api-error.js";
import type { Exchange } from "../../platform/http/exchange.js";
import { readCursor, readPageSize } from "../../platform/http/page-query.js";
import { Query } from "../../platform/http/query.js";
import { eventDeliveryBody, eventEndpointBody } from "./response.js";
import { createEventDeliveries, type Added, type EventDeliveries } from "./deliveries.js";
import { createEventEndpoints, type EventEndpoints, type EventEndpointsOptions } from "./service.js";
import type {
  EventEndpointResponseBody,
  CreatedEventDeliveryBody,
  CreatedEventEndpointBody,
  EventDeliveryListBody,
  EventEndpointListBody,
} from "./wire/event-endpoint-response-schema.js";
import { parseEventEndpointChanges, parseNewEventEndpoint } from "./wire/event-endpoint-body.js";

export interface EventRoutesParts extends EventEndpointsOptions {
  /** EVENTS_ALLOW_PRIVATE */
  allowsPrivate: boolean;
}

/** The routes for the endpoints that a workspace's events go to. */
export function eventRoutes(parts: EventRoutesParts): Route[] {
  const endpoints = createEventEndpoints(parts);
  const deliveries = createEventDeliveries(parts);
  return [
    listEndpointsRoute(endpoints.list),
    createEndpointRoute(endpoints.create, parts.allowsPrivate),
    readEndpointRoute(endpoints.find),
    updateEndpointRoute(endpoints.update, parts.allowsPrivate),
    deleteEndpointRoute(endpoints.remove),
    testEndpointRoute(deliveries.test),
    listDeliveriesRoute(deliveries.list),
    redeliverRoute(deliveries.redeliver),
  ];
}

const ACCESS = { roles: ["owner", "admin", "developer"] } as const;
const UNKNOWN_ENDPOINT: ApiError = { kind: "not_found", message: "Event endpoint not found" };
const UNKNOWN_DELIVERY: ApiError = { kind: "not_found", message: "Delivery not found" };
const DISABLED: ApiError = { kind: "conflict", message: "Event endpoint is not enabled" };
const NO_SECRET_KEY: ApiError = {
  kind: "unavailable",
  message: "Secrets cannot be stored: SECRET_KEY is not set",
};
const PAGE_QUERY = ["page_size", "starting_after", "ending_before"] as const;

/** GET /v1/event-endpoints: newest first, and never a secret. */
function listEndpointsRoute(list: EventEndpoints["list"]): SessionRoute {
  return {
    method: "GET",
    path: "/v1/event-endpoints",
    access: ACCESS,
    bodyBytesMax: null,
    query: PAGE_QUERY,
    async handle(exchange, principal) {
      const query = new Query(exchange.head.query);
      const page = { pageSize: readPageSize(query), cursor: readCursor(query, "ep") };
      if (query.issues.length > 0) return exchange.fail({ kind: "invalid", issues: query.issues });
      const found = await list(principal, page);
      if (found === "unavailable") return exchange.fail(ADMINISTRATION_UNAVAILABLE);
      const body = { event_endpoints: found.endpoints.map(eventEndpointBody), has_more: found.hasMore };
      exchange.send(200, JSON.stringify(body satisfies EventEndpointListBody));
    },
  };
}

/** POST /v1/event-endpoints: 201. No other answer contains the secret. */
function createEndpointRoute(create: EventEndpoints["create"], allowsPrivate: boolean): SessionRoute {
  return {
    method: "POST",
    onRepeat: "replay",
    path: "/v1/event-endpoints",
    access: ACCESS,
    bodyBytesMax: LIMITS.smallBodyBytesMax,
    async handle(exchange, principal, _params, text) {
      const parsed = parseNewEventEndpoint(text, allowsPrivate);
      if (!parsed.ok) return exchange.fail({ kind: "invalid", issues: parsed.issues });
      const { url, types, description = null, format = "standard" } = parsed.value;
      const created = await create(principal, { url, types: [...types], description, format });
      if (created === "unavailable") return exchange.fail(ADMINISTRATION_UNAVAILABLE);
      if (created === "no_secret_key") return exchange.fail(NO_SECRET_KEY);
      if (isLimitReached(created)) return exchange.fail(created);
      const { endpoint, secret } = created;
      const body = { event_endpoint: eventEndpointBody(endpoint), secret };
      exchange.send(201, JSON.stringify(body satisfies CreatedEventEndpointBody));
    },
  };
}

/** GET /v1/event-endpoints/:id: 200, and never the secret. */
function readEndpointRoute(find: EventEndpoints["find"]): SessionRoute {
  return {
    method: "GET",
    path: "/v1/event-endpoints/:id",
    access: ACCESS,
    bodyBytesMax: null,
    async handle(exchange, principal, [endpointId = ""]) {
      const found = await find(principal, endpointId);
      if (found === "unavailable") return exchange.fail(ADMINISTRATION_UNAVAILABLE);
      if (found === null) return exchange.fail(UNKNOWN_ENDPOINT);
      const body = { event_endpoint: eventEndpointBody(found) };
      exchange.send(200, JSON.stringify(body satisfies EventEndpointResponseBody));
    },
  };
}

/** PATCH /v1/event-endpoints/:id: 200. Fields that the body leaves out stay as they are. */
function updateEndpointRoute(update: EventEndpoints["update"], allowsPrivate: boolean): SessionRoute {
  return {
    method: "PATCH",
    path: "/v1/event-endpoints/:id",
    access: ACCESS,
    bodyBytesMax: LIMITS.smallBodyBytesMax,
    async handle(exchange, principal, [endpointId = ""], text) {
      const parsed = parseEventEndpointChanges(text, allowsPrivate);
      if (!parsed.ok) return exchange.fail({ kind: "invalid", issues: parsed.issues });
      const { types, ...changes } = parsed.value;
      const changed = await update(principal, endpointId, {
        ...changes,
        ...(types === undefined ? {} : { types: [...types] }),
      });
      if (changed === "unavailable") return exchange.fail(ADMINISTRATION_UNAVAILABLE);
      if (changed === null) return exchange.fail(UNKNOWN_ENDPOINT);
      const body = { event_endpoint: eventEndpointBody(changed) };
      exchange.send(200, JSON.stringify(body satisfies EventEndpointResponseBody));
    },
  };
}

/** DELETE /v1/event-endpoints/:id: 204. Its deliveries are deleted too. */
function deleteEndpointRoute(remove: EventEndpoints["remove"]): SessionRoute {
  return {
    method: "DELETE",
    path: "/v1/event-endpoints/:id",
    access: ACCESS,
    bodyBytesMax: null,
    async handle(exchange, principal, [endpointId = ""]) {
      const removed = await remove(principal, endpointId);
      if (removed === "unavailable") return exchange.fail(ADMINISTRATION_UNAVAILABLE);
      if (!removed) return exchange.fail(UNKNOWN_ENDPOINT);
      exchange.sendNoContent();
    },
  };
}

/** POST /v1/event-endpoints/:id/test: 201 `{delivery}`. The test event is sent like any other event. */
function testEndpointRoute(test: EventDeliveries["test"]): SessionRoute {
  return {
    method: "POST",
    onRepeat: "replay",
    path: "/v1/event-endpoints/:id/test",
    access: ACCESS,
    bodyBytesMax: null,
    async handle(exchange, principal, [endpointId = ""]) {
      answerAdded(exchange, await test(principal, endpointId), UNKNOWN_ENDPOINT);
    },
  };
}

/** GET /v1/event-endpoints/:id/deliveries: newest first. */
function listDeliveriesRoute(list: EventDeliveries["list"]): SessionRoute {
  return {
    method: "GET",
    path: "/v1/event-endpoints/:id/deliveries",
    access: ACCESS,
    bodyBytesMax: null,
    query: PAGE_QUERY,
    async handle(exchange, principal, [endpointId = ""]) {
      const query = new Query(exchange.head.query);
      const page = { pageSize: readPageSize(query), cursor: readCursor(query, "dlv") };
      if (query.issues.length > 0) return exchange.fail({ kind: "invalid", issues: query.issues });
      const found = await list(principal, endpointId, page);
      if (found === "unavailable") return exchange.fail(ADMINISTRATION_UNAVAILABLE);
      if (found === null) return exchange.fail(UNKNOWN_ENDPOINT);
      const body = { deliveries: found.deliveries.map(eventDeliveryBody), has_more: found.hasMore };
      exchange.send(200, JSON.stringify(body satisfies EventDeliveryListBody));
    },
  };
}

/**
 * POST /v1/event-endpoints/:id/deliveries/:deliveryId/redeliver: 201 `{delivery}`, a new delivery of the same event.
 */
function redeliverRoute(redeliver: EventDeliveries["redeliver"]): SessionRoute {
  return {
    method: "POST",
    onRepeat: "replay",
    path: "/v1/event-endpoints/:id/deliveries/:deliveryId/redeliver",
    access: ACCESS,
    bodyBytesMax: null,
    async handle(exchange, principal, [endpointId = "", deliveryId = ""]) {
      answerAdded(exchange, await redeliver(principal, endpointId, deliveryId), UNKNOWN_DELIVERY);
    },
  };
}

function answerAdded(exchange: Exchange, added: Added | "unavailable", unknown: ApiError): void {
  if (added === "unavailable") return exchange.fail(ADMINISTRATION_UNAVAILABLE);
  if (added === "unknown") return exchange.fail(unknown);
  if (added === "disabled") return exchange.fail(DISABLED);
  const body = { delivery: eventDeliveryBody(added) };
  exchange.send(201, JSON.stringify(body satisfies CreatedEventDeliveryBody));
}
