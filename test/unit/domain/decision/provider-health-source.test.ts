import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { A, B, decideGiven } from "./situations.js";

describe("decision log: provider_health_source", () => {
  it("is the primary's, offered or not", () => {
    const healths = { [A]: { state: "critical", source: "live" }, [B]: { source: "demo" } } as const;
    assert.equal(decideGiven({ healths }).providerHealthSource, "demo");
    assert.equal(decideGiven({ offered: [A], healths, defaultProvider: B }).providerHealthSource, "demo");
  });

  it("is the source that the offered providers of a block share, else partial", () => {
    const blocked = { transaction: { risk_score: 100 }, offered: [A, B] };
    assert.equal(decideGiven(blocked).providerHealthSource, "probe");
    assert.equal(
      decideGiven({ ...blocked, healths: { [B]: { source: "live" } } }).providerHealthSource,
      "partial",
    );
  });
});
