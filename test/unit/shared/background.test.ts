import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { allowedCores, backgroundCores } from "../../../src/shared/background.js";

const status = (list: string): string =>
  `Name:\tnode\nCpus_allowed:\tff\nCpus_allowed_list:\t${list}\nMems_allowed_list:\t0\n`;

describe("work that can wait is given the last half of the cores", () => {
  for (const [list, cores] of [
    ["0-1", [1]],
    ["0-3", [2, 3]],
    ["0-2", [2]],
    ["0,2-3,8", [3, 8]],
    ["4-5,7", [7]],
    ["8-11", [10, 11]],
    ["0", [0]],
    ["6", [6]],
  ] as const) {
    it(`of ${list}: ${cores.join(", ")}`, () => {
      assert.deepEqual(backgroundCores(allowedCores(status(list))), cores);
    });
  }
});
