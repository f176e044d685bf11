import assert from "node:assert/strict";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { after, describe, it } from "node:test";
import { pathToFileURL } from "node:url";
import { makeChecklist } from "../../contract/checklist.js";
import { citedIds } from "../../contract/cited-ids.js";
import { testTitles } from "../../contract/test-titles.js";

const dir = mkdtempSync(join(tmpdir(), "payinference-checklist-"));
after(() => rmSync(dir, { recursive: true, force: true }));

const README = "| Page | Clauses |\n|---|---|\n| [Fruit](fruit.md) | `FRU` |\n";
const FRUIT = "# Fruit\n\n- **FRU-1** An apple is `red|green`.\n- **FRU-2** A pear is not.\n";
const TEST = `
describe("FRU-1: apples", () => {
  it("are red", () => {});
});
it(\`FRU-2, FRU-1: a pear is \${colour}\`, () => {});
`;

/** A repository with a contract of two clauses and their test. `files` replaces or adds files. */
function repository(files: Readonly<Record<string, string>> = {}): URL {
  const root = pathToFileURL(`${mkdtempSync(join(dir, "repository-"))}/`);
  const all = {
    "docs/contract/README.md": README,
    "docs/contract/fruit.md": FRUIT,
    "test/fruit.test.ts": TEST,
    ...files,
  };
  for (const [path, text] of Object.entries(all)) {
    const url = new URL(path, root);
    mkdirSync(dirname(url.pathname), { recursive: true });
    writeFileSync(url, text);
  }
  return root;
}

const faultsOf = (files: Readonly<Record<string, string>>): readonly string[] =>
  makeChecklist(repository(files)).faults;

describe("the checklist of clauses and tests", () => {
  it("has a row for each clause, with the tests that carry its id", () => {
    const { markdown, faults } = makeChecklist(repository());
    assert.deepEqual(faults, []);
    assert.deepEqual(
      markdown.split("\n").filter((line) => line.startsWith("| FRU")),
      [
        "| FRU-1 | An apple is `red\\|green`. | test/fruit.test.ts › apples<br>test/fruit.test.ts › a pear is ${colour} |",
        "| FRU-2 | A pear is not. | test/fruit.test.ts › a pear is ${colour} |",
      ],
    );
  });

  const page = "docs/contract/fruit.md";
  for (const [what, files, fault] of [
    ["a clause without a test", { [page]: `${FRUIT}- **FRU-3** A plum is blue.\n` }, "FRU-3 has no test"],
    [
      "a group that carries the id, and holds no test",
      { "test/fruit.test.ts": 'it("FRU-1: apples", () => {});\ndescribe("FRU-2: pears", () => {});\n' },
      "FRU-2 has no test",
    ],
    [
      "a title with the id of no clause",
      { "test/plum.test.ts": 'it("FRU-9: plums", () => {});\n' },
      "test/plum.test.ts: a title cites FRU-9, which is no clause",
    ],
    [
      "a title with an id of no page",
      { "test/plum.test.ts": 'it("NUT-1: nuts", () => {});\n' },
      "test/plum.test.ts: a title cites NUT-1, which is no clause",
    ],
    [
      "a comment with the id of no clause",
      { "src/plum.ts": "/** FRU-9: a plum. */\nexport const plum = 1;\n" },
      "src/plum.ts cites FRU-9, which is no clause",
    ],
    [
      "a document with the id of no clause",
      { "docs/plum.md": "As FRU-9 says.\n" },
      "docs/plum.md cites FRU-9, which is no clause",
    ],
    [
      "a comment in SQL with the id of no clause",
      { "migrations/0001_plum.sql": "-- FRU-9\n" },
      "migrations/0001_plum.sql cites FRU-9, which is no clause",
    ],
    [
      "an id that two clauses have",
      { [page]: `${FRUIT}- **FRU-2** A plum is blue.\n` },
      `FRU-2 is a clause of ${page} and again of ${page}`,
    ],
    [
      "a page that the table of README.md leaves out",
      { "docs/contract/plum.md": "# Plums\n" },
      "docs/contract/plum.md is not in the table of README.md",
    ],
  ] as const) {
    it(`reports ${what}`, () => assert.deepEqual(faultsOf(files), [fault]));
  }

  it("says nothing of ids in code, and of standards", () => {
    const source = "// SHA-256 and UTF-8, as FRU-1 says\nexport const order = 'FRU-9';\n";
    assert.deepEqual(faultsOf({ "src/order.ts": source }), []);
  });
});

describe("titles of a test file", () => {
  const titles = (source: string): string[] =>
    testTitles("a.test.ts", source).map(({ titles: all }) => ["file", ...all].join(" › "));

  it("are those of describe and it with their groups, in loops and calls of any form too", () => {
    const source = `
      describe("a", { concurrency: true }, () => {
        for (const x of [1]) it(\`b \${x}\`, async () => {});
        describe.skip('c', () => { it.only("d", () => {}); });
        it("e", () => {});
      });
      for (const x of [1]) { it("f", () => {}); }
    `;
    assert.deepEqual(titles(source), [
      "file › a",
      "file › a › b ${x}",
      "file › a › c",
      "file › a › c › d",
      "file › a › e",
      "file › f",
    ]);
  });

  it("are the names of cases that begin with an id, at the place of the table of cases", () => {
    const source = `
      const cases = [["FRU-1, FRU-2: a", 1], ["b", 2]];
      describe("c", () => { for (const t of ["FRU-1: d", \`FRU-2: \${e}\`]) it(t, () => {}); });
    `;
    assert.deepEqual(titles(source), [
      "file › FRU-1, FRU-2: a",
      "file › c",
      "file › c › FRU-1: d",
      "file › c › FRU-2: ${e}",
    ]);
  });

  it("leave out names that only a table of cases has, and calls of other functions", () => {
    assert.deepEqual(titles('for (const t of []) it(t, () => {}); /x/.test("g"); other("h", () => {});'), []);
  });

  it("throw where the source cannot be read", () => {
    assert.throws(() => testTitles("a.test.ts", "describe("), /a\.test\.ts cannot be read/);
  });
});

describe("ids in a text", () => {
  it("are reported once each, and distinguished from similar ids", () => {
    assert.deepEqual(citedIds("FRU-2, FRU-1 and FRU-2; not fru-1, FRU-01, XFRUIT-1 or SHA-256"), [
      "FRU-2",
      "FRU-1",
    ]);
  });
});
