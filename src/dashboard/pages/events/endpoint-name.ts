import type { EventEndpoint } from "../../api/wire-types.js";

/** The name of an endpoint on buttons: its description, or otherwise its address. */
export function endpointName({ description, url }: Pick<EventEndpoint, "description" | "url">): string {
  return description === null || description === "" ? url : description;
}
