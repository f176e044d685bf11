import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { parseFigures, withFigures } from "../../faults/reliability-table.js";
import { medianSlope } from "../../support/machine/process-memory.js";

const DOCUMENT = "# Reliability\n\nAbove.\n\n<!-- figures:begin -->\n<!-- figures:end -->\n\nBelow.\n";
const figures = (fault: string, measured: string) => ({ fault, promised: "all", measured });

describe("RELIABILITY.md: the table is written by the run", () => {
  it("puts each fault on a line of its own, between the lines written by hand", () => {
    const text = withFigures(
      DOCUMENT,
      [figures("SIGKILL", "20 | 20"), figures("SIGTERM", "10")],
      "abc, today",
    );
    assert.equal(
      text,
      "# Reliability\n\nAbove.\n\n<!-- figures:begin -->\n\n| Fault | Promised | Measured | Run |\n|---|---|---|---|\n" +
        "| SIGKILL | all | 20 / 20 | abc, today |\n| SIGTERM | all | 10 | abc, today |\n\n<!-- figures:end -->\n\nBelow.\n",
    );
  });

  it("replaces measured lines, and leaves the others with the run they came from", () => {
    const first = withFigures(DOCUMENT, [figures("SIGKILL", "1"), figures("SIGTERM", "2")], "abc, today");
    const second = withFigures(first, [figures("SIGTERM", "3"), figures("disk", "4")], "def, tomorrow");
    assert.deepEqual(
      second.split("\n").filter((line) => line.startsWith("| ")),
      [
        "| Fault | Promised | Measured | Run |",
        "| SIGKILL | all | 1 | abc, today |",
        "| SIGTERM | all | 3 | def, tomorrow |",
        "| disk | all | 4 | def, tomorrow |",
      ],
    );
  });

  it("reads figures a line each, and refuses a document without its markers", () => {
    const lines = `${JSON.stringify(figures("a", "1"))}\n${JSON.stringify(figures("b", "2"))}\n`;
    assert.deepEqual(parseFigures(lines), [figures("a", "1"), figures("b", "2")]);
    assert.throws(() => withFigures("# Reliability\n", [], "abc"), /figures:begin/);
  });

  it("the slope of memory is not moved by single outliers", () => {
    const points = Array.from({ length: 21 }, (_, x) => ({ x, y: 3 * x }));
    assert.equal(medianSlope(points), 3);
    assert.equal(medianSlope(points.map(({ x, y }) => ({ x, y: x === 10 ? 10_000 : y }))), 3);
  });
});
