import assert from "node:assert/strict";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, describe, it } from "node:test";
import { LoadArgumentError, parseLoadOptions, type LoadOptions } from "../../../bench/load/load-options.js";

const dir = mkdtempSync(join(tmpdir(), "payinference-load-options-"));
after(() => rmSync(dir, { recursive: true }));

function options(argv: string[], env: Record<string, string> = {}): LoadOptions {
  const parsed = parseLoadOptions(argv, env);
  assert.notEqual(parsed, "help");
  return parsed as LoadOptions;
}

describe("load arguments", () => {
  it("have defaults for all but the key", () => {
    const { url, ...rest } = options([]);
    assert.equal(url.href, "http://127.0.0.1:8080/v1/decision");
    assert.deepEqual(rest, {
      key: "",
      connections: 64,
      durationMs: 10_000,
      ratePerSecond: undefined,
      seed: 1,
      merchants: ["demo_merchant"],
      providers: ["provider_1", "provider_2", "provider_3", "provider_4", "provider_5"],
      bodies: undefined,
      budgetMs: 50,
      reportDir: undefined,
      allowStatus: false,
      json: false,
    });
  });

  it("take the key from --key, else from PAYINFERENCE_KEY", () => {
    assert.equal(options([], { PAYINFERENCE_KEY: "pi_test_env" }).key, "pi_test_env");
    assert.equal(options(["--key", "pi_test_arg"], { PAYINFERENCE_KEY: "pi_test_env" }).key, "pi_test_arg");
  });

  it("keep a path of the address and add the decision path to a bare one", () => {
    assert.equal(
      options(["--url", "https://pay.example/api/decide"]).url.href,
      "https://pay.example/api/decide",
    );
    assert.equal(options(["--url", "https://pay.example"]).url.href, "https://pay.example/v1/decision");
  });

  it("read recorded bodies line by line", () => {
    const path = join(dir, "recorded.ndjson");
    writeFileSync(path, '{"order_id":"a"}\n\n{"order_id":"b"}\r\n');
    assert.deepEqual(options(["--requests", path]).bodies, ['{"order_id":"a"}', '{"order_id":"b"}']);
  });

  const broken = join(dir, "broken.ndjson");
  writeFileSync(broken, '{"order_id":"a"}\n[1]\n');
  const empty = join(dir, "empty.ndjson");
  writeFileSync(empty, "\n");
  for (const [argv, message] of [
    [["--foo"], /--foo/],
    [["stray"], /stray/],
    [["--duration", "0"], /--duration/],
    [["--duration", "x"], /--duration/],
    [["--rate", ""], /--rate/],
    [["--connections", "1.5"], /--connections/],
    [["--connections", "0"], /--connections/],
    [["--seed", "-1"], /--seed/],
    [["--budget-ms", "NaN"], /--budget-ms/],
    [["--url", "ftp://x"], /--url/],
    [["--url", "localhost"], /--url/],
    [["--merchants", ","], /--merchants/],
    [["--requests", join(dir, "absent")], /--requests/],
    [["--requests", broken], /line 2/],
    [["--requests", empty], /no request bodies/],
  ] as const) {
    it(`refuse ${JSON.stringify(argv.map((arg) => arg.replace(dir, "…")))} in one line that names it`, () => {
      assert.throws(
        () => parseLoadOptions([...argv], {}),
        (error: unknown) =>
          error instanceof LoadArgumentError && message.test(error.message) && !error.message.includes("\n"),
      );
    });
  }
});
