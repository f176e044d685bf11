import assert from "node:assert/strict";
import { describe, it } from "node:test";
import type { FromSchema } from "json-schema-to-ts";
import type * as client from "payinference/client";
import type * as dashboard from "../../../src/dashboard/api/wire-types.js";
import type { CostComponents } from "../../../src/domain/decision/evaluation-bodies.js";
import type { ScoreComponents } from "../../../src/domain/decision/score-terms.js";
import type { analyticsSummarySchema } from "../../../src/features/analytics/wire/summary-response-schema.js";
import type { decisionListSchema } from "../../../src/features/decisions/wire/decision-log-schema.js";
import type { outcomeReceiptSchema } from "../../../src/features/outcomes/wire/outcome-response-schema.js";
import type { backtestResultSchema } from "../../../src/features/policies/wire/backtest-response-schema.js";
import type {
  simulationSchema,
  translationSchema,
} from "../../../src/features/policies/wire/policy-trial-response-schema.js";
import type { SimulationBody } from "../../../src/features/policies/wire/simulation-schema.js";
import type { decisionResponseSchema } from "../../../src/path/wire/decision-response-schema.js";
import { ACTIONS, MODES } from "../../../src/domain/vocabulary/vocabulary.js";
import type { JsonSchema } from "../../../src/platform/wire/body-validator.js";
import { idSchema, nullableTimestampSchema } from "../../../src/platform/wire/scalars.js";
import { typeFile } from "../../house/wire-types/type-file.js";
import { declarationText, OPEN_SET, typeText, type TypeNames } from "../../house/wire-types/type-text.js";

const named: JsonSchema = { type: "object", properties: { a: { type: "string" } } };
const LISTS: readonly [string, readonly string[]][] = [
  ["Mode", MODES],
  ["Action", ACTIONS],
  [OPEN_SET, ["any_provider"]],
];
const NAMES: TypeNames = {
  ofSchema: (schema) => (schema === named ? "Named" : undefined),
  ofValues: (values) => LISTS.find(([, list]) => String(list) === String(values))?.[0],
};
const object = (properties: JsonSchema, others: JsonSchema = {}): JsonSchema => ({
  type: "object",
  properties,
  ...others,
});

type Takes<Wide, Narrow extends Wide> = Narrow;

/**
 * The service derives its types from the schemas by json-schema-to-ts. If a generated type differs from them, this does
 * not compile.
 */
export type ReadAlike = [
  Takes<client.ServiceDecision, FromSchema<typeof decisionResponseSchema>>,
  Takes<FromSchema<typeof decisionResponseSchema>, client.ServiceDecision>,
  Takes<client.DecisionPage, FromSchema<typeof decisionListSchema>>,
  Takes<FromSchema<typeof decisionListSchema>, client.DecisionPage>,
  Takes<client.OutcomeReceipt, FromSchema<typeof outcomeReceiptSchema>>,
  Takes<FromSchema<typeof outcomeReceiptSchema>, client.OutcomeReceipt>,
  Takes<client.Simulation, FromSchema<typeof simulationSchema>>,
  Takes<FromSchema<typeof simulationSchema>, client.Simulation>,
  Takes<FromSchema<typeof translationSchema>["warnings"], client.Translation["warnings"]>,
  Takes<client.SimulationRequest["transaction"], SimulationBody["transaction"]>,
  Takes<SimulationBody, Omit<client.SimulationRequest, "policy">>,
  Takes<dashboard.AnalyticsSummary, FromSchema<typeof analyticsSummarySchema>>,
  Takes<FromSchema<typeof analyticsSummarySchema>, dashboard.AnalyticsSummary>,
  Takes<FromSchema<typeof backtestResultSchema>, dashboard.BacktestResult>,
];

/**
 * The client derives these types from the members of `components`: those that may be absent are costs. The types must
 * equal those of the domain.
 */
export type TermsAlike = [
  Takes<client.ScoreComponents, ScoreComponents>,
  Takes<ScoreComponents, client.ScoreComponents>,
  Takes<client.CostComponents, CostComponents>,
  Takes<CostComponents, client.CostComponents>,
  Takes<keyof ScoreComponents, keyof client.ScoreComponents>,
  Takes<keyof CostComponents, keyof client.CostComponents>,
];

/** Puts the text on one line, because formatting does not change its meaning. */
const oneLine = (text: string): string => text.replaceAll(/\s+/g, " ").trim();

describe("generated wire types: the type of a schema", () => {
  const table: [title: string, schema: JsonSchema, text: string][] = [
    ["a text", idSchema("dec"), "string"],
    ["a whole number", { type: "integer", minimum: 0 }, "number"],
    ["null among the types", nullableTimestampSchema, "string | null"],
    ["two kinds of number are one type", { type: ["integer", "number"] }, "number"],
    ["a constant", { const: "result" }, '"result"'],
    ["values without a name", { type: "string", enum: ["cache", "live"] }, '"cache" | "live"'],
    ["values of the vocabulary", { type: "string", enum: [...MODES] }, "Mode"],
    ["null among values", { type: ["string", "null"], enum: [...MODES, null] }, "Mode | null"],
    ["values that an open text is known to take", { type: "string", examples: ["a"] }, '"a"'],
    ["what takes anything", { description: "Anything." }, "unknown"],
    ["a list", { type: "array", items: { type: ["string", "null"] } }, "(string | null)[]"],
    ["a list of anything", { type: "array" }, "unknown[]"],
    ["a schema with a name", { type: "array", items: named }, "(Named)[]"],
    ["alternatives", { anyOf: [named, { type: "null" }] }, "Named | null"],
    ["alternatives of which one holds", { oneOf: [{ const: 1 }, { const: 2 }] }, "1 | 2"],
    ["a schema beside one without a type", { allOf: [named, { patternProperties: {} }] }, "Named"],
    ["an object without fields", { type: "object" }, "Record<string, unknown>"],
    [
      "an object by keys of its own",
      { type: "object", additionalProperties: { type: "number" } },
      "Record<string, number>",
    ],
    [
      "a field that may be absent",
      object({ a: { type: "string" }, b: named }, { required: ["a"] }),
      "{ a: string; b?: Named; }",
    ],
    [
      "a field's description",
      object({ a: { type: "string", description: "Ends */ here." } }),
      "{ /** Ends *\\/ here. */ a?: string; }",
    ],
    [
      "what the document says of a format",
      object({ a: { type: "string", format: "iso-4217" } }),
      "{ /** ISO 4217. */ a?: string; }",
    ],
    [
      "a field for each value of the vocabulary",
      object(Object.fromEntries(ACTIONS.map((action) => [action, { type: "integer" }]))),
      "Partial<Record<Action, number>>",
    ],
    [
      "a field for each provider of the deployment",
      object({ any_provider: { type: "integer" } }),
      "Record<ProviderId, number>",
    ],
    [
      "fields of which one is required",
      object(
        { type: { const: "x" }, a: { type: "string" }, b: { type: "number" } },
        { required: ["type"], oneOf: [{ required: ["a"] }, { required: ["b"] }] },
      ),
      '{ type: "x"; } & ({ a: string; b?: never; } | { a?: never; b: number; })',
    ],
    [
      "fields that exclude each other",
      object({ a: { type: "string" }, b: { type: "number" } }, { not: { required: ["a", "b"] } }),
      "{ } & ({ a?: never; b?: number; } | { a?: string; b?: never; })",
    ],
  ];
  for (const [title, schema, text] of table)
    it(`${title}: ${text}`, () => {
      assert.equal(oneLine(typeText(schema, NAMES)), text);
    });

  it("refuses a type that it does not know, rather than write a wrong one", () => {
    assert.throws(() => typeText({ type: "date" }, NAMES), /no type for "date"/);
  });
});

describe("generated wire types: a declaration", () => {
  it("is an interface where the schema is an object, with the schema's description", () => {
    const schema = object({ a: { const: 1 } }, { required: ["a"], description: "One." });
    assert.equal(
      oneLine(declarationText("One", schema, NAMES)),
      "/** One. */ export interface One { a: 1; }",
    );
  });

  it("is an alias elsewhere", () => {
    assert.equal(
      declarationText("Either", { anyOf: [named, { const: 1 }] }, NAMES),
      "export type Either = Named | 1;",
    );
  });
});

describe("generated wire types: a file", () => {
  const inner: JsonSchema = object({ mode: { enum: MODES } });
  const placeholder: JsonSchema = { type: "object" };
  const outer: JsonSchema = object({ inner, again: { type: "array", items: placeholder } });
  const known = {
    schemas: new Map([
      [inner, { name: "Inner", from: null }],
      [outer, { name: "Outer", from: null }],
      [placeholder, { name: "Outer", from: null }],
      [named, { name: "Named", from: "src/domain/named.ts" }],
    ]),
    values: [{ name: "Mode", from: "src/domain/mode.ts", list: MODES }],
  };

  it("declares the roots and the types that they refer to, and imports the types of another file", () => {
    const { text } = typeFile("src/client/types.ts", [outer], known);
    assert.match(text, /^\/\*\*\n \* Generated by `npm run wire-types`/);
    assert.match(text, /import type { Mode } from "\.\.\/domain\/mode\.js";/);
    assert.match(text, /export interface Inner { mode\?: Mode; }/);
    assert.doesNotMatch(text, /Named/);
  });

  it("declares a name by the first of its schemas, which may refer to itself by another", () => {
    const { text } = typeFile("src/client/types.ts", [outer], known);
    assert.match(text, /export interface Outer { inner\?: Inner; again\?: \(Outer\)\[\]; }/);
  });

  it("imports the types that another generated file declares", () => {
    const first = typeFile("src/client/types.ts", [inner], known);
    const schemas = new Map([...known.schemas, ...first.schemas]);
    const { text } = typeFile("src/dashboard/api/types.ts", [outer], { ...known, schemas });
    assert.match(text, /import type { Inner } from "\.\.\/\.\.\/client\/types\.js";/);
    assert.doesNotMatch(text, /interface Inner/);
  });
});
