import assert from "node:assert/strict";
import { setImmediate as turn } from "node:timers/promises";
import { afterEach, beforeEach, describe, it, mock } from "node:test";
import { observePrices, type PriceObserver } from "../../../../src/features/pricing/price-observer.js";

const INTERVAL_MS = 1000;
const owner = { workspaceId: "ws_1", merchantId: "m" };

describe("COST-4: prices are fitted to observed fees", () => {
  beforeEach(() => mock.timers.enable({ apis: ["setTimeout"] }));
  afterEach(() => mock.timers.reset());

  async function pass(): Promise<void> {
    mock.timers.tick(INTERVAL_MS);
    for (let turns = 0; turns < 20; turns++) await turn();
  }

  it("they are fitted once an interval at most, even if the merchant's fees arrive during each fit", async () => {
    let fits = 0;
    const observer: PriceObserver = observePrices({
      owners: async () => [],
      async refit() {
        fits++;
        await turn();
        observer.feeStored(owner);
      },
      intervalMs: INTERVAL_MS,
      onError: assert.ifError,
    });
    observer.feeStored(owner);
    for (const expected of [1, 2, 3]) {
      await pass();
      assert.equal(fits, expected);
    }
    await observer.close();
  });

  it("a merchant whose fit failed is tried again, and delays no other", async () => {
    const fitted: string[] = [];
    const errors: unknown[] = [];
    let failures = 1;
    const observer = observePrices({
      owners: async () => [owner, { ...owner, merchantId: "other" }],
      async refit({ merchantId }) {
        if (merchantId === "m" && failures-- > 0) throw new Error("away");
        fitted.push(merchantId);
      },
      intervalMs: INTERVAL_MS,
      onError: (error) => errors.push(error),
    });
    await pass();
    await pass();
    assert.deepEqual(fitted, ["other", "m"]);
    assert.equal(errors.length, 1);
    await observer.close();
  });
});
