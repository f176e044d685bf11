import { countries, currencies } from "../../domain/vocabulary/iso-codes.js";
import { TIMESTAMP_PATTERN } from "../../domain/vocabulary/timestamp.js";
import type { JsonSchema } from "./body-validator.js";

/** A `received` body comes from a caller, and the service may refuse it. An `answered` body comes from the service. */
export type Direction = "received" | "answered";

/**
 * ERR-14: no U+0000 and no lone surrogate. Without the flag `u`, a regular expression sees a surrogate pair as two
 * units, and with it as one character. The pattern has an alternative for each case, so it works with and without the
 * flag.
 */
export const TEXT_PATTERN = "^(?:[^\\u0000\\ud800-\\udfff]|[\\ud800-\\udbff][\\udc00-\\udfff])*$";

/** The codes that the service accepts. The lists are long, so each is a component of the document. */
export const CODE_LISTS = {
  Currency: { type: "string", enum: currencies(), description: "ISO 4217." },
  Country: { type: "string", enum: countries(), description: "ISO 3166-1 alpha-2." },
} as const satisfies Readonly<Record<string, JsonSchema>>;

/** Other validators do not know the service's own formats, so the document replaces them by standard keywords. */
const FORMATS: Readonly<Record<string, Readonly<Record<Direction, JsonSchema>>>> = {
  "iso-4217": {
    received: { $ref: "#/components/schemas/Currency" },
    // A stored currency may have been withdrawn later, so the list of current codes does not apply.
    answered: { pattern: "^[A-Z]{3}$", description: "ISO 4217." },
  },
  "iso-3166-1-alpha-2": {
    received: { $ref: "#/components/schemas/Country" },
    answered: { pattern: "^[A-Z]{2}$", description: "ISO 3166-1 alpha-2." },
  },
  "iso-8601": {
    received: {
      format: "date-time",
      pattern: TIMESTAMP_PATTERN,
      description: "RFC 3339, without a leap second; in UTC within the years 0001 to 9999.",
    },
    answered: { format: "date-time" },
  },
};

const BOUNDS_TEXT = ["pattern", "format", "enum", "const"];

/**
 * Converts one schema, without the schemas inside it, to keywords that every validator of JSON Schema 2020-12 knows. It
 * adds the rules that the service enforces outside its schemas.
 */
export function inPublicKeywords(schema: JsonSchema, direction: Direction): JsonSchema {
  const { format, ...others } = schema;
  const known = typeof format === "string" ? FORMATS[format]?.[direction] : undefined;
  if (known !== undefined) return withFormat(others, known);
  const isFreeText = isText(schema) && !BOUNDS_TEXT.some((keyword) => keyword in schema);
  return direction === "received" && isFreeText ? { ...schema, pattern: TEXT_PATTERN } : schema;
}

function withFormat(others: JsonSchema, known: JsonSchema): JsonSchema {
  if (known["$ref"] === undefined) {
    const descriptions = [others["description"], known["description"]].filter(
      (text) => typeof text === "string",
    );
    const description = descriptions.length === 0 ? {} : { description: descriptions.join(" ") };
    return { ...others, ...known, ...description };
  }
  const { type, ...rest } = others;
  // The list of codes does not contain null, so null is added as an alternative.
  return Array.isArray(type) ? { ...rest, anyOf: [known, { type: "null" }] } : { ...rest, ...known };
}

function isText({ type }: JsonSchema): boolean {
  return type === "string" || (Array.isArray(type) && type.includes("string"));
}
