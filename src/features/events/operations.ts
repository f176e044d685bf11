import type { Operations } from "../../platform/wire/operation.js";
import { cursors } from "../../platform/wire/parameters.js";
import { pageSizeParameter } from "../../platform/wire/query-schema.js";
import { idSchema } from "../../platform/wire/scalars.js";
import {
  eventEndpointResponseSchema,
  createdEventDeliverySchema,
  createdEventEndpointSchema,
  eventDeliveryListSchema,
  eventEndpointListSchema,
} from "./wire/event-endpoint-response-schema.js";
import { eventEndpointChangesSchema, newEventEndpointSchema } from "./wire/event-endpoint-schema.js";

const endpointInPath = { id: { schema: { type: "string" }, description: "Of an event endpoint." } } as const;
const UNKNOWN = "Unknown, or of another workspace.";
const NOT_ENABLED = "The endpoint is not enabled.";

export const EVENT_OPERATIONS: Operations = {
  "GET /v1/event-endpoints": {
    operationId: "listEventEndpoints",
    tag: "Events",
    summary: "Where the workspace's events go",
    query: {
      page_size: { schema: pageSizeParameter, description: "Endpoints of a page." },
      ...cursors(idSchema("ep"), "endpoint"),
    },
    answers: {
      200: { description: "One page, newest first. Never a secret.", schema: eventEndpointListSchema },
    },
  },
  "POST /v1/event-endpoints": {
    operationId: "createEventEndpoint",
    tag: "Events",
    summary: "Have events sent to an address",
    description:
      "Events are signed as Standard Webhooks are. Each is sent at least once, and those of one subject in order. An attempt that is not answered with 2xx within 10 s is repeated with growing pauses over 24 hours.",
    body: newEventEndpointSchema,
    answers: {
      201: { description: "With its secret, for the only time.", schema: createdEventEndpointSchema },
    },
    refuses: { 409: "The workspace has as many endpoints as it can.", 503: "Secrets cannot be stored." },
  },
  "GET /v1/event-endpoints/:id": {
    operationId: "getEventEndpoint",
    tag: "Events",
    summary: "One of these endpoints",
    path: endpointInPath,
    answers: { 200: { description: "Never with its secret.", schema: eventEndpointResponseSchema } },
    refuses: { 404: UNKNOWN },
  },
  "PATCH /v1/event-endpoints/:id": {
    operationId: "updateEventEndpoint",
    tag: "Events",
    summary: "Change an endpoint, disable it or enable it again",
    description:
      "What is not named stays. While it is disabled it gets no new events, and what waits for it waits.",
    path: endpointInPath,
    body: eventEndpointChangesSchema,
    answers: { 200: { description: "Changed.", schema: eventEndpointResponseSchema } },
    refuses: { 404: UNKNOWN },
  },
  "DELETE /v1/event-endpoints/:id": {
    operationId: "deleteEventEndpoint",
    tag: "Events",
    summary: "Delete an endpoint with its deliveries",
    path: endpointInPath,
    answers: { 204: { description: "Deleted." } },
    refuses: { 404: UNKNOWN },
  },
  "POST /v1/event-endpoints/:id/test": {
    operationId: "testEventEndpoint",
    tag: "Events",
    summary: "Send an event of type endpoint.test",
    path: endpointInPath,
    answers: { 201: { description: "It is sent within a second.", schema: createdEventDeliverySchema } },
    refuses: { 404: UNKNOWN, 409: NOT_ENABLED },
  },
  "GET /v1/event-endpoints/:id/deliveries": {
    operationId: "listEventDeliveries",
    tag: "Events",
    summary: "What was sent to an endpoint, and what waits",
    description: "A delivery that is done is listed for 7 days.",
    path: endpointInPath,
    query: {
      page_size: { schema: pageSizeParameter, description: "Deliveries of a page." },
      ...cursors(idSchema("dlv"), "delivery"),
    },
    answers: { 200: { description: "One page, newest first.", schema: eventDeliveryListSchema } },
    refuses: { 404: UNKNOWN },
  },
  "POST /v1/event-endpoints/:id/deliveries/:deliveryId/redeliver": {
    operationId: "redeliverEvent",
    tag: "Events",
    summary: "Send an event once more",
    description: "With the same webhook-id.",
    path: {
      ...endpointInPath,
      deliveryId: { schema: { type: "string" }, description: "Of a delivery to that endpoint." },
    },
    answers: { 201: { description: "A new delivery of the event.", schema: createdEventDeliverySchema } },
    refuses: { 404: UNKNOWN, 409: NOT_ENABLED },
  },
};
