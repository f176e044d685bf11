import type { FromSchema } from "json-schema-to-ts";
import { LIMITS } from "../../../domain/vocabulary/limits.js";
import { VIEWED_PAGES } from "../../../domain/vocabulary/vocabulary.js";
import { createValidator } from "../../../platform/wire/body-validator.js";

const properties = {
  name: { type: "string", minLength: 1, maxLength: LIMITS.nameCharsMax },
  page: { type: "string", enum: VIEWED_PAGES, description: "The page of the dashboard that it belongs to." },
  query: {
    type: "string",
    maxLength: LIMITS.savedViewQueryCharsMax,
    pattern: "^[!-~]*$",
    description: "The query of the page's address, as URLs write it.",
  },
  is_shared: { type: "boolean", description: "Whether the whole workspace can read it." },
} as const;

/** ANA-10: POST /v1/saved-views */
export const newSavedViewSchema = {
  type: "object",
  additionalProperties: false,
  required: ["name", "page", "query"],
  properties: { ...properties, is_shared: { ...properties.is_shared, default: false } },
} as const;

/** ANA-11: PATCH /v1/saved-views/:id. Fields that are missing from the body do not change. */
export const savedViewChangesSchema = {
  type: "object",
  additionalProperties: false,
  properties,
} as const;

export type NewSavedViewBody = Omit<FromSchema<typeof newSavedViewSchema>, "is_shared"> & {
  is_shared?: boolean;
};
export type SavedViewChanges = FromSchema<typeof savedViewChangesSchema>;

export const newSavedViewValidator = createValidator<NewSavedViewBody>(newSavedViewSchema, { isRare: true });
export const savedViewChangesValidator = createValidator<SavedViewChanges>(savedViewChangesSchema, {
  isRare: true,
});

export const viewedPageParameter = { type: "string", enum: VIEWED_PAGES } as const;
