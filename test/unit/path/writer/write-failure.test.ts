import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { describeFailure, failureFields } from "../../../../src/path/writer/write-failure.js";

const STEP = { phase: "transaction", name: "apply_outcomes" } as const;
const BATCH = { after: 10, through: 14, rows: 4 };
const fields = (error: unknown): object => failureFields(describeFailure(error, STEP, BATCH));
const KNOWN = { phase: "transaction", statement: "apply_outcomes", after: 10, through: 14, rows: 4 };

describe("TELE-10: the log names the writer's activity, and nothing of the written data", () => {
  it("names the innermost function, also one of another schema", () => {
    for (const where of [
      'PL/pgSQL function public.refuse_it() line 1 at RAISE\nSQL statement "insert …"\nPL/pgSQL function apply_outcomes() line 11',
      "PL/pgSQL function refuse_it() line 1 at RAISE\nPL/pgSQL function apply_outcomes() line 11 at SQL statement",
    ]) {
      const error = Object.assign(new Error("order_secret"), { code: "P0001", where });
      assert.deepEqual(fields(error), { sqlstate: "P0001", ...KNOWN, function: "refuse_it" });
    }
  });

  it("names the table whose constraint failed", () => {
    const error = Object.assign(new Error("order_secret"), {
      code: "23514",
      table: "outcomes_2026_11",
      detail: "Failing row contains (order_secret).",
      where: 'COPY staged_outcomes, line 1, column order_id: "order_secret"',
    });
    assert.deepEqual(fields(error), { sqlstate: "23514", ...KNOWN, table: "outcomes_2026_11" });
  });

  it("it leaves out texts that are no identifiers, and an error of the connection has no SQLSTATE", () => {
    const error = Object.assign(new Error("order_secret"), { code: "ECONNRESET", table: "order secret" });
    assert.deepEqual(fields(error), { sqlstate: null, ...KNOWN });
  });

  it("it names no statement before a batch was read", () => {
    const failure = describeFailure(new Error("x"), { phase: "position", name: "journal_positions" }, null);
    assert.deepEqual(failureFields(failure), {
      sqlstate: null,
      phase: "position",
      statement: "journal_positions",
    });
  });
});
