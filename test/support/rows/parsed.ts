import type { Json } from "../../../src/platform/wire/json.js";

export function parsed<T>(json: Json<T>): T {
  return JSON.parse(json) as T;
}
