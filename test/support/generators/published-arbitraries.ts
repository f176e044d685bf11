import * as fc from "fast-check";
import { anyText } from "./text.js";

/** Bodies that are made from a published schema alone, as a merchant's tools would make them. */

type Schema = Readonly<Record<string, unknown>>;
type Schemas = Readonly<Record<string, object>>;

/** How deep lists of conditions and free forms may nest. Below that, the shortest value is taken. */
const DEPTH_MAX = 5;
const ITEMS_BEYOND_MIN = 2;

/** Values that the schema allows. A rule that combines several members may still refuse some of them. */
export function publishedArbitrary(schema: object, schemas: Schemas): fc.Arbitrary<unknown> {
  return arbitraryOf(schema as Schema, schemas, 0);
}

function arbitraryOf(schema: Schema, schemas: Schemas, depth: number): fc.Arbitrary<unknown> {
  const whole = flattened(schema, schemas);
  if (Array.isArray(whole)) {
    const branches = depth >= DEPTH_MAX ? whole.slice(0, 1) : whole;
    return fc.oneof(...branches.map((branch) => arbitraryOf(branch, schemas, depth)));
  }
  if ("const" in whole) return fc.constant(whole["const"]);
  if (Array.isArray(whole["enum"])) return fc.constantFrom(...(whole["enum"] as unknown[]));
  const types = [whole["type"]].flat() as string[];
  return fc.oneof(...types.map((type) => ofType(type, whole, schemas, depth)));
}

/** Follows references and merges conjunctions. Alternatives become a list. */
function flattened(schema: Schema, schemas: Schemas): Schema | Schema[] {
  const { $ref, allOf, oneOf, anyOf, ...rest } = schema;
  if (typeof $ref === "string") {
    const target = schemas[$ref.split("/").at(-1) ?? ""] as Schema;
    return flattened(joined(target, rest), schemas);
  }
  if (Array.isArray(allOf)) return flattened(allOf.reduce(joinResolved(schemas), rest) as Schema, schemas);
  const branches = (oneOf ?? anyOf) as Schema[] | undefined;
  return branches === undefined ? rest : branches.map((branch) => joined(rest, branch));
}

const joinResolved =
  (schemas: Schemas) =>
  (whole: Schema, part: Schema): Schema => {
    const flat = flattened(part, schemas);
    return Array.isArray(flat) ? whole : joined(whole, flat);
  };

function joined(a: Schema, b: Schema): Schema {
  const required = [...((a["required"] ?? []) as string[]), ...((b["required"] ?? []) as string[])];
  const properties = joinedProperties(a["properties"] as Schema, b["properties"] as Schema);
  return {
    ...a,
    ...b,
    ...(required.length === 0 ? {} : { required: [...new Set(required)] }),
    ...(Object.keys(properties).length === 0 ? {} : { properties }),
  };
}

/** If a part declares a member without a schema, the member keeps the schema of the other part. */
function joinedProperties(a: Schema = {}, b: Schema = {}): Schema {
  const silent = Object.keys(b).filter((name) => name in a && Object.keys(b[name] as object).length === 0);
  return { ...a, ...b, ...Object.fromEntries(silent.map((name) => [name, a[name]])) };
}

function ofType(type: string, schema: Schema, schemas: Schemas, depth: number): fc.Arbitrary<unknown> {
  switch (type) {
    case "null":
      return fc.constant(null);
    case "boolean":
      return fc.boolean();
    case "integer":
      return integers(schema);
    case "number":
      return numbers(schema);
    case "string":
      return strings(schema);
    case "array":
      return arrays(schema, schemas, depth);
    case "object":
      return objects(schema, schemas, depth);
    default:
      throw new TypeError(`nothing is generated for type ${type}`);
  }
}

function integers({ minimum, maximum }: Schema): fc.Arbitrary<number> {
  const [min, max] = [(minimum ?? -1e9) as number, (maximum ?? 1e9) as number];
  return fc.oneof(fc.integer({ min, max }), fc.constantFrom(min, max));
}

function numbers({ minimum, maximum, multipleOf }: Schema): fc.Arbitrary<number> {
  const [min, max] = [(minimum ?? -1e9) as number, (maximum ?? 1e9) as number];
  const steps = multipleOf === undefined ? 1 : Math.round(1 / (multipleOf as number));
  const inSteps = fc.integer({ min: min * steps, max: max * steps }).map((count) => count / steps);
  return multipleOf === undefined ? fc.oneof(inSteps, fc.double({ min, max, noNaN: true })) : inSteps;
}

const FROM_MS = Date.UTC(1900, 0);
const TO_MS = Date.UTC(2100, 0);
const offset = fc.oneof(fc.constantFrom("Z", "+00:00", "-00:00", "+23:59", "-23:59", "+05:30"));

/** Text of any characters, such as astral ones, quotes and line ends. It has no lone surrogates. */
const text = (minLength: number, maxLength: number): fc.Arbitrary<string> =>
  anyText({ minLength, maxLength: Math.min(maxLength, minLength + 20) });

function strings({ format, pattern, minLength = 0, maxLength = 400 }: Schema): fc.Arbitrary<string> {
  const [min, max] = [minLength as number, maxLength as number];
  if (format === "date-time") {
    return fc
      .tuple(
        fc.integer({ min: FROM_MS, max: TO_MS }),
        fc.constantFrom("", ".1", ".123", ".123456789"),
        offset,
      )
      .map(([ms, fraction, zone]) => `${new Date(ms).toISOString().slice(0, 19)}${fraction}${zone}`);
  }
  if (pattern === undefined) return text(min, max);
  const expression = new RegExp(pattern as string);
  const matching = expression.test("\n")
    ? text(min, max).filter((value) => expression.test(value))
    : fc.constantFrom(...matchesOf(expression).filter((value) => value.length >= min && value.length <= max));
  const filled = "a".repeat(max);
  return expression.test(filled)
    ? fc.oneof({ arbitrary: matching, weight: 8 }, fc.constant(filled))
    : matching;
}

const MATCHES = 20;
const matches = new Map<string, string[]>();

/** Makes a few samples and repeats them, because making one takes longer than everything else. */
function matchesOf(expression: RegExp): string[] {
  const known =
    matches.get(expression.source) ?? fc.sample(fc.stringMatching(expression), { numRuns: MATCHES, seed: 1 });
  matches.set(expression.source, known);
  return known;
}

function arrays(
  { items, minItems = 0, maxItems, uniqueItems }: Schema,
  schemas: Schemas,
  depth: number,
): fc.Arbitrary<unknown[]> {
  const minLength = minItems as number;
  const beyond = depth >= DEPTH_MAX ? 0 : ITEMS_BEYOND_MIN;
  const maxLength = Math.min((maxItems ?? Infinity) as number, minLength + beyond);
  if (maxLength === 0) return fc.constant([]);
  const item = arbitraryOf(items as Schema, schemas, depth + 1);
  return uniqueItems === true
    ? fc.uniqueArray(item, { minLength, maxLength })
    : fc.array(item, { minLength, maxLength });
}

/** The most optional members of one generated object. */
const OPTIONAL_MAX = 6;

function objects(schema: Schema, schemas: Schemas, depth: number): fc.Arbitrary<unknown> {
  const { properties = {}, required = [], additionalProperties } = schema;
  const needed = required as string[];
  const member = (name: string): [string, fc.Arbitrary<unknown>] => [
    name,
    arbitraryOf((properties as Readonly<Record<string, Schema>>)[name] as Schema, schemas, depth + 1),
  ];
  if (typeof additionalProperties === "object") {
    const free = arbitraryOf(additionalProperties as Schema, schemas, depth + 1);
    const others = fc.dictionary(fc.constantFrom("a", "b c", "type", "__proto"), free, {
      maxKeys: depth >= DEPTH_MAX ? 0 : 2,
    });
    const named = fc.record(Object.fromEntries(needed.map(member)));
    return fc.tuple(others, named).map(([other, own]) => ({ ...other, ...own }));
  }
  const optional =
    depth >= DEPTH_MAX ? [] : Object.keys(properties as object).filter((n) => !needed.includes(n));
  return fc
    .subarray(optional, { maxLength: Math.min(optional.length, OPTIONAL_MAX) })
    .chain((chosen) => fc.record(Object.fromEntries([...needed, ...chosen].map(member))));
}
