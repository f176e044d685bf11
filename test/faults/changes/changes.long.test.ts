import { describe, it } from "node:test";
import { scaled } from "../../support/load/scale.js";
import { startTestService } from "../../support/service/service.js";
import { assertCatchesUp, assertServesWhileCopying, CALM } from "./change-scenario.js";

describe("reliability: changes, however many", () => {
  it("NODE-3: a node reads the million changes that it missed before it is ready", async () => {
    const service = await startTestService(CALM);
    await assertCatchesUp(service, scaled(1_000_000, 100_000));
    await service.stop();
  });

  it("NODE-3: two nodes start on empty replicas at once, and decide for every merchant meanwhile", async () =>
    assertServesWhileCopying(await startTestService(CALM), scaled(200_000, 50_000)));
});
