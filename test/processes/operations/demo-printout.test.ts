import assert from "node:assert/strict";
import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { before, describe, it } from "node:test";
import { promisify } from "node:util";
import { closeLater } from "../../support/closing.js";
import { createDatabaseGate } from "../../support/postgres/database-gate.js";
import { freePort } from "../../support/machine/free-port.js";
import { START_ARGUMENTS } from "../../support/service/main.js";
import { createTestDatabase, temporaryDir } from "../../support/postgres/postgres.js";
import { eventually, startTestService, type RunningService } from "../../support/service/service.js";

interface Printed {
  url: string;
  key: string;
  email: string;
  password: string;
  request: { url: string; headers: Record<string, string>; body: string };
}

function match(text: string, pattern: RegExp): [string, string] {
  const found = pattern.exec(text);
  assert.ok(found !== null, `${pattern} in:\n${text}`);
  return [found[1] ?? "", found[2] ?? ""];
}

/** The command as a shell would read it: words, single-quoted texts, and a backslash before a line end. */
function shellWords(command: string): string[] {
  const words = command.replaceAll("\\\n", " ").match(/'[^']*'|[^\s'\\]+/g) ?? [];
  assert.equal(
    words.join(""),
    command.replaceAll("\\\n", " ").replaceAll(/\s+(?=(?:[^']*'[^']*')*[^']*$)/g, ""),
  );
  return words.map((word) => word.replaceAll("'", ""));
}

function readPrinted(text: string): Printed {
  const [url] = match(text, /^ {2}URL +(http:\/\/\S+)$/m);
  const [key] = match(text, /API key +(\S+)/);
  const [email, password] = match(text, /login +(\S+) \/ (\S+)/);
  const [command] = match(text, /^(curl [\s\S]*?[^\\])\n\s*\n/m);
  const [curl, ...words] = shellWords(command);
  assert.equal(curl, "curl");
  const request: Printed["request"] = { url: "", headers: {}, body: "" };
  while (words.length > 0) {
    const word = words.shift() as string;
    if (word === "-s") continue;
    if (word === "-d") request.body = words.shift() ?? "";
    else if (word === "-H") {
      const [name, value] = match(words.shift() ?? "", /^([^:]+): (.+)$/);
      request.headers[name] = value;
    } else {
      assert.match(word, /^http:/, `an option of curl this test does not know: ${word}`);
      request.url = word;
    }
  }
  return { url, key, email, password, request };
}

/** The last line of the curl command. */
const DEMO_END = /'\n\n/;

/** The output of the last start, once it contains `end`. On a starved host PostgreSQL may delay the output. */
const lastPrinted = (service: RunningService, end: RegExp): Promise<string> =>
  eventually(() => {
    const text = service.printed().at(-1) ?? "";
    assert.match(text, end);
    return Promise.resolve(text);
  });

interface Line {
  level: number;
  time: string;
  service: string;
  url: string;
  metrics_url: string;
  msg: string;
}
const READY = /"msg":"ready"\}\n/;
/** The log lines before the demo's block, or all lines without a block. */
const linesOf = (text: string): Line[] =>
  text
    .split("\n  URL ")[0]
    ?.split("\n")
    .filter((line) => line !== "")
    .map((line) => JSON.parse(line) as Line) ?? [];

/** The service runs with DEMO. What it prints is not a log, so LOG_LEVEL does not hide it. */
let service: RunningService;
/** The service runs without DEMO. */
let bare: RunningService;
before(async () => {
  service = await startTestService({ LOG_LEVEL: "silent" });
  bare = await startTestService({ DEMO: "0", LOG_LEVEL: "silent" });
});

describe("DEMO, the output of a start", () => {
  it("SET-12: the first and every later start prints key, login, URL and a curl that works", async () => {
    const first = readPrinted(await lastPrinted(service, DEMO_END));
    assert.equal(first.url, service.url);
    assert.equal(first.key, service.key);
    assert.match(first.email, /^[^@]+@[^@]+$/);
    assert.ok(first.password.length >= 12);
    await assertWorks(first);
    await service.killAndRestart();
    const second = readPrinted(await lastPrinted(service, DEMO_END));
    assert.deepEqual(second, first);
    await assertWorks(second);

    async function assertWorks({ request, key }: Printed): Promise<void> {
      assert.equal(request.headers["x-api-key"], key);
      const response = await fetch(request.url, {
        method: "POST",
        headers: request.headers,
        body: request.body,
      });
      const decision = (await response.json()) as Record<string, unknown>;
      assert.equal(response.status, 200, JSON.stringify(decision));
      assert.deepEqual([decision["action"], decision["mode"]], ["route", "test"]);
    }
  });

  it("SET-12: the commands under each other instruction's name produce that instruction", async () => {
    const text = await lastPrinted(service, /# failover: [\s\S]*'\n\n/);
    const tries = text.slice(text.indexOf("# block")).trim().split("\n\n");
    const actions: string[] = [];
    for (const one of tries) {
      const [head = "", ...commands] = one.split("\n");
      const [wanted] = match(head, /^# (\w+): \S/);
      // The commands run in order, because a policy is published before it applies.
      const { stdout } = await promisify(execFile)("bash", ["-c", commands.join("\n")]);
      assert.match(stdout, new RegExp(`"action":"${wanted}"`));
      actions.push(wanted);
    }
    assert.deepEqual(actions, ["block", "hold", "step_up", "failover"]);
  });

  it("nothing of that without DEMO", async () => {
    assert.doesNotMatch(await lastPrinted(bare, READY), /pi_test_|curl|login/);
  });
});

describe("logs are JSON lines, and so is the ready line on stdout unless it is a terminal", () => {
  it("TELE-10: the ready line names the URLs, with the fields of every log line, at any LOG_LEVEL", async () => {
    const last = linesOf(await lastPrinted(bare, READY)).at(-1);
    assert.ok(last !== undefined);
    const { level, time, service: name, url, metrics_url: metricsUrl } = last;
    assert.deepEqual([level, name, url, metricsUrl], [30, "payinference", bare.url, bare.metricsUrl]);
    assert.equal(new Date(time).toISOString(), time);
    assert.equal(await bare.stop(), 0);
    // Nothing followed the ready line.
    assert.doesNotMatch(bare.printed().join(""), /pi_test_|curl|login/);
  });

  it("the ready line comes before the demo's block, which stays text for people", async () => {
    const lines = linesOf(await lastPrinted(service, DEMO_END));
    assert.equal(lines.at(-1)?.msg, "ready");
    assert.equal(await service.stop(), 0);
  });

  it("SET-12: the ready line and the demo's block appear once a late PostgreSQL is prepared", async () => {
    const gate = await createDatabaseGate((await createTestDatabase()).url);
    await gate.shut();
    const out = await startPrinting("pipe", { DATABASE_URL: gate.url });
    await eventually(async () => assert.match(out(), /"msg":"waiting"\}\n/), 60_000);
    assert.doesNotMatch(out(), /curl/);
    await gate.open();
    await eventually(async () => assert.match(out(), DEMO_END));
    assert.deepEqual(
      linesOf(out()).map(({ msg }) => msg),
      ["waiting", "ready"],
    );
  });

  it("the ready line is a sentence on a terminal", async () => {
    const { url } = await createTestDatabase();
    const out = await startPrinting("terminal", { DATABASE_URL: url });
    await eventually(async () => assert.match(out(), DEMO_END));
    assert.match(
      out(),
      /^PayInference is ready at http:\/\/127\.0\.0\.1:\d+ \(metrics: http:\S+\/metrics\)$/m,
    );
    assert.doesNotMatch(out(), /"msg"/);
  });
});

/** Starts the service with its stdout in a pipe or on a terminal. script(1) of util-linux makes the terminal. */
async function startPrinting(
  stdout: "pipe" | "terminal",
  env: Readonly<Record<string, string>>,
): Promise<() => string> {
  const [dataDir, port, metricsPort] = await Promise.all([temporaryDir(), freePort(), freePort()]);
  const own = { HOST: "127.0.0.1", PORT: String(port), METRICS_PORT: String(metricsPort), DATA_DIR: dataDir };
  const command = [process.execPath, ...START_ARGUMENTS].map((word) => `'${word}'`).join(" ");
  const [file, args]: [string, string[]] =
    stdout === "pipe"
      ? [process.execPath, START_ARGUMENTS]
      : ["script", ["--quiet", "--flush", "--command", `exec ${command} 2>/dev/null`, "/dev/null"]];
  const child = spawn(file, args, {
    env: { PATH: process.env["PATH"], DEMO: "1", LOG_LEVEL: "warn", ...own, ...env },
    stdio: ["ignore", "pipe", "ignore"],
  });
  let out = "";
  child.stdout?.on("data", (chunk: Buffer) => (out += chunk.toString().replaceAll("\r\n", "\n")));
  closeLater(async () => {
    if (child.exitCode !== null || child.signalCode !== null) return;
    const exited = once(child, "exit");
    child.kill("SIGTERM");
    await exited;
  });
  return () => out;
}
