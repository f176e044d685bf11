import assert from "node:assert/strict";
import { existsSync, readFileSync } from "node:fs";
import { describe, it } from "node:test";

/**
 * SPEC-CHECKLIST.md, read as its header describes: a table row is a sentence and what holds it, either
 * `path › title › title` (several joined by `<br>`) or `open`. What it names must exist in the sources.
 */
const ROOT = new URL("../../../", import.meta.url);
const CHECKLIST = "SPEC-CHECKLIST.md";

const OPEN = /^open(?: \(issue [2-9]\))?(?:: \S.*)?$/;
/** Tests, the bench's floors and the linter's rules: what a broken sentence makes fail. */
const HOLDER = /^(?:test\/[\w./-]+\.test\.ts|bench\/[\w./-]+\.ts|\.oxlintrc\.json)$/;

interface Row {
  line: number;
  heading: string;
  sentence: string;
  held: readonly string[];
}

/** The cells of a table row; `\|` is a bar inside a cell. */
function cellsOf(line: string): string[] {
  return line
    .slice(1, -1)
    .split(/(?<!\\)\|/)
    .map((cell) => cell.trim().replaceAll("\\|", "|"));
}

function parseRows(markdown: string): { rows: Row[]; headings: string[] } {
  const rows: Row[] = [];
  const headings: string[] = [];
  let heading = "";
  for (const [index, line] of markdown.split("\n").entries()) {
    if (/^#{2,3} /.test(line)) headings.push((heading = `${index + 1}: ${line}`));
    if (!line.startsWith("|")) continue;
    const [sentence = "", held = "", ...more] = cellsOf(line);
    assert.deepEqual(more, [], `${CHECKLIST}:${index + 1} has two cells`);
    if (sentence === "Specification" || /^-+$/.test(sentence)) continue;
    rows.push({ line: index + 1, heading, sentence, held: held.split("<br>").map((part) => part.trim()) });
  }
  return { rows, headings };
}

const sources = new Map<string, string | null>();
function sourceOf(path: string): string | null {
  let source = sources.get(path);
  if (source === undefined) {
    const url = new URL(path, ROOT);
    sources.set(path, (source = existsSync(url) ? readWithTables(url) : null));
  }
  return source;
}

/** A test's table of cases may stand in a module of test/support that it imports. */
function readWithTables(url: URL): string {
  const source = readFileSync(url, "utf8");
  const imports = source.matchAll(/from "((?:\.\.\/)+support\/[\w-]+)\.js"/g);
  const tables = Array.from(imports, ([, path]) => readFileSync(new URL(`${path}.ts`, url), "utf8"));
  return [source, ...tables].join("\n");
}

/** The title stands in the source as a whole string literal, in any of the three quotes. */
function quotes(source: string, title: string): boolean {
  return ['"', "'", "`"].some((quote) => source.includes(quote + title + quote));
}

/** What is wrong with one reference, or null. */
function faultOf(reference: string): string | null {
  if (OPEN.test(reference)) return null;
  const [path = "", ...titles] = reference.split(" › ");
  if (!HOLDER.test(path)) return `"${reference}" is neither a test nor open`;
  const source = sourceOf(path);
  if (source === null) return `${path} does not exist`;
  if (titles.length === 0) return `"${reference}" names no title`;
  const missing = titles.find((title) => !quotes(source, title));
  return missing === undefined ? null : `${path} has no "${missing}"`;
}

const { rows, headings } = parseRows(readFileSync(new URL(CHECKLIST, ROOT), "utf8"));

describe("SPEC-CHECKLIST.md", () => {
  it("covers the specification and the contract", () => {
    assert.ok(rows.length > 600, `${rows.length} rows`);
    for (const heading of ["## What the service does", "## Versioning", "## Contract §1", "## Contract §9"]) {
      assert.ok(
        headings.some((found) => found.includes(heading)),
        heading,
      );
    }
  });

  it("has no row that is empty or stands twice under its heading", () => {
    const seen = new Set<string>();
    for (const { line, heading, sentence, held } of rows) {
      assert.ok(sentence !== "" && held.every((part) => part !== ""), `${CHECKLIST}:${line} is empty`);
      assert.ok(!seen.has(heading + sentence), `${CHECKLIST}:${line} repeats "${sentence}"`);
      seen.add(heading + sentence);
    }
  });

  it("names only tests that exist", () => {
    const faults = rows.flatMap(({ line, held }) =>
      held
        .map(faultOf)
        .filter((fault) => fault !== null)
        .map((fault) => `${CHECKLIST}:${line} ${fault}`),
    );
    assert.deepEqual(faults, []);
  });
});
