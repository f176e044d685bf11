import type { FromSchema } from "json-schema-to-ts";
import {
  DELIVERY_ERRORS,
  DELIVERY_STATES,
  EVENT_ENDPOINT_STATUSES,
  EVENT_FORMATS,
  EVENT_TYPES,
  TEST_EVENT,
} from "../../../domain/vocabulary/event-types.js";
import {
  countSchema,
  idSchema,
  nullableTimestampSchema,
  timestampSchema,
} from "../../../platform/wire/scalars.js";

export const eventEndpointSchema = {
  type: "object",
  additionalProperties: false,
  required: ["id", "url", "types", "description", "format", "status", "failing_since", "created_at"],
  properties: {
    id: idSchema("ep"),
    url: { type: "string" },
    types: { type: "array", items: { type: "string", enum: EVENT_TYPES } },
    description: { type: ["string", "null"] },
    format: { type: "string", enum: EVENT_FORMATS },
    status: {
      type: "string",
      enum: EVENT_ENDPOINT_STATUSES,
      description:
        "failed: it accepted no event for 24 hours. Failed and disabled endpoints get no new events.",
    },
    failing_since: {
      ...nullableTimestampSchema,
      description: "The first failed attempt since the last event that it accepted.",
    },
    created_at: timestampSchema,
  },
} as const;

export const createdEventEndpointSchema = {
  type: "object",
  additionalProperties: false,
  required: ["event_endpoint", "secret"],
  properties: {
    event_endpoint: eventEndpointSchema,
    secret: { type: "string", pattern: "^whsec_", description: "Signs each delivery. Shown this once." },
  },
} as const;

export const eventEndpointResponseSchema = {
  type: "object",
  additionalProperties: false,
  required: ["event_endpoint"],
  properties: { event_endpoint: eventEndpointSchema },
} as const;

export const eventEndpointListSchema = {
  type: "object",
  additionalProperties: false,
  required: ["event_endpoints", "has_more"],
  properties: {
    event_endpoints: { type: "array", items: eventEndpointSchema },
    has_more: { type: "boolean", description: "Whether there are more rows in the direction of the walk." },
  },
} as const;

export const eventDeliverySchema = {
  type: "object",
  additionalProperties: false,
  required: [
    "id",
    "event_id",
    "type",
    "state",
    "attempts",
    "last_status",
    "last_error",
    "created_at",
    "last_tried_at",
    "next_try_at",
    "delivered_at",
  ],
  properties: {
    id: idSchema("dlv"),
    event_id: { ...idSchema("evt"), description: "The webhook-id, the same at every endpoint and attempt." },
    type: { type: "string", enum: [...EVENT_TYPES, TEST_EVENT] },
    state: { type: "string", enum: DELIVERY_STATES },
    attempts: countSchema,
    last_status: { type: ["integer", "null"], description: "The HTTP status. Null without an answer." },
    last_error: {
      type: ["string", "null"],
      enum: [...DELIVERY_ERRORS, null],
      description: "Why there was no answer.",
    },
    created_at: timestampSchema,
    last_tried_at: nullableTimestampSchema,
    next_try_at: { ...nullableTimestampSchema, description: "Null if it does not wait." },
    delivered_at: nullableTimestampSchema,
  },
} as const;

export const createdEventDeliverySchema = {
  type: "object",
  additionalProperties: false,
  required: ["delivery"],
  properties: { delivery: eventDeliverySchema },
} as const;

export const eventDeliveryListSchema = {
  type: "object",
  additionalProperties: false,
  required: ["deliveries", "has_more"],
  properties: {
    deliveries: { type: "array", items: eventDeliverySchema },
    has_more: { type: "boolean", description: "Whether there are more rows in the direction of the walk." },
  },
} as const;

export type EventEndpointBody = FromSchema<typeof eventEndpointSchema>;

export type CreatedEventEndpointBody = FromSchema<typeof createdEventEndpointSchema>;

export type EventEndpointResponseBody = FromSchema<typeof eventEndpointResponseSchema>;

export type EventEndpointListBody = FromSchema<typeof eventEndpointListSchema>;

export type EventDeliveryBody = FromSchema<typeof eventDeliverySchema>;

export type CreatedEventDeliveryBody = FromSchema<typeof createdEventDeliverySchema>;

export type EventDeliveryListBody = FromSchema<typeof eventDeliveryListSchema>;
