import type { FromSchema } from "json-schema-to-ts";
import { createValidator, type Validated } from "../../../platform/wire/body-validator.js";
import { isEndpointUrl } from "../address/endpoint-url.js";
import { eventEndpointChangesSchema, newEventEndpointSchema } from "./event-endpoint-schema.js";

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
