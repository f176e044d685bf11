import { describe, it } from "node:test";
import { scaled } from "../../support/load/scale.js";
import { assertCatchesUp, assertServesWhileCopying } from "./change-scenario.js";

describe("reliability: changes, however many", () => {
  it("NODE-3: a node reads the million changes that it missed before it is ready", () =>
    assertCatchesUp(scaled(1_000_000, 100_000)));

  it("NODE-3: two nodes start on empty replicas at once, and decide for every merchant meanwhile", () =>
    assertServesWhileCopying(scaled(200_000, 50_000)));
});
