import type { FromSchema } from "json-schema-to-ts";
import { timestampSchema } from "../../platform/wire/scalars.js";

const dependency = { type: "string", enum: ["ok", "unreachable"] } as const;

/** OPS-1: the body of /health. */
export const livenessSchema = {
  type: "object",
  additionalProperties: false,
  required: ["status", "service", "time"],
  properties: { status: { const: "ok" }, service: { const: "payinference" }, time: timestampSchema },
} as const;

const checks = {
  type: "object",
  additionalProperties: false,
  required: ["postgres"],
  description: "The database, and the cache store: lmdb, or valkey where nodes share one.",
  properties: { postgres: dependency, lmdb: dependency, valkey: dependency },
} as const;

/** OPS-2: the body of /ready with status 200. */
export const readySchema = {
  type: "object",
  additionalProperties: false,
  required: ["status", "checks"],
  properties: { status: { const: "ready" }, checks },
} as const;

/** OPS-3: the body of /ready with status 503. */
export const notReadySchema = {
  type: "object",
  additionalProperties: false,
  required: ["status", "checks"],
  properties: { status: { const: "not_ready" }, checks },
} as const;

export type LivenessBody = FromSchema<typeof livenessSchema>;
export type ReadyBody = FromSchema<typeof readySchema>;
export type NotReadyBody = FromSchema<typeof notReadySchema>;
