import type { FromSchema, JSONSchema } from "json-schema-to-ts";

/** A body that the service answers, by its schema. It may be put together from lists that nobody may change. */
export type Answered<Schema extends JSONSchema> = ReadOnly<FromSchema<Schema>>;

type ReadOnly<T> = T extends object ? { readonly [Key in keyof T]: ReadOnly<T[Key]> } : T;
