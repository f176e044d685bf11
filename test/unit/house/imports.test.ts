import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { circleFaults, floorFaults, homelessFolders } from "../../house/imports.js";
import { readSource, type SourceFile } from "../../house/source-file.js";

const FILES = new Set([
  "src/path/decide/messages.ts",
  "src/features/usage/usage.ts",
  "src/features/reader/reads.ts",
]);
const USAGE = "src/features/usage/usage.ts";
const READS = "src/features/reader/reads.ts";
const REFUSED = "src/features/usage may import only: domain, platform, path (test/house/floors.ts).";
const sourceOf = (path: string, text: string): SourceFile => readSource(path, text);

describe("imports against the floors", () => {
  for (const text of [
    'import { reads } from "../reader/reads.js";',
    'import type { Reads } from "../reader/reads.js";',
    'type Reads = import("../reader/reads.js").Reads;',
    'const load = () => import("../reader/../reader/reads.js");',
  ]) {
    it(`are faults: ${text}`, () => {
      assert.deepEqual(floorFaults([sourceOf(USAGE, text)], FILES), [
        `${USAGE} imports ${READS}: ${REFUSED}`,
      ]);
    });
  }

  it("need a floor for each folder of sources, and a leg of the path is one", () => {
    assert.deepEqual(
      homelessFolders(["src/path/decide/pool/a.ts", "src/path/decide/messages.ts", "workers/a.ts"]),
      [],
    );
    assert.deepEqual(homelessFolders(["src/path/new/a.ts", "src/features/new/a.ts", "workers/new/a.ts"]), [
      "src/path/new has no floor in test/house/floors.ts",
      "src/features/new has no floor in test/house/floors.ts",
      "workers/new has no floor in test/house/floors.ts",
    ]);
  });
});

describe("folders in a circle", () => {
  const sources = [
    sourceOf(USAGE, 'import type { Reads } from "../reader/reads.js";'),
    sourceOf(READS, 'import { usage } from "../usage/usage.js";'),
  ];
  const CIRCLE = ["src/features/reader", "src/features/usage"];

  it("are a fault, by types too, that names the imports", () => {
    assert.deepEqual(circleFaults(sources, FILES), [
      `folders import each other in a circle: ${READS} imports ${USAGE}; ${USAGE} imports ${READS} (in all: ${CIRCLE.join(", ")})`,
    ]);
  });
});
