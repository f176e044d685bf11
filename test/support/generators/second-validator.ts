import {
  registerSchema,
  validate,
  type SchemaObject,
  type Validator,
} from "@hyperjump/json-schema/openapi-3-1";

/**
 * A validator of JSON Schema 2020-12 that shares no code with the service's own, Ajv. If both agree, the document is
 * right by the standard, and not only by one library's reading. It treats `format` as an annotation, as the standard
 * allows. https://github.com/hyperjump-io/json-schema
 */
const DIALECT = "https://spec.openapis.org/oas/3.1/dialect/base";
const OPENAPI_SCHEMA = "https://spec.openapis.org/oas/3.1/schema-base";

type Value = Parameters<Validator>[0];

export class SecondValidator {
  static #documents = 0;
  readonly #uri = `https://payinference.test/${SecondValidator.#documents++}/openapi.json`;
  readonly #validators = new Map<string, Validator>();

  /** `document`: OpenAPI 3.1. */
  constructor(private readonly document: object) {
    registerSchema(document as SchemaObject, this.#uri, DIALECT);
  }

  /** The faults of the document itself, by the schema that OpenAPI publishes for documents. */
  async issuesOfDocument(): Promise<string[]> {
    const checked = await validate(OPENAPI_SCHEMA);
    return issuesBy(checked, this.document);
  }

  /** Compiles the schema at a pointer such as `#/components/schemas/Error`. */
  async at(
    pointer: string,
  ): Promise<{ isValid(value: unknown): boolean; issuesOf(value: unknown): string[] }> {
    const known = this.#validators.get(pointer) ?? (await validate(this.#uri + pointer));
    this.#validators.set(pointer, known);
    return {
      isValid: (value) => known(value as Value).valid,
      issuesOf: (value) => issuesBy(known, value),
    };
  }
}

function issuesBy(validator: Validator, value: unknown): string[] {
  const output = validator(value as Value, "BASIC");
  if (output.valid) return [];
  return (output.errors ?? []).map(
    ({ instanceLocation, absoluteKeywordLocation }) => `${instanceLocation} by ${absoluteKeywordLocation}`,
  );
}
