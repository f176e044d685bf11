import type { JsonSchema } from "../../../src/platform/wire/body-validator.js";
import { inPublicKeywords } from "../../../src/platform/wire/published-keywords.js";

/** The types that a text refers to by name. Undefined means that the text spells the type out. */
export interface TypeNames {
  ofSchema(schema: JsonSchema): string | undefined;
  /** Finds a named type by its enum values, without null. */
  ofValues(values: readonly unknown[]): string | undefined;
}

/** The type of an open set of keys: any text. A `Record` with such keys requires none, so it needs no `Partial`. */
export const OPEN_SET = "ProviderId";

/** `export interface` or `export type`, with the schema's description above it. */
export function declarationText(name: string, schema: JsonSchema, names: TypeNames): string {
  const text = contentText(schema, names);
  const isInterface = schema["type"] === "object" && text.startsWith("{") && text.endsWith("}");
  return `${docText(schema)}export ${isInterface ? `interface ${name} ${text}` : `type ${name} = ${text};`}`;
}

/** The TypeScript type of every JSON value that the schema takes. Bounds and patterns have no type. */
export function typeText(schema: JsonSchema, names: TypeNames): string {
  return names.ofSchema(schema) ?? contentText(schema, names);
}

function contentText(schema: JsonSchema, names: TypeNames): string {
  if ("const" in schema) return JSON.stringify(schema["const"]);
  // `examples` lists the known values of a text whose schema accepts any text.
  const values = schema["enum"] ?? schema["examples"];
  if (Array.isArray(values)) return valuesText(values, names);
  const { type } = schema;
  if (type !== undefined) {
    return union((Array.isArray(type) ? type : [type]).map((one) => primitiveText(one, schema, names)));
  }
  const alternatives = schema["anyOf"] ?? schema["oneOf"];
  if (Array.isArray(alternatives)) {
    return union(alternatives.map((one) => typeText(one as JsonSchema, names)));
  }
  if (Array.isArray(schema["allOf"])) {
    const texts = schema["allOf"].map((one) => typeText(one as JsonSchema, names));
    return texts.filter((text) => text !== "unknown").join(" & ");
  }
  return "unknown";
}

function valuesText(values: readonly unknown[], names: TypeNames): string {
  const present = values.filter((value) => value !== null);
  const text = names.ofValues(present) ?? union(present.map((value) => JSON.stringify(value)));
  return present.length === values.length ? text : `${text} | null`;
}

function primitiveText(type: unknown, schema: JsonSchema, names: TypeNames): string {
  switch (type) {
    case "string":
    case "boolean":
    case "null":
      return type;
    case "integer":
    case "number":
      return "number";
    case "array":
      return schema["items"] === undefined
        ? "unknown[]"
        : `(${typeText(schema["items"] as JsonSchema, names)})[]`;
    case "object":
      return objectText(schema, names);
    default:
      throw new TypeError(`no type for ${JSON.stringify(type)}`);
  }
}

type Presence = "required" | "optional" | "never";
type Properties = Readonly<Record<string, JsonSchema>>;

function objectText(schema: JsonSchema, names: TypeNames): string {
  const properties = schema["properties"] as Properties | undefined;
  if (properties === undefined) {
    const values = schema["additionalProperties"];
    return `Record<string, ${typeof values === "object" ? typeText(values as JsonSchema, names) : "unknown"}>`;
  }
  const keys = names.ofValues(Object.keys(properties));
  const [first] = Object.values(properties);
  if (keys !== undefined && first !== undefined) {
    const record = `Record<${keys}, ${typeText(first, names)}>`;
    return keys === OPEN_SET ? record : `Partial<${record}>`;
  }
  const required = (schema["required"] ?? []) as readonly string[];
  const choices = choicesOf(schema);
  const chosen = new Set(choices.flatMap((choice) => Object.keys(choice)));
  const fieldsText = (presences: Readonly<Record<string, Presence>>): string => {
    const fields = Object.entries(presences).map(([name, presence]) =>
      fieldText(name, presence, properties[name] as JsonSchema, names),
    );
    return `{ ${fields.join(" ")} }`;
  };
  const shared = Object.keys(properties).filter((name) => !chosen.has(name));
  const sharedText = fieldsText(
    Object.fromEntries(shared.map((name) => [name, required.includes(name) ? "required" : "optional"])),
  );
  return choices.length === 0 ? sharedText : `${sharedText} & (${choices.map(fieldsText).join(" | ")})`;
}

/**
 * The alternatives of properties that exclude each other. In the schema, `oneOf` or `not` stands beside `properties`
 * and names them under `required`.
 */
function choicesOf({ oneOf, not }: JsonSchema): Record<string, Presence>[] {
  if (Array.isArray(oneOf)) {
    const requirements = oneOf.map(requiredOf);
    return requirements.map((required) => presences(requirements.flat(), (name) => required.includes(name)));
  }
  const together = requiredOf(not);
  return together.map((absent) => ({ ...all(together, "optional"), [absent]: "never" }));
}

function presences(
  names: readonly string[],
  isRequired: (name: string) => boolean,
): Record<string, Presence> {
  return Object.fromEntries(names.map((name) => [name, isRequired(name) ? "required" : "never"]));
}

function all(names: readonly string[], presence: Presence): Record<string, Presence> {
  return Object.fromEntries(names.map((name) => [name, presence]));
}

function requiredOf(schema: unknown): readonly string[] {
  const required = (schema as JsonSchema | undefined)?.["required"];
  return Array.isArray(required) ? (required as string[]) : [];
}

function fieldText(name: string, presence: Presence, schema: JsonSchema, names: TypeNames): string {
  const key = `${name}${presence === "required" ? "" : "?"}`;
  if (presence === "never") return `${key}: never;`;
  // A named type carries the description itself, so the property does not repeat it.
  const named = names.ofSchema(schema);
  return named === undefined
    ? `${docText(schema)}${key}: ${contentText(schema, names)};`
    : `${key}: ${named};`;
}

/** The schema's description as a doc comment. */
function docText(schema: JsonSchema): string {
  const { description } = inPublicKeywords(schema, "answered");
  return typeof description === "string" ? `\n/** ${description.replaceAll("*/", "*\\/")} */\n` : "";
}

function union(texts: readonly string[]): string {
  return [...new Set(texts)].join(" | ");
}
