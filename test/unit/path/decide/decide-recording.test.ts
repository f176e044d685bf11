import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { createDecideActor } from "../../../../src/path/decide/decide-actor.js";
import { createDecisionContexts } from "../../../../src/path/decide/context/decision-contexts.js";
import type { DecideReply } from "../../../../src/path/decide/pool/messages.js";
import { packRequests } from "../../../../src/path/decide/pool/shared-memory.js";
import { createDecisionValidator } from "../../../../src/path/wire/decision-schema.js";
import type { RecordedDecision } from "../../../../src/domain/decision/recorded-decision.js";
import { replayDecision } from "../../../../src/domain/decision/replay.js";
import {
  readDocument,
  readHealth,
  createHealthRecorder,
} from "../../../../src/path/document/decision-document.js";
import type { Journal } from "../../../../src/path/journal/journal.js";
import { openReplica, writeSnapshots } from "../../../../src/path/replica/replica.js";
import { idTimeMs } from "../../../../src/domain/ids/ids.js";
import {
  createDataDir,
  createTaskPage,
  journalledRecords,
  PROVIDERS,
  testDecisionIds,
} from "../../../support/service/actor-parts.js";
import { closeLater } from "../../../support/closing.js";
import { decisionBody } from "../../../support/service/service.js";
import { putPolicy } from "../../../support/rows/replica-policies.js";
import { rules } from "../../../support/people/tenants.js";
import { defaultMonitor, START_MS } from "../../domain/health/segments.js";

const NOW_MS = Date.UTC(2026, 10, 20, 12);
const HOUR_MS = 3_600_000;

async function createActor(wrapJournal = (journal: Journal): Journal => journal) {
  const dir = await createDataDir();
  const replica = openReplica(dir.dataDir);
  closeLater(() => replica.close());
  const clock = { nowMs: NOW_MS };
  const page = createTaskPage();
  const actor = createDecideActor({
    validator: createDecisionValidator(PROVIDERS),
    contexts: createDecisionContexts(replica, 90),
    health: createHealthRecorder(PROVIDERS),
    decisionIds: testDecisionIds,
    journal: wrapJournal(dir.journal),
    pages: [page],
    shared: null,
    now: () => clock.nowMs,
    monotonicMs: () => 1000,
  });
  const { snapshots } = defaultMonitor().warmUp(START_MS);
  replica.putHealth(writeSnapshots(snapshots));
  return {
    ...dir,
    replica,
    clock,
    /** Publishes new figures for the same segments, as the prober does each second. */
    changeHealth: (samples: number): void =>
      replica.putHealth(writeSnapshots(snapshots.map((snapshot) => ({ ...snapshot, sample_size: samples })))),
    decide: (currencies: readonly string[], idempotencyKey?: string): DecideReply =>
      actor(
        packRequests(
          currencies.map((currency) => ({
            caller: { workspaceId: dir.workspaceId, mode: "test", merchantScope: null },
            body: JSON.stringify(
              decisionBody({ transaction: { amount: 100, currency, country: "US", payment_method: "card" } }),
            ),
            idempotencyKey: idempotencyKey ?? null,
            receivedAtMs: 999,
          })),
          0,
          page,
        ),
      ),
    /** The journal's groups by name, and the groups that its decisions name. */
    recorded() {
      const { decisions, healthGroups } = journalledRecords(dir.journal);
      const documents = decisions.map(({ doc }) => readDocument(doc.toString()));
      const groups = healthGroups.map(({ hash, content }): [string, string] => [
        Buffer.from(hash.toString("hex"), "hex").toString("base64url"),
        content.toString(),
      ]);
      return { documents, groups, named: documents.map(({ seen }) => seen?.health ?? "") };
    },
  };
}

describe("recording: health is journalled with the first decision that used it", () => {
  it("health is journalled once for each segment and change, however many decisions and batches see it", async () => {
    const { decide, changeHealth, recorded } = await createActor();
    decide(["USD", "USD", "EUR"]);
    decide(["EUR", "USD"]);
    assert.equal(recorded().groups.length, 2);
    changeHealth(7);
    decide(["USD"]);
    decide(["USD"]);
    // The prober writes the same figures again.
    changeHealth(7);
    decide(["USD", "EUR"]);
    const { groups, named } = recorded();
    assert.equal(groups.length, 4);
    assert.equal(new Set(groups.map(([name]) => name)).size, 4);
    assert.deepEqual(new Set(named), new Set(groups.map(([name]) => name)));
  });

  it("RET-16: health that stays the same is journalled once a day again", async () => {
    const { decide, clock, recorded } = await createActor();
    decide(["USD"]);
    clock.nowMs += 11 * HOUR_MS;
    decide(["USD"]);
    assert.equal(recorded().groups.length, 1);
    clock.nowMs += 2 * HOUR_MS;
    decide(["USD"]);
    decide(["USD"]);
    const { groups, named } = recorded();
    assert.equal(groups.length, 2);
    assert.equal(new Set([...named, ...groups.map(([name]) => name)]).size, 1);
  });

  it("a failed commit journals health again with the next decision", async () => {
    let failing = true;
    const { decide, recorded } = await createActor((journal) => ({
      ...journal,
      transaction: (write) =>
        journal.transaction(() => {
          const result = write();
          if (failing) throw new Error("no space left");
          return result;
        }),
    }));
    assert.match(decide(["USD"]).journalError ?? "", /no space left/);
    assert.equal(recorded().groups.length, 0);
    failing = false;
    decide(["USD"]);
    const { groups, named } = recorded();
    assert.deepEqual(
      named,
      groups.map(([name]) => name),
    );
  });

  it("a replayed reply journals no health, because its decision saw other health", async () => {
    const { decide, changeHealth, recorded } = await createActor();
    decide(["USD"], "key");
    changeHealth(7);
    decide(["USD"], "key");
    assert.equal(recorded().groups.length, 1);
    decide(["USD"]);
    assert.equal(recorded().groups.length, 2);
  });

  it("counts among the journal's records: sequences stay without a gap", async () => {
    const { decide } = await createActor();
    assert.equal(decide(["USD", "USD", "EUR"]).sequence, 5);
    assert.equal(decide(["USD"]).sequence, 6);
  });
});

describe("recording: a replay finds the clock the decision had", () => {
  it("it finds the clock after a step back, when ids continue from the last one", async () => {
    const { decide, replica, workspaceId, clock, recorded } = await createActor();
    const policy = {
      policy_id: "pol_01jd4wqk2m0000000000000000",
      name: "By hour",
      status: "published",
      version: "v1",
      default_provider: null,
      rules: rules([{ name: "noon", when: { hour_utc_gte: 12 }, then: { type: "hold" } }]),
      updated_at: "2026-11-20T12:00:00.000Z",
    } as const;
    putPolicy(replica, workspaceId, "demo_merchant", policy);
    decide(["USD"]);
    clock.nowMs = NOW_MS - 1000;
    decide(["USD"]);
    const { documents, groups } = recorded();
    const last = documents.at(-1) as RecordedDecision;
    assert.equal(idTimeMs(last.response.decision_id), NOW_MS);
    const name = last.seen.health;
    const health = readHealth(name, new Map(groups).get(name) as string);
    assert.equal(replayDecision(last, policy, health).identical, true);
    assert.equal(last.response.action, "hold");
  });

  it("CLOCK-6: it finds the clock after the clock was corrected, when ids go back with it", async () => {
    const { decide, clock, recorded } = await createActor();
    decide(["USD"]);
    clock.nowMs = NOW_MS - HOUR_MS;
    decide(["USD"]);
    const last = recorded().documents.at(-1) as RecordedDecision;
    assert.equal(idTimeMs(last.response.decision_id), NOW_MS - HOUR_MS);
  });
});
