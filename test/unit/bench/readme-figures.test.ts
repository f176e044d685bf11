import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { readRoot } from "../../support/machine/deploy-files.js";

const README = readRoot("README.md");
const [, RESULTS = ""] =
  /<!-- results:begin -->([^]*)<!-- results:end -->/.exec(readRoot("BENCHMARKS.md")) ?? [];
/** The largest distance that rounding, and the difference between two runs on one host, may cause. */
const DISTANCE_MAX = 0.25;
const COLUMNS = ["req/s", "÷ (a)", "p95 ms"] as const;

/** The first table of rows (a) to (e) in the text: each row's name and its figures by column. */
function firstTable(text: string): Map<string, Record<string, number>> {
  const lines = text.split("\n").map((line) => line.split("|").map((cell) => cell.trim()));
  const start = lines.findIndex(([, first, second]) => first === "row" && second === "req/s");
  const names = lines[start] ?? [];
  const end = lines.findIndex((cells, at) => at > start && cells.length < 2);
  return new Map(
    lines
      .slice(start + 2, end)
      .map((cells) => [
        cells[1] ?? "",
        Object.fromEntries(
          COLUMNS.map((name) => [name, Number(cells[names.indexOf(name)]?.replaceAll(",", ""))]),
        ),
      ]),
  );
}

describe("README.md and BENCHMARKS.md have the same figures", () => {
  const [shown, newest] = [firstTable(README), firstTable(RESULTS)];

  it("the README's rounded table has the rows and about the figures of the newest run", () => {
    assert.equal(newest.size, 5);
    assert.deepEqual([...shown.keys()], [...newest.keys()]);
    for (const [row, figures] of newest) {
      for (const name of COLUMNS) {
        const [about, measured] = [shown.get(row)?.[name] ?? Number.NaN, figures[name] ?? Number.NaN];
        assert.ok(
          Math.abs(about - measured) <= DISTANCE_MAX * measured,
          `${row}, ${name}: ${about} or ${measured}`,
        );
      }
    }
  });

  it("the README names every floor that the newest run missed, with its limit", () => {
    const measuring = README.slice(README.indexOf("## Measuring it"), README.indexOf("## Using it"));
    const missed = Array.from(
      RESULTS.matchAll(/^- FAIL .*?((?:at least|at most|under) [\d.]+)/gm),
      ([, limit = ""]) => limit,
    );
    for (const limit of missed) assert.ok(measuring.includes(limit), limit);
  });
});
