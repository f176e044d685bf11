import assert from "node:assert/strict";
import { before, describe, it } from "node:test";
import { outcomeReport } from "../support/people/client-requests.js";
import { startNodes } from "../support/service/nodes.js";
import { decisionBody, eventually, send, type RunningService } from "../support/service/service.js";

type Snapshot = Record<string, unknown>;

/** Makes decisions at one node and reports timeouts of provider_1, in a currency that nobody probes. */
async function reportTimeouts(node: RunningService, currency: string, count: number): Promise<void> {
  for (let i = 0; i < count; i++) {
    const body = decisionBody({
      transaction: { amount: 5000, currency, country: "CA", payment_method: "card" },
      available_providers: ["provider_1", "provider_2"],
    });
    const { json } = await send(node, "POST", "/v1/decision", { body });
    const report = outcomeReport(String(json["decision_id"]));
    const timeout = { ...report, currency, provider_used: "provider_1", outcome: "timeout" };
    assert.equal((await send(node, "POST", "/v1/outcomes", { body: timeout })).status, 200);
  }
}

async function snapshotOf(node: RunningService, key: string): Promise<Snapshot | undefined> {
  const { json } = await send(node, "GET", "/v1/provider-health?detail=segments");
  return (json["providers"] as Snapshot[]).find(({ segment_key: shown }) => shown === key);
}

async function primaryOf(node: RunningService, currency: string): Promise<unknown> {
  const body = decisionBody({
    transaction: { amount: 5000, currency, country: "CA", payment_method: "card" },
    available_providers: ["provider_1", "provider_2"],
  });
  const { json } = await send(node, "POST", "/v1/decision", { body });
  return (json["route"] as { primary_provider: string }).primary_provider;
}

describe("all nodes learn from outcomes", () => {
  let nodes: RunningService[];
  before(async () => {
    nodes = await startNodes(2, {});
  });
  const at = (index: number): RunningService => nodes[index] as RunningService;
  const KEY = "provider_1:card:CAD";

  it("HLTH-10: outcomes reported to one node change every node's snapshots and routes alike", async () => {
    await reportTimeouts(at(0), "CAD", 30);
    await eventually(async () => {
      const [first, second] = await Promise.all([snapshotOf(at(0), KEY), snapshotOf(at(1), KEY)]);
      assert.equal(first?.["state"], "unavailable");
      assert.deepEqual(second, first);
    });
    for (const node of nodes) assert.equal(await primaryOf(node, "CAD"), "provider_2");
  });

  it("the reports of both nodes count together, and each payment once", async () => {
    await reportTimeouts(at(0), "AUD", 12);
    await reportTimeouts(at(1), "AUD", 12);
    for (const node of nodes) {
      await eventually(async () => {
        const snapshot = await snapshotOf(node, "provider_1:card:AUD");
        assert.ok(snapshot !== undefined);
        const { n, technical_rate } = snapshot["live"] as Snapshot;
        assert.equal(technical_rate, 1);
        // Failures fade, so 24 failures count as slightly fewer. The reports of one node would count as 12 at most.
        assert.ok(Number(n) > 12 && Number(n) <= 24, String(n));
      });
    }
  });

  it("HLTH-11: a killed node has its earlier knowledge after its restart", async () => {
    await at(1).killAndRestart();
    assert.equal((await snapshotOf(at(1), KEY))?.["state"], "unavailable");
    assert.equal(await primaryOf(at(1), "CAD"), "provider_2");
    await eventually(async () => {
      const [first, second] = await Promise.all([snapshotOf(at(0), KEY), snapshotOf(at(1), KEY)]);
      assert.deepEqual(second, first);
    });
  });

  it("ALRT-5: every node shows the same single alert for the segment", async () => {
    const { rows } = await at(0).pool.query(
      "select segment_key, closed_at from alerts where workspace_id <> '00000000-0000-0000-0000-000000000000' and kind = 1 order by 1",
    );
    assert.deepEqual(rows, [
      { segment_key: "provider_1:card:AUD", closed_at: null },
      { segment_key: KEY, closed_at: null },
    ]);
  });
});
