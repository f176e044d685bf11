import { EVENT_FORMATS, EVENT_TYPES } from "../../../domain/vocabulary/event-types.js";
import { LIMITS } from "../../../domain/vocabulary/limits.js";

const properties = {
  url: {
    type: "string",
    maxLength: LIMITS.eventUrlCharsMax,
    // A name or an IPv4 address, or an IPv6 address in brackets.
    pattern:
      '^https?://([A-Za-z0-9]([A-Za-z0-9.-]*[A-Za-z0-9])?|\\[[0-9A-Fa-f:.]+\\])(:[1-9][0-9]{0,4})?([/?][!"$-~]*)?$',
    description: "A public https address.",
  },
  types: {
    type: "array",
    minItems: 1,
    uniqueItems: true,
    items: { type: "string", enum: EVENT_TYPES },
    description: "experiment.changed is not sent yet.",
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
