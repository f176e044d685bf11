import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { describe, it } from "node:test";
import { createLogger } from "../../../../src/platform/telemetry/logger.js";

const MODULE = new URL("../../../../src/platform/telemetry/logger.js", import.meta.url).href;

/** Starts a process that logs `error`, an expression. Returns its only line. */
function lineOf(error: string): Record<string, unknown> {
  const script = `import { ${createLogger.name} } from ${JSON.stringify(MODULE)};
    createLogger("info").warn({ err: ${error} }, "said");`;
  const { stderr, status } = spawnSync(process.execPath, ["--input-type=module", "-e", script], {
    encoding: "utf8",
  });
  assert.equal(status, 0, stderr);
  return JSON.parse(stderr) as Record<string, unknown>;
}

describe("TELE-10: logs carry only safe fields", () => {
  it("an error of PostgreSQL is logged without the row that it refused", () => {
    const { err, msg } = lineOf(
      `Object.assign(new Error("duplicate key"), { code: "23505", detail: "Key (email)=(a@b) already exists.",
        where: "COPY decisions, line 1: order_1", hint: "a hint", internalQuery: "select 'order_1'" })`,
    );
    const { stack, ...rest } = err as Record<string, unknown>;
    assert.deepEqual(rest, { type: "Error", message: "duplicate key", code: "23505" });
    assert.match(String(stack), /^Error: duplicate key\n/);
    assert.equal(msg, "said");
  });

  it("a thrown value that is no error is logged as it is", () => {
    assert.equal(lineOf(`"a word"`)["err"], "a word");
  });
});
