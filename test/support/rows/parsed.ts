import type { Json } from "../../../src/domain/vocabulary/json.js";

export function parsed<T>(json: Json<T>): T {
  return JSON.parse(json) as T;
}
