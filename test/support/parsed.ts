import type { Json } from "../../src/shared/json.js";

export function parsed<T>(json: Json<T>): T {
  return JSON.parse(json) as T;
}
