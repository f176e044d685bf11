import assert from "node:assert/strict";
import { afterEach, beforeEach, describe, it, mock } from "node:test";
import { setImmediate as nextTurn } from "node:timers/promises";
import { streamBacktest } from "../../../../src/features/policies/backtest/backtest-stream.js";
import type { BacktestRun } from "../../../../src/features/policies/backtest/backtest-thread.js";
import { TUNING } from "../../../../src/domain/vocabulary/tuning.js";
import type { ApiError } from "../../../../src/platform/http/api-error.js";
import type { Exchange } from "../../../../src/platform/http/exchange.js";

type Reports = Awaited<ReturnType<BacktestRun["next"]>>[];

const progress = (replayed: number, total: number) => ({ type: "progress", replayed, total }) as const;

/** A client that accepts only the number of lines that the test sets. */
function client(takes = Infinity) {
  const lines: unknown[] = [];
  const failures: ApiError[] = [];
  let ended = false;
  let wake = (): void => undefined;
  const exchange = {
    onPeerGone: () => undefined,
    startStream: () => undefined,
    fail: (error: ApiError) => void failures.push(error),
    endStream: () => (ended = true),
    async writePart(text: string) {
      lines.push(JSON.parse(text));
      if (lines.length > takes) await new Promise<void>((resolve) => (wake = resolve));
      return true;
    },
  };
  return {
    exchange: exchange as unknown as Exchange,
    lines,
    failures,
    ended: () => ended,
    takeAll() {
      takes = Infinity;
      wake();
    },
  };
}

function run(reports: Reports) {
  const state = { stopped: false };
  const next = async () => {
    await nextTurn();
    return reports.shift() ?? null;
  };
  return { state, run: { next, stop: () => void (state.stopped = true) } satisfies BacktestRun };
}

describe("SIM-10: the stream to the client of a backtest", () => {
  // On a busy machine a test may take longer than a heartbeat, which would add a line.
  beforeEach(() => mock.timers.enable({ apis: ["setInterval"] }));
  afterEach(() => mock.timers.reset());

  it("a client that takes no line holds no other from its turn, and gets the newest progress in the end", async () => {
    const { exchange, lines, ended, takeAll } = client(1);
    const { state, run: backtest } = run([1, 2, 3, 4, 5].map((page) => progress(page, 5)));
    const streaming = streamBacktest(exchange, () => Promise.resolve(backtest));
    for (let turn = 0; turn < 1000 && !state.stopped; turn++) await nextTurn();
    assert.ok(state.stopped && !ended());
    takeAll();
    await streaming;
    assert.deepEqual(lines, [progress(1, 5), progress(2, 5), progress(5, 5)]);
    assert.ok(ended());
  });

  it("a waiting client gets empty progress from time to time, and a last line if it loses its place", async () => {
    const { exchange, lines, failures, ended } = client();
    let lose = (): void => undefined;
    const streaming = streamBacktest(
      exchange,
      () => new Promise((resolve) => (lose = () => resolve("full"))),
    );
    for (let lineCount = 1; lineCount <= 2; lineCount++) {
      mock.timers.tick(TUNING.streamHeartbeatMs);
      await nextTurn();
      assert.equal(lines.length, lineCount);
    }
    lose();
    await streaming;
    assert.deepEqual(lines, [
      progress(0, 0),
      progress(0, 0),
      { type: "error", message: "Too many backtests are waiting" },
    ]);
    assert.deepEqual([failures, ended()], [[], true]);
  });

  it("answers 503 before any line if it has no place, or if nothing can be read", async () => {
    const { exchange, lines, failures } = client();
    await streamBacktest(exchange, () => Promise.resolve("full"));
    await streamBacktest(exchange, () => Promise.resolve(run([{ type: "failed" }]).run));
    await streamBacktest(exchange, () => Promise.resolve(run([]).run));
    assert.deepEqual(failures, [
      { kind: "unavailable", message: "Too many backtests are waiting" },
      { kind: "unavailable", message: "Decisions cannot be read right now" },
      { kind: "unavailable", message: "Decisions cannot be read right now" },
    ]);
    assert.deepEqual(lines, []);
  });

  it("a backtest that breaks off says so in its last line", async () => {
    const { exchange, lines, ended } = client();
    const { state, run: backtest } = run([progress(1, 5), { type: "failed" }]);
    await streamBacktest(exchange, () => Promise.resolve(backtest));
    assert.deepEqual(lines, [
      progress(1, 5),
      { type: "error", message: "The backtest could not be finished" },
    ]);
    assert.ok(ended() && state.stopped);
  });
});
