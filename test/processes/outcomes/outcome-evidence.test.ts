import assert from "node:assert/strict";
import { before, describe, it } from "node:test";
import { readEvidence, type EvidenceCursor } from "../../../src/path/prober/evidence-queries.js";
import { outcomeReport } from "../../support/people/client-requests.js";
import {
  decisionBody,
  eventually,
  send,
  startTestService,
  type RunningService,
} from "../../support/service/service.js";

let service: RunningService;
before(async () => {
  service = await startTestService({ RATE_LIMIT_PER_MINUTE: "0" });
});

async function decide(): Promise<string> {
  const { json } = await send(service, "POST", "/v1/decision", { body: decisionBody() });
  return String(json["decision_id"]);
}

async function report(decisionId: string, changes: Readonly<Record<string, unknown>> = {}): Promise<void> {
  const body = { ...outcomeReport(decisionId), ...changes };
  const { status, text } = await send(service, "POST", "/v1/outcomes", { body });
  assert.equal(status, 200, text);
}

/** The evidence since `after`, in one line for each kind of outcome. */
async function learntSince(after: EvidenceCursor): Promise<[string, number][]> {
  const { outcomes } = await readEvidence(service.pool, after, 900);
  const counts = new Map<string, number>();
  for (const { provider, paymentMethod, currency, outcome, count } of outcomes) {
    const key = [provider, paymentMethod, currency, outcome].join(" ");
    counts.set(key, (counts.get(key) ?? 0) + count);
  }
  return [...counts].toSorted(([a], [b]) => (a < b ? -1 : 1));
}

const now = async (): Promise<EvidenceCursor> => (await readEvidence(service.pool, null, 900)).next;

describe("the evidence from outcomes", () => {
  it("counts the reports by provider, payment method and currency", async () => {
    const begin = await now();
    await report(await decide(), { outcome: "approved", provider_used: "provider_1" });
    await report(await decide(), { outcome: "approved", provider_used: "provider_1" });
    await report(await decide(), { outcome: "timeout", provider_used: "provider_2", currency: "EUR" });
    await eventually(async () =>
      assert.deepEqual(await learntSince(begin), [
        ["provider_1 card USD approved", 2],
        ["provider_2 card EUR timeout", 1],
      ]),
    );
  });

  it("OUT-9: counts a payment once, even if several nodes receive several reports", async () => {
    const begin = await now();
    const decisionId = await decide();
    await report(decisionId, { outcome: "timeout" });
    await eventually(async () => assert.equal((await learntSince(begin)).length, 1));
    await report(decisionId, { outcome: "timeout" });
    await report(decisionId, { outcome: "approved" });
    // This report is stored after the earlier ones. Once it is there, they are stored too.
    await report(await decide(), { outcome: "hard_declined" });
    await eventually(async () =>
      assert.deepEqual(await learntSince(begin), [
        ["provider_1 card USD hard_declined", 1],
        ["provider_1 card USD timeout", 1],
      ]),
    );
  });

  it("ignores a report that says nothing about the provider, and counts a later one that does", async () => {
    const begin = await now();
    const decisionId = await decide();
    await report(decisionId, { outcome: "step_up_completed" });
    await report(await decide(), { outcome: "blocked" });
    await report(decisionId, { outcome: "approved" });
    await eventually(async () =>
      assert.deepEqual(await learntSince(begin), [["provider_1 card USD approved", 1]]),
    );
  });

  it("DUR-14: skips a row that this build cannot read, and counts the rows after it", async () => {
    const begin = await now();
    const unreadable = ["{}", "[1]", '[["nobody",9,"provider_1",0,"USD",0,null,1,1,1]]', "[[null]]"];
    for (const evidence of unreadable) {
      await service.pool.query("insert into outcome_evidence (evidence) values ($1)", [evidence]);
    }
    await report(await decide(), { outcome: "soft_declined" });
    await eventually(async () =>
      assert.deepEqual(await learntSince(begin), [["provider_1 card USD soft_declined", 1]]),
    );
    await eventually(async () => {
      const metrics = await (await fetch(service.metricsUrl)).text();
      assert.match(metrics, /^payinference_records_skipped_total\{record="evidence"\} 4$/m);
    });
  });

  it("has the time of the attempt, and leaves out old attempts", async () => {
    const begin = await now();
    const aMinuteAgoMs = Date.now() - 60_000;
    await report(await decide(), { outcome: "timeout", created_at: new Date(aMinuteAgoMs).toISOString() });
    await report(await decide(), { outcome: "timeout", created_at: "2026-01-01T00:00:00.000Z" });
    await eventually(async () => {
      const { outcomes } = await readEvidence(service.pool, begin, 900);
      assert.deepEqual(
        outcomes.map(({ atMs, count }) => [atMs, count]),
        [[Math.floor(aMinuteAgoMs / 1000) * 1000, 1]],
      );
    });
  });
});
