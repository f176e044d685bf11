import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { readDecisionListQuery } from "../../../../src/features/decisions/decision-list-query.js";
import { Query } from "../../../../src/platform/http/query.js";

const NOW_MS = Date.UTC(2026, 10, 22, 10);
const HOUR_MS = 3_600_000;

describe("LOG-4: GET /v1/decisions, range", () => {
  for (const [range, hours] of [
    ["24h", 24],
    ["7d", 7 * 24],
    ["30d", 30 * 24],
    ["90d", 90 * 24],
    ["all", null],
    ["last_tuesday", null],
    ["constructor", null],
    ["", null],
  ] as const) {
    it(`${range || "an empty one"} begins ${hours === null ? "with the first decision" : `${hours} hours ago`}`, () => {
      const query = new Query(`range=${range}`);
      const { filter } = readDecisionListQuery(query, NOW_MS);
      assert.equal(filter.sinceMs, hours === null ? null : NOW_MS - hours * HOUR_MS);
      assert.deepEqual(query.issues, []);
    });
  }
});
