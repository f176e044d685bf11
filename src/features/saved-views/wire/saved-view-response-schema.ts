import { LIMITS } from "../../../domain/vocabulary/limits.js";
import { VIEWED_PAGES } from "../../../domain/vocabulary/vocabulary.js";
import type { Answered } from "../../../platform/wire/answered.js";
import { idSchema, timestampSchema } from "../../../platform/wire/scalars.js";

export const savedViewSchema = {
  type: "object",
  additionalProperties: false,
  required: ["id", "name", "page", "query", "is_shared", "owner", "created_at", "updated_at"],
  properties: {
    id: idSchema("svw"),
    name: { type: "string", maxLength: LIMITS.nameCharsMax },
    page: { type: "string", enum: VIEWED_PAGES },
    query: { type: "string" },
    is_shared: { type: "boolean" },
    owner: idSchema("usr"),
    created_at: timestampSchema,
    updated_at: timestampSchema,
  },
} as const;

export const savedViewResponseSchema = {
  type: "object",
  additionalProperties: false,
  required: ["saved_view"],
  properties: { saved_view: savedViewSchema },
} as const;

export const savedViewListSchema = {
  type: "object",
  additionalProperties: false,
  required: ["saved_views", "has_more"],
  properties: {
    saved_views: { type: "array", items: savedViewSchema },
    has_more: { type: "boolean", description: "Whether there are more rows in the direction of the walk." },
  },
} as const;

export type SavedViewBody = Answered<typeof savedViewSchema>;
export type SavedViewResponseBody = Answered<typeof savedViewResponseSchema>;
export type SavedViewListBody = Answered<typeof savedViewListSchema>;
