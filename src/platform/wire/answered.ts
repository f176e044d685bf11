import type { FromSchema, JSONSchema } from "json-schema-to-ts";

/** The type of an answered body, derived from its schema. Its lists may be readonly. */
export type Answered<Schema extends JSONSchema> = ReadOnly<FromSchema<Schema>>;

type ReadOnly<T> = T extends object ? { readonly [Key in keyof T]: ReadOnly<T[Key]> } : T;
