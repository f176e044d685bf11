import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { besideFloors, CELLS_RATIO_MAX } from "../../../bench/harness/beside-command.js";
import { backtestFloor } from "../../../bench/history/backtest-floor.js";
import { MILLION, READ_FLOORS, readFloor } from "../../../bench/history/read-floors.js";

describe("floors of reads", () => {
  const { page, aggregate } = READ_FLOORS;
  const passed = (...args: Parameters<typeof readFloor>): boolean | undefined => readFloor(...args)?.passed;

  it("hold at a million rows, as multiples of a bare look-up", () => {
    assert.equal(passed("first page", page, MILLION, page.timesMax, undefined), true);
    assert.equal(
      readFloor("first page", page, MILLION, page.timesMax + 0.1, undefined)?.line,
      "first page at 1000000 takes 20.1 times a bare look-up, at most 20",
    );
    assert.equal(passed("first page", page, MILLION, page.timesMax + 0.1, undefined), false);
    assert.equal(passed("first page", page, MILLION, Number.NaN, undefined), false);
  });

  it("say nothing of fewer rows, but for the aggregate", () => {
    assert.equal(readFloor("first page", page, 10_000, 1000, undefined), null);
    assert.equal(passed("aggregate", aggregate, 10_000, aggregate.timesMax + 1, undefined), false);
  });

  it("allow ten million rows twice the multiple at a million, except for the aggregate", () => {
    assert.equal(passed("first page", page, 10 * MILLION, 29, 15), true);
    assert.equal(passed("first page", page, 10 * MILLION, 31, 15), false);
    assert.equal(passed("first page", page, 10 * MILLION, page.timesMax, 1), true);
    assert.equal(passed("first page", page, 10 * MILLION, page.timesMax + 1, undefined), false);
    assert.equal(passed("aggregate", aggregate, 10 * MILLION, aggregate.timesMax + 1, 29), false);
  });
});

describe("the floor of a backtest", () => {
  it("is 1.6 times the time of making and storing the decisions", () => {
    assert.equal(backtestFloor(16, 10).passed, true);
    assert.equal(backtestFloor(17, 10).passed, false);
    assert.match(backtestFloor(17, 10).line, /100000 decisions takes 1\.70 times .* at most 1\.6$/);
  });
});

describe("floors of decisions beside something else", () => {
  it("are 1.2 times the p99 alone, and every reply a 200", () => {
    assert.deepEqual(
      besideFloors(1.2, [{}, {}]).map(({ passed }) => passed),
      [true],
    );
    const lines = besideFloors(1.21, [{}, { "status 503": 3 }]);
    assert.deepEqual(lines, [
      { passed: false, line: "p99 beside them is 1.21 times that without, at most 1.2" },
      { passed: false, line: "decisions: 3 requests without a 200: status 503" },
    ]);
  });

  it("CELL-6: are 1.1 times the p99 while the other cell lives", () => {
    const passed = (ratio: number): boolean | undefined =>
      besideFloors(ratio, [{}], CELLS_RATIO_MAX)[0]?.passed;
    assert.deepEqual([passed(1.1), passed(1.11), passed(Number.NaN)], [true, false, false]);
  });
});
