import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { setImmediate as turn } from "node:timers/promises";
import { pino } from "pino";
import type { ReaderReport } from "../../../../src/features/reader/messages.js";
import { createReaderActor } from "../../../../src/features/reader/reader-actor.js";
import { createRefusalLog } from "../../../../src/platform/postgres/refusals.js";
import { refusalOf } from "../../../../src/platform/postgres/sql-state.js";

const withCode = (code: unknown): Error => Object.assign(new Error("order_1"), { code });

describe("docs/runbooks/postgres.md: the log says with which SQLSTATE PostgreSQL refuses", () => {
  for (const [code, refusal] of [
    ["42501", "42501"],
    ["25006", "25006"],
    ["53100", "53100"],
    ["42P01", "42P01"],
    ["22P02", "22P02"],
    ["57P01", null],
    ["08006", null],
    ["53300", null],
    ["ECONNREFUSED", null],
    ["EPIPE", null],
    [undefined, null],
  ] as const) {
    it(`${code ?? "no code"}: ${refusal ?? "no refusal"}`, () =>
      assert.equal(refusalOf(withCode(code)), refusal));
  }

  it("a refused read is logged with it, and without the error's own text", async () => {
    const reports: ReaderReport[] = [];
    const answer = createReaderActor(
      () => Promise.reject(withCode("42501")),
      (report) => reports.push(report),
    );
    answer({
      type: "read",
      ticket: 1,
      request: { kind: "usage", workspaceId: "ws_1", months: { from: 0, to: 0 } },
    });
    await turn();
    assert.deepEqual(reports, [{ type: "failed", ticket: 1, bug: null, refusal: "42501" }]);
  });

  it("each SQLSTATE is logged at most once a minute, with any results in between", () => {
    const lines: string[] = [];
    let nowMs = 0;
    const refusals = createRefusalLog(
      pino({ base: null, timestamp: false }, { write: (line) => void lines.push(line) }),
      "refused",
      () => nowMs,
    );
    const logLines = (): string[] =>
      lines.splice(0).map((line) => (JSON.parse(line) as { sqlstate: string }).sqlstate);
    for (const state of [null, "42501", "42501", "25006", null, "42501", "25006"]) refusals(state);
    assert.deepEqual(logLines(), ["42501", "25006"]);
    nowMs = 59_999;
    refusals("42501");
    assert.deepEqual(logLines(), []);
    nowMs = 60_000;
    for (const state of ["42501", "42501"]) refusals(state);
    assert.deepEqual(logLines(), ["42501"]);
  });
});
