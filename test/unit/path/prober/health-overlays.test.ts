import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { createDecisionContexts } from "../../../../src/path/decide/context/decision-contexts.js";
import { createHealthReader } from "../../../../src/features/provider-health/health-reader.js";
import type { ProberReport } from "../../../../src/path/prober/messages.js";
import { startProberActor } from "../../../../src/path/prober/prober-actor.js";
import { HealthMonitor } from "../../../../src/domain/health/monitor/monitor.js";
import type { ProviderOverride } from "../../../../src/domain/health/provider-override.js";
import { openReplica, type Replica } from "../../../../src/path/replica/replica.js";
import { liveOutcome } from "../../domain/health/segments.js";
import { closeLater } from "../../../support/closing.js";
import { temporaryDir } from "../../../support/postgres/postgres.js";
import { eventually } from "../../../support/waiting/eventually.js";
import { newId } from "../../../support/people/tenants.js";

const PIN: ProviderOverride = {
  provider: "provider_1",
  paymentMethod: null,
  currency: null,
  state: "critical",
  score: 35,
};
const START_MS = 1_763_600_000_000;

async function newReplica(): Promise<Replica> {
  const replica = openReplica(await temporaryDir());
  closeLater(() => replica.close());
  return replica;
}

function startProber(replica: Replica, pinned: readonly string[], intervalMs = 60_000) {
  const reports: ProberReport[] = [];
  const prober = startProberActor({
    monitor: new HealthMonitor({
      providers: ["provider_1", "provider_2"],
      paymentMethods: ["card"],
      currencies: ["USD"],
      seed: 1,
      hasProbes: intervalMs > 0,
    }),
    replica,
    overrides: pinned.map((workspaceId) => ({ workspaceId, overrides: [PIN] })),
    reports: [],
    intervalMs,
    report: (report) => reports.push(report),
    now: () => START_MS,
  });
  closeLater(() => Promise.resolve(prober.stop()));
  return { prober, reports };
}

describe("health overlays, per owner through the replica", () => {
  it("are there with the first snapshots, end with their cause, and touch nobody else", async () => {
    const replica = await newReplica();
    const [ours, theirs] = [newId("ws"), newId("ws")];
    const { prober, reports } = startProber(replica, [ours]);
    assert.deepEqual(
      reports.map(({ type }) => type),
      ["health", "ready"],
    );
    const reader = createHealthReader(replica);
    const states = (workspaceId: string): string[] =>
      reader.snapshots(workspaceId, "live").map(({ state, source }) => `${state} ${source}`);
    assert.deepEqual(states(ours), ["critical demo", "healthy probe"]);
    assert.deepEqual(states(theirs), ["healthy probe", "healthy probe"]);
    const unpinned = (workspaceId: string) => ({ workspaceId, overrides: [] });
    prober.setOverrides([{ workspaceId: theirs, overrides: [PIN] }, unpinned(ours)], 7);
    assert.deepEqual(reports.at(-1), { type: "overrides", ticket: 7 });
    assert.deepEqual(states(ours), ["healthy probe", "healthy probe"]);
    assert.deepEqual(states(theirs), ["critical demo", "healthy probe"]);
    prober.setOverrides([unpinned(theirs)], 8);
    for (const workspaceId of [ours, theirs]) {
      for (const mode of ["test", "live"])
        assert.equal(replica.read(`health/${mode}:${workspaceId}`), undefined);
    }
  });

  it("the start removes overlays of an earlier life that nothing causes any more", async () => {
    const replica = await newReplica();
    replica.putHealth("[]", new Map([[`health/live:${newId("ws")}`, "[]"]]));
    const stale = newId("ws");
    replica.putHealth("[]", new Map([[`health/live:${stale}`, "[]"]]));
    startProber(replica, []);
    assert.equal(replica.read(`health/live:${stale}`), undefined);
  });

  it("HLTH-26: without probes snapshots are written once, and overlays each second", async () => {
    const replica = await newReplica();
    const workspaceId = newId("ws");
    const { prober, reports } = startProber(replica, [], 0);
    const reader = createHealthReader(replica);
    const states = (): string[] =>
      reader.snapshots(workspaceId, "live").map(({ state, source }) => `${state} ${source}`);
    assert.deepEqual(states(), ["unknown unknown", "unknown unknown"]);
    // Without probes, a tick must not overwrite a health text that somebody else has written.
    const standing = replica.read("health")?.replaceAll('"state":"unknown"', '"state":"watch"') ?? null;
    replica.putHealth(standing);
    const ticks = (): number => reports.filter(({ type }) => type === "health").length;
    const ticksBefore = ticks();
    prober.record({ outcomes: [liveOutcome(START_MS, { workspaceId, count: 30 })], retries: [] });
    await eventually(async () => assert.ok(ticks() > ticksBefore + 1));
    assert.equal(replica.read("health"), standing);
    assert.deepEqual(states(), ["healthy live", "watch unknown"]);
    prober.setOverrides([{ workspaceId, overrides: [PIN] }], 1);
    assert.deepEqual(states(), ["critical demo", "watch unknown"]);
    prober.recall({ outcomes: [liveOutcome(START_MS, { workspaceId, count: 30 })], retries: [] }, [], 2);
    assert.equal(replica.read("health"), standing);
  });

  it("an owner without one shares everybody's view; one with its own reads it once per version", async () => {
    const replica = await newReplica();
    const [ours, theirs] = [newId("ws"), newId("ws")];
    const { prober } = startProber(replica, [ours]);
    let reads = 0;
    const contexts = createDecisionContexts(
      {
        ...replica,
        read: (key) => {
          if (key.startsWith("health/")) reads++;
          return replica.read(key);
        },
      },
      90,
    );
    contexts.refresh();
    const view = contexts.health(ours, "live");
    for (let i = 0; i < 10; i++) {
      contexts.refresh();
      assert.equal(contexts.health(ours, "live"), view);
      assert.equal(contexts.health(theirs, "live"), contexts.health(newId("ws"), "test"));
    }
    assert.equal(reads, 2 + 10);
    assert.equal(view.find("provider_1", "card", "USD").state, "critical");
    assert.equal(contexts.health(ours, "test").find("provider_1", "card", "USD").state, "critical");
    assert.equal(contexts.health(theirs, "live").find("provider_1", "card", "USD").state, "healthy");
    prober.setOverrides([{ workspaceId: ours, overrides: [] }], 1);
    assert.equal(contexts.health(ours, "live"), view);
    contexts.refresh();
    assert.equal(contexts.health(ours, "live"), contexts.health(theirs, "live"));
    assert.notEqual(contexts.health(ours, "live").version, view.version);
  });
});
