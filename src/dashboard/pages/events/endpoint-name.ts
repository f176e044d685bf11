import type { EventEndpoint } from "../../api/wire-types.js";

/** How buttons name an endpoint: by its description, or else by its address. */
export function endpointName({ description, url }: Pick<EventEndpoint, "description" | "url">): string {
  return description === null || description === "" ? url : description;
}
