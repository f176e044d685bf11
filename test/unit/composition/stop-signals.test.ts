import assert from "node:assert/strict";
import { EventEmitter } from "node:events";
import { describe, it, mock } from "node:test";
import { setImmediate as turn } from "node:timers/promises";
import { CLOSE_RESERVE_MS } from "../../../src/composition/closers.js";
import { stopOnSignals } from "../../../src/composition/stop-signals.js";
import { createLogger } from "../../../src/platform/telemetry/logger.js";

const GRACE_MS = 10_000;

/** Simulates a process with a service that is `starting`. It notes exit codes and does not exit. */
function watched(starting: Promise<{ stop(): Promise<void> }>) {
  const signals = new EventEmitter();
  const abortStart = new AbortController();
  const exits: number[] = [];
  const clock = { nowMs: 0 };
  stopOnSignals({
    signals,
    starting,
    abortStart,
    graceMs: GRACE_MS,
    log: createLogger("silent"),
    exit: (code) => void exits.push(code),
    now: () => clock.nowMs,
  });
  return { signals, exits, clock, aborted: () => abortStart.signal.aborted };
}

const never = new Promise<never>(() => undefined);
const hangs = Promise.resolve({ stop: () => never });

describe("signals that stop the service", () => {
  for (const signal of ["SIGTERM", "SIGINT", "SIGHUP"]) {
    it(`OPS-7, OPS-12: ${signal} stops it once, and exits 0`, async () => {
      let stops = 0;
      const { signals, exits } = watched(Promise.resolve({ stop: async () => void stops++ }));
      signals.emit(signal);
      await turn();
      assert.deepEqual({ stops, exits }, { stops: 1, exits: [0] });
    });
  }

  it("OPS-10: a second one ends the process at once, whichever it is", async () => {
    for (const [second, code] of [
      ["SIGTERM", 143],
      ["SIGINT", 130],
      ["SIGHUP", 129],
    ] as const) {
      const { signals, exits } = watched(hangs);
      signals.emit("SIGTERM");
      signals.emit(second);
      assert.deepEqual(exits, [code]);
    }
  });

  it("OPS-10: SIGINT again within 100 ms is the same keystroke, and later is none", () => {
    const { signals, exits, clock } = watched(hangs);
    signals.emit("SIGINT");
    clock.nowMs = 99;
    signals.emit("SIGINT");
    assert.deepEqual(exits, []);
    clock.nowMs = 100;
    signals.emit("SIGINT");
    assert.deepEqual(exits, [130]);
  });

  it("OPS-11: a stop, or a start that does not give up, ends with its deadline", (t) => {
    for (const starting of [hangs, never]) {
      mock.timers.enable({ apis: ["setTimeout"] });
      t.after(() => mock.timers.reset());
      const { signals, exits } = watched(starting);
      signals.emit("SIGTERM");
      mock.timers.tick(GRACE_MS + CLOSE_RESERVE_MS - 1);
      assert.deepEqual(exits, []);
      mock.timers.tick(1);
      assert.deepEqual(exits, [1]);
      mock.timers.reset();
    }
  });

  it("OPS-12: a start gives up and exits 0, also where it failed meanwhile by itself", async () => {
    for (const error of [new DOMException("This operation was aborted", "AbortError"), new Error("failed")]) {
      let fail: (error: Error) => void = () => undefined;
      const { signals, exits, aborted } = watched(new Promise((_, reject) => (fail = reject)));
      signals.emit("SIGINT");
      assert.ok(aborted());
      fail(error);
      await turn();
      assert.deepEqual(exits, [0]);
    }
  });

  it("a stop that fails exits 1", async () => {
    const { signals, exits } = watched(
      Promise.resolve({ stop: () => Promise.reject(new Error("does not stop")) }),
    );
    signals.emit("SIGTERM");
    await turn();
    assert.deepEqual(exits, [1]);
  });
});
