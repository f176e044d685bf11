import type { EventEndpoint } from "../../api/wire-types.js";

/** Returns the name of an endpoint for buttons: its description, or otherwise its address. */
export function endpointName({ description, url }: Pick<EventEndpoint, "description" | "url">): string {
  return description === null || description === "" ? url : description;
}
