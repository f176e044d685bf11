import type { FromSchema } from "json-schema-to-ts";
import { EVENT_FORMATS, EVENT_TYPES } from "../../../domain/vocabulary/event-types.js";
import { LIMITS } from "../../../domain/vocabulary/limits.js";
import { createValidator, type Validated } from "../../../platform/wire/body-validator.js";
import { isEndpointUrl } from "../address/endpoint-url.js";

const properties = {
  url: {
    type: "string",
    maxLength: LIMITS.eventUrlCharsMax,
    pattern: '^https?://[A-Za-z0-9]([A-Za-z0-9.-]*[A-Za-z0-9])?(:[1-9][0-9]{0,4})?([/?][!"$-~]*)?$',
    description: "A public https address.",
  },
  types: {
    type: "array",
    minItems: 1,
    uniqueItems: true,
    items: { type: "string", enum: EVENT_TYPES },
    description: "experiment.changed and export.ready are not sent yet.",
  },
  description: { type: "string", maxLength: LIMITS.eventDescriptionCharsMax },
  format: { type: "string", enum: EVENT_FORMATS },
} as const;

/** EVT-2: POST /v1/event-endpoints */
export const newEventEndpointSchema = {
  type: "object",
  additionalProperties: false,
  required: ["url", "types"],
  properties,
} as const;

/** EVT-5: PATCH /v1/event-endpoints/:id */
export const eventEndpointChangesSchema = {
  type: "object",
  additionalProperties: false,
  properties: { ...properties, status: { type: "string", enum: ["enabled", "disabled"] } },
} as const;

type NewEventEndpointBody = FromSchema<typeof newEventEndpointSchema>;
type EventEndpointChangesBody = FromSchema<typeof eventEndpointChangesSchema>;

const newEndpoint = createValidator<NewEventEndpointBody>(newEventEndpointSchema);
const changes = createValidator<EventEndpointChangesBody>(eventEndpointChangesSchema);

/** `allowsPrivate` is EVENTS_ALLOW_PRIVATE. */
export function parseNewEventEndpoint(text: string, allowsPrivate: boolean): Validated<NewEventEndpointBody> {
  return withGoodUrl(newEndpoint.parse(text), allowsPrivate);
}

export function parseEventEndpointChanges(
  text: string,
  allowsPrivate: boolean,
): Validated<EventEndpointChangesBody> {
  return withGoodUrl(changes.parse(text), allowsPrivate);
}

function withGoodUrl<T extends { url?: string }>(parsed: Validated<T>, allowsPrivate: boolean): Validated<T> {
  if (!parsed.ok || parsed.value.url === undefined || isEndpointUrl(parsed.value.url, allowsPrivate))
    return parsed;
  return {
    ok: false,
    issues: [{ path: "url", code: "custom", message: "Must be a public https address" }],
  };
}
