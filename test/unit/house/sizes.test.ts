import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { LIMITS } from "../../house/floors.js";
import { crowdedFolders, deepFolders, longFaults } from "../../house/sizes.js";
import type { SourceFile } from "../../house/source-file.js";

const { folderFilesMax, fileLinesMax, functionLinesMax } = LIMITS;
const filesIn = (folder: string, count: number): string[] =>
  Array.from({ length: count }, (_, at) => `${folder}/${at}.ts`);
const source = (lines: number, functionLines: number): SourceFile => ({
  path: "src/x.ts",
  lines,
  imports: [],
  functions: [{ name: "f", lines: functionLines }],
});

describe("sizes that the house allows", () => {
  it(`are at most ${folderFilesMax} files a folder, those of folders in it not counted`, () => {
    assert.deepEqual(
      crowdedFolders([...filesIn("a", folderFilesMax), ...filesIn("a/b", folderFilesMax)]),
      [],
    );
    assert.deepEqual(crowdedFolders(filesIn("a", folderFilesMax + 1)), ["a has 26 files, at most 25"]);
    assert.deepEqual(crowdedFolders(filesIn("docs/decisions", folderFilesMax + 1)), []);
  });

  it("are as many levels of folders as the linter's boundaries reach", () => {
    assert.deepEqual(deepFolders(["src/a/b/c/d/1.ts", "test/a/b/c/d/e/1.ts"]), []);
    assert.deepEqual(deepFolders(["src/a/b/c/d/e/1.ts"]), [
      "src/a/b/c/d/e lies deeper than 4 folders below src",
    ]);
  });

  it(`are at most ${fileLinesMax} lines a file and ${functionLinesMax} a function`, () => {
    assert.deepEqual(longFaults([source(fileLinesMax, functionLinesMax)], []), []);
    assert.deepEqual(longFaults([source(301, 81)], []), [
      "src/x.ts has 301 lines, at most 300",
      "src/x.ts: f has 81 lines, at most 80",
    ]);
  });

  const listed = [
    { path: "src/x.ts", lines: 310 },
    { path: "src/x.ts", name: "f", lines: 90 },
  ];

  it("may be exceeded by listed files, which may shrink but not grow", () => {
    assert.deepEqual(longFaults([source(310, 90)], listed), []);
    assert.deepEqual(longFaults([source(301, 81)], listed), []);
    assert.deepEqual(longFaults([source(311, 91)], listed), [
      "src/x.ts has 311 lines, at most 310",
      "src/x.ts: f has 91 lines, at most 90",
    ]);
  });

  it("are not exceeded forever: a file that is shortened, or gone, leaves the list", () => {
    const mended = [
      "src/x.ts is no longer too long: take it out of test/house/too-long.ts",
      "src/x.ts: f is no longer too long: take it out of test/house/too-long.ts",
    ];
    assert.deepEqual(longFaults([source(300, 80)], listed), mended);
    assert.deepEqual(longFaults([], listed), mended);
  });
});
