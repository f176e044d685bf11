import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, describe, it } from "node:test";
import { fileURLToPath } from "node:url";
import type { LoadSummary } from "../../../bench/load/load-summary.js";

const LOAD = fileURLToPath(new URL("../../../bench/load.js", import.meta.url));

interface Outcome {
  status: number | null;
  stdout: string;
  stderr: string;
}

function load(...args: string[]): Promise<Outcome> {
  return new Promise((resolve) => {
    const child = execFile(process.execPath, [LOAD, ...args], (_error, stdout, stderr) => {
      resolve({ status: child.exitCode, stdout, stderr });
    });
  });
}

async function listen(
  handler: (request: IncomingMessage, response: ServerResponse) => void,
): Promise<[Server, string]> {
  const server = createServer(handler);
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return [server, `http://127.0.0.1:${(server.address() as AddressInfo).port}`];
}

/** Answers with `status` after `delayMs`. `orders` collects the order ids of the requests. */
function answer(delayMs: number, status: number, orders: string[]) {
  return (request: IncomingMessage, response: ServerResponse): void => {
    let text = "";
    request.setEncoding("utf8").on("data", (chunk: string) => (text += chunk));
    request.on("end", () => {
      orders.push((JSON.parse(text) as { order_id: string }).order_id);
      setTimeout(() => response.writeHead(status, { "content-length": 2 }).end("{}"), delayMs);
    });
  };
}

describe("npm run load", () => {
  const dir = mkdtempSync(join(tmpdir(), "payinference-load-"));
  const servers: Server[] = [];
  const orders: string[] = [];
  let fast = "";
  let slow = "";
  let limited = "";

  before(async () => {
    for (const [delayMs, status] of [
      [0, 200],
      [40, 200],
      [0, 429],
    ] as const) {
      const [server, url] = await listen(answer(delayMs, status, orders));
      servers.push(server);
      if (status === 429) limited = url;
      else if (delayMs > 0) slow = url;
      else fast = url;
    }
  });
  after(() => {
    for (const server of servers) server.closeAllConnections();
    for (const server of servers) server.close();
    rmSync(dir, { recursive: true });
  });

  it("exits 0 within the budget, with the figures, a histogram and a report, and no progress bar in a pipe", async () => {
    const report = join(dir, "report");
    orders.length = 0;
    const { status, stdout, stderr } = await load(
      "--url",
      fast,
      "--duration",
      "2",
      "--connections",
      "4",
      "--budget-ms",
      "60000",
      "--report",
      report,
    );
    assert.equal(status, 0, stdout);
    assert.equal(stderr, "");
    assert.match(stdout, /latency\s+p50 .* p90 .* p95 .* p99 .* max/);
    assert.match(stdout, /statuses\s+200 × \d+/);
    assert.match(stdout, /█/);
    assert.match(stdout, /PASS/);
    assert.match(readFileSync(join(report, "report.html"), "utf8"), /<svg/);
    assert.ok(existsSync(join(report, "latency.svg")));
    assert.ok(orders.length > 4);
    assert.equal(new Set(orders).size, orders.length, "order ids are unique across connections");
  });

  it("exits 1 over the budget", async () => {
    const { status, stdout } = await load(
      "--url",
      slow,
      "--duration",
      "0.8",
      "--connections",
      "4",
      "--budget-ms",
      "5",
    );
    assert.equal(status, 1);
    assert.match(stdout, /FAIL\s+p95 .* is over the budget of 5 ms/);
  });

  it("exits 1 on replies other than 200 unless --allow-status is given", async () => {
    const args = ["--url", limited, "--duration", "2", "--connections", "2", "--budget-ms", "60000"];
    const [strict, allowed] = [await load(...args), await load(...args, "--allow-status")];
    assert.equal(strict.status, 1);
    assert.match(strict.stdout, /replies were 429/);
    assert.equal(allowed.status, 0);
  });

  it("sends evenly at the given rate, and prints JSON on request", async () => {
    const { status, stdout } = await load(
      "--url",
      fast,
      "--duration",
      "1",
      "--rate",
      "50",
      "--connections",
      "4",
      "--budget-ms",
      "60000",
      "--json",
    );
    assert.equal(status, 0, stdout);
    const summary = JSON.parse(stdout) as LoadSummary;
    assert.equal(summary.replies, 50);
    assert.deepEqual(summary.statuses, { 200: 50 });
  });

  it("sends recorded bodies", async () => {
    const path = join(dir, "recorded.ndjson");
    writeFileSync(path, '{"order_id":"recorded_1"}\n{"order_id":"recorded_2"}\n');
    orders.length = 0;
    const { status } = await load(
      "--url",
      fast,
      "--duration",
      "0.5",
      "--connections",
      "2",
      "--budget-ms",
      "60000",
      "--requests",
      path,
    );
    assert.equal(status, 0);
    assert.deepEqual([...new Set(orders)].toSorted(), ["recorded_1", "recorded_2"]);
  });

  it("exits 2 with one line for a bad argument, and 1 when nothing listens", async () => {
    const bad = await load("--duration", "soon");
    assert.equal(bad.status, 2);
    assert.match(bad.stderr, /^load: --duration [^\n]+\n$/);
    const refused = await load("--url", "http://127.0.0.1:1");
    assert.equal(refused.status, 1);
    assert.match(refused.stderr, /^load: http:\/\/127\.0\.0\.1:1 cannot be reached: ECONNREFUSED\n$/);
  });

  it("prints its help", async () => {
    const { status, stdout } = await load("--help");
    assert.equal(status, 0);
    for (const option of ["--url", "--key", "--rate", "--requests", "--budget-ms", "--report"]) {
      assert.ok(stdout.includes(option), option);
    }
  });
});
