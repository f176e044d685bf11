import assert from "node:assert/strict";
import { describe, it } from "node:test";
import {
  findOverride,
  putOverride,
  type ProviderOverride,
} from "../../../../src/domain/health/provider-override.js";
import { createHealthView, mergeOverlays } from "../../../../src/domain/health/view.js";
import type { HealthSnapshot } from "../../../../src/domain/health/snapshot.js";
import { HEALTH_STATES } from "../../../../src/domain/vocabulary/vocabulary.js";
import { bySegment, CURRENCIES, defaultMonitor, liveOutcome, smallMonitor, START_MS } from "./segments.js";

const EVERYWHERE = { provider: "provider_1", paymentMethod: null, currency: null } as const;
const CARD = { ...EVERYWHERE, paymentMethod: "card" } as const;
const CARD_USD = { ...CARD, currency: "USD" } as const;
const USD = { ...EVERYWHERE, currency: "USD" } as const;

function stateIn(
  overrides: readonly ProviderOverride[],
  method: string,
  currency: string,
): string | undefined {
  return findOverride(overrides, "provider_1", method, currency)?.state;
}

describe("PUT /v1/admin/provider-overrides", () => {
  for (const [state, score] of [
    ["healthy", 95],
    ["watch", 75],
    ["degraded", 60],
    ["critical", 35],
    ["unavailable", 0],
    ["unknown", 50],
  ] as const) {
    it(`ALRT-8: ${state} without a score pins ${score}`, () => {
      assert.deepEqual(putOverride([], { ...EVERYWHERE, state }), [{ ...EVERYWHERE, state, score }]);
      assert.equal(putOverride([], { ...EVERYWHERE, state, score: 12.5 })[0]?.score, 12.5);
    });
  }

  it("a later pin replaces the pins that it covers", () => {
    const before = putOverride(putOverride([], { ...CARD_USD, state: "healthy" }), {
      ...CARD,
      state: "watch",
    });
    assert.deepEqual(before, [{ ...CARD, state: "watch", score: 75 }]);
    assert.deepEqual(putOverride(before, { ...EVERYWHERE, state: "unavailable" }), [
      { ...EVERYWHERE, state: "unavailable", score: 0 },
    ]);
  });

  it("a later, narrower pin is an exception", () => {
    const overrides = putOverride(putOverride([], { ...EVERYWHERE, state: "unavailable" }), {
      ...CARD_USD,
      state: "healthy",
    });
    assert.equal(stateIn(overrides, "card", "USD"), "healthy");
    assert.equal(stateIn(overrides, "card", "EUR"), "unavailable");
    assert.equal(findOverride(overrides, "provider_2", "card", "USD"), undefined);
  });

  it("the later of two crossing overrides holds", () => {
    const cardLast = putOverride(putOverride([], { ...USD, state: "watch" }), { ...CARD, state: "critical" });
    const usdLast = putOverride(putOverride([], { ...CARD, state: "critical" }), { ...USD, state: "watch" });
    assert.equal(stateIn(cardLast, "card", "USD"), "critical");
    assert.equal(stateIn(usdLast, "card", "USD"), "watch");
  });

  it("ALRT-10: state null lifts the pin of its own scope, and neither narrower nor wider ones", () => {
    const overrides = putOverride(putOverride([], { ...CARD, state: "critical" }), {
      ...CARD_USD,
      state: "watch",
    });
    assert.deepEqual(putOverride(overrides, { ...EVERYWHERE, state: null }), overrides);
    assert.deepEqual(putOverride(overrides, { ...CARD, state: null }), [
      { ...CARD_USD, state: "watch", score: 75 },
    ]);
    const all = putOverride(putOverride([], { ...EVERYWHERE, state: "unavailable" }), {
      ...CARD_USD,
      state: "watch",
    });
    assert.deepEqual(putOverride(all, { ...EVERYWHERE, state: null }), [
      { ...CARD_USD, state: "watch", score: 75 },
    ]);
    assert.deepEqual(putOverride(overrides, { ...CARD_USD, state: null }), [
      { ...CARD, state: "critical", score: 35 },
    ]);
    assert.equal(putOverride(overrides, { ...EVERYWHERE, provider: "provider_2", state: null }).length, 2);
  });
});

describe("a drill of one mode, and one that ends", () => {
  const LIVE = { ...EVERYWHERE, mode: "live" } as const;
  const viewOf = (monitor: ReturnType<typeof defaultMonitor>, mode: "live" | "test") =>
    monitor.overlay("ws_a", mode).filter(({ source }) => source === "demo");

  it("ALRT-19: the mode belongs to the scope of a pin and of a lift", () => {
    const live = putOverride([], { ...LIVE, state: "critical" });
    assert.deepEqual(live, [{ ...LIVE, state: "critical", score: 35 }]);
    const both = putOverride(live, { ...CARD, state: "watch" });
    assert.equal(both.length, 2);
    assert.deepEqual(putOverride(both, { ...EVERYWHERE, state: null }), both);
    assert.deepEqual(putOverride(both, { ...LIVE, state: null }), [{ ...CARD, state: "watch", score: 75 }]);
    assert.deepEqual(putOverride(both, { ...EVERYWHERE, mode: "test", state: "watch" }).length, 3);
    assert.deepEqual(putOverride(both, { ...EVERYWHERE, state: "unavailable" }), [
      { ...EVERYWHERE, state: "unavailable", score: 0 },
    ]);
  });

  it("ALRT-19: holds in its mode alone, for levels too", () => {
    const monitor = defaultMonitor();
    monitor.warmUp(START_MS);
    monitor.setOverrides("ws_a", putOverride([], { ...LIVE, state: "critical" }));
    assert.ok(viewOf(monitor, "live").length > 0);
    assert.deepEqual(monitor.overlay("ws_a", "test"), []);
    assert.deepEqual(
      monitor
        .takeChangedOwners()
        .map(({ mode }) => mode)
        .toSorted((a, b) => a.localeCompare(b)),
      ["live", "test"],
    );
  });

  it("ALRT-20: ends at the first tick at its time, and its view is shown again", () => {
    const monitor = defaultMonitor();
    monitor.warmUp(START_MS);
    const ends = { expiresAtMs: START_MS + 2000 };
    monitor.setOverrides("ws_a", putOverride([], { ...EVERYWHERE, state: "critical", ...ends }));
    monitor.tick(START_MS + 1000);
    assert.ok(viewOf(monitor, "live").length > 0);
    monitor.takeChangedOwners();
    monitor.tick(START_MS + 2000);
    assert.deepEqual(monitor.overlay("ws_a", "live"), []);
    const changed = monitor.takeChangedOwners().map(({ workspaceId, mode }) => `${mode} ${workspaceId}`);
    assert.deepEqual(new Set(changed), new Set(["live ws_a", "test ws_a"]));
    monitor.tick(START_MS + 3000);
    assert.deepEqual(monitor.takeChangedOwners(), []);
  });

  it("ALRT-20: one that has ended lets the others hold", () => {
    const monitor = defaultMonitor();
    monitor.warmUp(START_MS);
    const lasting = putOverride([], { ...EVERYWHERE, state: "degraded" });
    const ends = { expiresAtMs: START_MS + 1000 };
    monitor.setOverrides("ws_a", putOverride(lasting, { ...CARD_USD, state: "unavailable", ...ends }));
    const stateOfCard = () => bySegment(monitor.overlay("ws_a", "live"), "provider_1:card:USD").state;
    assert.equal(stateOfCard(), "unavailable");
    monitor.tick(START_MS + 1000);
    assert.equal(stateOfCard(), "degraded");
  });
});

describe("a pin in the view of its workspace", () => {
  function pinned(overrides: readonly ProviderOverride[]): {
    probed: readonly HealthSnapshot[];
    overlay: readonly HealthSnapshot[];
  } {
    const monitor = defaultMonitor();
    const { snapshots: probed } = monitor.warmUp(START_MS);
    monitor.setOverrides("ws_a", overrides);
    return { probed, overlay: monitor.overlay("ws_a", "live") };
  }

  it("ALRT-7, HLTH-16: pins state, score and source, and its reason codes follow; the measurements stay", () => {
    const { probed, overlay } = pinned(putOverride([], { ...EVERYWHERE, state: "unavailable" }));
    const shown = mergeOverlays(probed, overlay);
    assert.equal(shown.length, probed.length);
    const own = shown.filter(({ provider }) => provider === "provider_1");
    assert.equal(own.length, 32);
    for (const snapshot of own) {
      assert.deepEqual(snapshot, {
        ...bySegment(probed, snapshot.segment_key),
        state: "unavailable",
        score: 0,
        source: "demo",
        reason_codes: ["CIRCUIT_OPEN", "PROVIDER_1_PINNED"],
      });
    }
  });

  it("CODE-4: a pinned state is explained as PROVIDER_n_PINNED, and as nothing that is on its way up", () => {
    for (const state of HEALTH_STATES) {
      const { probed, overlay } = pinned(putOverride([], { ...EVERYWHERE, state }));
      for (const { reason_codes } of overlay) {
        assert.equal(reason_codes.at(-1), "PROVIDER_1_PINNED");
        assert.ok(!reason_codes.includes("PROVIDER_1_RECOVERING"));
        assert.ok(!reason_codes.includes("PROVIDER_1_HEALTHY_FOR_SEGMENT"), "instead of it, not beside it");
      }
      const zar = createHealthView("1", probed, overlay).find("provider_1", "card", "ZAR");
      assert.ok(zar.reason_codes.includes("PROVIDER_1_PINNED"), "of a currency that is not probed, too");
      assert.ok(probed.every(({ reason_codes }) => !reason_codes.includes("PROVIDER_1_PINNED")));
    }
  });

  for (const state of HEALTH_STATES) {
    it(`RES-8: shows ${state}`, () => {
      const { overlay } = pinned(putOverride([], { ...CARD_USD, state, score: 42 }));
      assert.deepEqual(
        overlay.map((snapshot) => [snapshot.segment_key, snapshot.state, snapshot.score, snapshot.source]),
        [["provider_1:card:USD", state, 42, "demo"]],
      );
    });
  }

  it("ALRT-6: narrows by payment_method and currency", () => {
    const keys = (overrides: readonly ProviderOverride[]): string[] =>
      mergeOverlays([], pinned(overrides).overlay).map((s) => s.segment_key);
    assert.equal(keys(putOverride([], { ...CARD, state: "watch" })).length, 8);
    assert.deepEqual(keys(putOverride([], { ...USD, state: "watch" })), [
      "provider_1:card:USD",
      "provider_1:wallet:USD",
      "provider_1:bank_transfer:USD",
      "provider_1:mobile_money:USD",
    ]);
  });

  it("ALRT-9: holds in both modes of its workspace, over live outcomes too, and in no other workspace", () => {
    const monitor = smallMonitor();
    monitor.warmUp(START_MS);
    for (let i = 0; i < 25; i++)
      monitor.recordOutcomes(liveOutcome(START_MS, { outcome: "timeout" }), START_MS);
    monitor.tick(START_MS);
    monitor.setOverrides("ws_a", putOverride([], { ...EVERYWHERE, state: "healthy" }));
    const [live, test] = [monitor.overlay("ws_a", "live"), monitor.overlay("ws_a", "test")];
    const usd = bySegment(live, "provider_1:card:USD");
    assert.deepEqual([usd.state, usd.score, usd.source], ["healthy", 95, "demo"]);
    assert.ok(usd.timeout_rate > 0.02, "the live outcomes are still measured");
    assert.equal(bySegment(test, "provider_1:card:USD").state, "healthy");
    assert.deepEqual(monitor.overlay("ws_b", "live"), []);
    assert.deepEqual(
      monitor.overlayOwners().toSorted((a, b) => a.mode.localeCompare(b.mode)),
      [
        { workspaceId: "ws_a", mode: "live" },
        { workspaceId: "ws_a", mode: "test" },
      ],
    );
  });

  it("is lifted by an empty list, and the live view is back", () => {
    const monitor = smallMonitor();
    monitor.warmUp(START_MS);
    for (let i = 0; i < 25; i++)
      monitor.recordOutcomes(liveOutcome(START_MS, { outcome: "timeout" }), START_MS);
    monitor.tick(START_MS);
    const before = monitor.overlay("ws_a", "live");
    monitor.setOverrides("ws_a", putOverride([], { ...EVERYWHERE, state: "healthy" }));
    monitor.setOverrides("ws_a", []);
    assert.deepEqual(monitor.overlay("ws_a", "live"), before);
    assert.deepEqual(monitor.overlay("ws_a", "test"), []);
  });

  it("covers currencies that are not probed: all of them, or the one it names", () => {
    const all = pinned(putOverride([], { ...EVERYWHERE, state: "critical" }));
    const zar = createHealthView("1", all.probed, all.overlay).find("provider_1", "card", "ZAR");
    assert.deepEqual([zar.state, zar.score, zar.source], ["critical", 35, "demo"]);

    const one = pinned(putOverride([], { ...CARD, currency: "ZAR", state: "critical" }));
    const view = createHealthView("1", one.probed, one.overlay);
    assert.deepEqual(
      [view.find("provider_1", "card", "ZAR").source, view.find("provider_1", "card", "ZAR").state],
      ["demo", "critical"],
    );
    assert.equal(view.find("provider_1", "card", "SEK").source, "partial");
    assert.equal(view.find("provider_1", "card", "USD").source, "probe");
  });

  for (const [exception, states] of [
    ["a currency", { card: "unavailable", wallet: "unavailable" }],
    ["every probed currency", { card: "unavailable", wallet: "unavailable" }],
    ["a method", { card: "healthy", wallet: "unavailable" }],
  ] as const) {
    it(`taken out by hand, it stays out of the currencies that are not probed when ${exception} is let in again`, () => {
      let overrides = putOverride([], { ...EVERYWHERE, state: "unavailable" });
      if (exception === "a method") overrides = putOverride(overrides, { ...CARD, state: "healthy" });
      for (const currency of exception === "a currency"
        ? ["USD"]
        : exception === "a method"
          ? []
          : CURRENCIES) {
        overrides = putOverride(overrides, { ...EVERYWHERE, currency, state: "healthy" });
      }
      const { probed, overlay } = pinned(overrides);
      const view = createHealthView("1", probed, overlay);
      for (const method of ["card", "wallet"] as const) {
        const zar = view.find("provider_1", method, "ZAR");
        assert.deepEqual(
          [zar.segment_key, zar.state, zar.source],
          [`provider_1:${method}:ZAR`, states[method], "demo"],
        );
        assert.equal(
          zar.confidence,
          createHealthView("2", probed).find("provider_1", method, "ZAR").confidence,
        );
        assert.equal(view.find("provider_1", method, "ZAR"), zar);
      }
    });
  }
});
