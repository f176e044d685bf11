import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { documentedOperations } from "../../../../src/features/docs/documented-operations.js";
import { requestSchemas } from "../../../../src/features/docs/request-schemas.js";
import { PAGE_PARAMETERS } from "../../../../src/platform/http/page-query.js";
import type { Operation } from "../../../../src/platform/wire/operation.js";

/** ADM-15: the answers with rows that are not paged, each with its reason. */
const NOT_PAGED: Readonly<Record<string, string>> = {
  "GET /v1/alerts": "A state: what is open now, and what was closed last (ALRT-13).",
  "GET /v1/policies/:merchantId": "The specification has this answer; it has no other field.",
  "GET /v1/pricing/rules/:merchantId": "A state: the prices that hold or will hold.",
  "GET /v1/provider-health": "A state: one row a segment, as the specification has it.",
  "GET /v1/admin/usage": "A report over the months that its query names.",
  "GET /v1/analytics/summary": "A report.",
  "GET /v1/decisions/aggregate": "A report, as the specification has it.",
  "GET /v1/decisions/:decisionId": "One decision, as the specification has it.",
};

interface Schema {
  properties?: Readonly<Record<string, { type?: unknown; items?: { type?: unknown } }>>;
}

/** The fields of an answer that contain rows: arrays of objects. */
function rowsOf(schema: Schema | undefined): string[] {
  return Object.entries(schema?.properties ?? {}).flatMap(([name, { type, items }]) =>
    type === "array" && items?.type === "object" ? [name] : [],
  );
}

const reads = Object.entries(
  documentedOperations(requestSchemas(["provider_1"])) as Record<string, Operation>,
)
  .filter(([key]) => key.startsWith("GET "))
  .map(([key, operation]) => {
    const schema = operation.answers[200]?.schema as Schema | undefined;
    return { key, rows: rowsOf(schema), schema, query: Object.keys(operation.query ?? {}) };
  });

describe("ADM-15: every list has the form of GET /v1/decisions", () => {
  const lists = reads.filter(({ key, rows }) => rows.length > 0 && NOT_PAGED[key] === undefined);

  for (const { key, schema, query } of lists) {
    it(`${key} takes page_size and both cursors, and answers has_more`, () => {
      for (const name of PAGE_PARAMETERS) assert.ok(query.includes(name), name);
      assert.equal(schema?.properties?.["has_more"]?.type, "boolean");
    });
  }

  it("the lists are found, and no other answer has rows", () => {
    const keys = lists.map(({ key }) => key);
    for (const key of ["GET /v1/team", "GET /v1/team/invitations", "GET /v1/api-keys", "GET /v1/exports"]) {
      assert.ok(keys.includes(key), key);
    }
    for (const key of Object.keys(NOT_PAGED)) {
      const read = reads.find((one) => one.key === key);
      assert.ok(read !== undefined && read.rows.length > 0, `${key} has no rows and needs no reason`);
      assert.ok(!read.query.includes("starting_after"), `${key} is paged`);
    }
  });
});
