import assert from "node:assert/strict";
import { before, describe, it } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import fc from "fast-check";
import { idToHex } from "../../../src/domain/ids/ids.js";
import { createBatchEncoder, decodeBatch, noRecords } from "../../../src/path/journal/batch-codec.js";
import { createDecisionWriter, type DecisionWriter } from "../../../src/path/writer/decision-writer.js";
import { createWriterActor } from "../../../src/path/writer/writer-actor.js";
import { decisionRecord } from "../../support/rows/decision-records.js";
import { newId } from "../../support/rows/decision-rows.js";
import { reportedOutcome } from "../../support/rows/reported-outcome.js";
import { createDataDir, type DataDir } from "../../support/service/actor-parts.js";
import { createTestDatabase, openPool, type TestDatabase } from "../../support/postgres/postgres.js";

/** A journal record, with its kind and whether PostgreSQL refuses it. */
interface Made {
  kind: "decision" | "dear" | "retry";
  refusedBy: "nobody" | "constraint" | "trigger";
}
/**
 * A fault at the writer's call number `at`: a kill before or after the call, a lost answer, or the loss of all
 * connections.
 */
interface Cut {
  at: number;
  how: "killed_before" | "killed_after" | "answer_lost" | "connections";
}

const CONSTRAINTS = `
  alter table decisions add constraint no_bad check (order_id not like '%\\_constraint');
  alter table outcomes add constraint no_bad check (provider_reason_code <> 'constraint');
  create function refuse_decision() returns trigger language plpgsql as $$
  begin if new.order_id like '%\\_trigger' then raise exception 'refused: %', new.order_id; end if; return new; end $$;
  create trigger refuse_it before insert on decisions for each row execute function refuse_decision();
  create function refuse_outcome() returns trigger language plpgsql as $$
  begin if new.provider_reason_code = 'trigger' then raise exception 'refused: %', new.order_id; end if; return new; end $$;
  create trigger refuse_it before insert on outcomes for each row execute function refuse_outcome();`;

let database: TestDatabase;
before(async () => {
  database = await createTestDatabase();
  await database.pool.query("select ensure_decision_partitions('2026-11-20Z')");
  await database.pool.query(CONSTRAINTS);
});

const made: fc.Arbitrary<Made> = fc.record({
  kind: fc.constantFrom("decision", "decision", "dear", "retry"),
  refusedBy: fc.oneof(
    { weight: 3, arbitrary: fc.constant("nobody" as const) },
    { weight: 2, arbitrary: fc.constant("constraint" as const) },
    { weight: 1, arbitrary: fc.constant("trigger" as const) },
  ),
});
const batches = fc.array(fc.array(made, { minLength: 1, maxLength: 6 }), { minLength: 1, maxLength: 5 });
const cuts: fc.Arbitrary<Cut[]> = fc.array(
  fc.record({
    at: fc.integer({ min: 0, max: 20 }),
    how: fc.constantFrom("killed_before", "killed_after", "answer_lost", "connections"),
  }),
  { maxLength: 4 },
);

interface Expected {
  stored: string[];
  refused: string[];
  outcomes: string[];
  refusedOutcomes: string[];
  costs: number;
  retries: number;
}

/** Appends the batches. Each outcome belongs to a good decision before it, one outcome for each decision. */
function appendAll({ journal }: DataDir, workspaceId: string, all: readonly Made[][]): Expected {
  const encoder = createBatchEncoder();
  const expected: Expected = {
    stored: [],
    refused: [],
    outcomes: [],
    refusedOutcomes: [],
    costs: 0,
    retries: 0,
  };
  for (const batch of all) {
    const records = batch.map(({ refusedBy }, at) =>
      decisionRecord(`order_${at}_${refusedBy}`, { workspaceId }),
    );
    const costs = batch.flatMap(({ kind }, decisionAt) =>
      kind === "dear" ? [{ decisionAt, costMinor: 3, dearestMinor: 5, firstMinor: null }] : [],
    );
    const retries = batch.flatMap(({ kind }, at) => {
      const { decisionId } = records[at] as (typeof records)[number];
      return kind === "retry"
        ? [
            {
              workspaceId,
              decisionId,
              mode: "live",
              failedProvider: "provider_2",
              failedOutcome: "soft_declined",
            } as const,
          ]
        : [];
    });
    journal.transaction(() =>
      journal.append(
        encoder.encode(records, { costs, retries }),
        records.length + costs.length + retries.length,
      ),
    );
    for (const [at, { kind, refusedBy }] of batch.entries()) {
      const { decisionId } = records[at] as (typeof records)[number];
      (refusedBy === "nobody" ? expected.stored : expected.refused).push(decisionId);
      if (refusedBy === "nobody" && kind === "dear") expected.costs++;
      if (refusedBy === "nobody" && kind === "retry") expected.retries++;
    }
    // One outcome for each good decision. Some are accepted, and the constraint and the trigger refuse the others.
    const good = records.filter((_, at) => batch[at]?.refusedBy === "nobody");
    if (good.length === 0) continue;
    const outcomes = good.map(({ decisionId, orderId }, at) => {
      const refusedBy = (["nobody", "constraint", "nobody", "trigger"] as const)[at % 4];
      (refusedBy === "nobody" ? expected.outcomes : expected.refusedOutcomes).push(decisionId);
      return {
        ...reportedOutcome({ decisionId, orderId, providerReasonCode: refusedBy ?? null }),
        workspaceId,
        mode: "live" as const,
        merchantScope: null,
        reportedAtMs: Date.now(),
      };
    });
    journal.transaction(() => journal.append(encoder.encodeOutcomes(outcomes), outcomes.length));
  }
  return expected;
}

/** Ends the actor like a kill: the actor does nothing afterwards. */
class KilledError extends RangeError {}

function cutShort(writer: DecisionWriter, cuts: readonly Cut[], counter: { calls: number }): DecisionWriter {
  const cutting =
    <A extends unknown[], R>(work: (...args: A) => Promise<R>) =>
    async (...args: A): Promise<R> => {
      const call = counter.calls++;
      const how = cuts.find(({ at }) => at === call)?.how;
      if (how === "killed_before") throw new KilledError();
      if (how === "connections") {
        void database.pool.query(
          "select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'cut' and datname = current_database()",
        );
      }
      const result = await work(...args);
      if (how === "killed_after") throw new KilledError();
      if (how === "answer_lost") throw new Error("Connection terminated unexpectedly");
      return result;
    };
  return {
    ...writer,
    write: cutting(writer.write),
    setAside: cutting(writer.setAside),
    takes: cutting(writer.takes),
  };
}

async function drainThrough(data: DataDir, nodeId: string, cuts: readonly Cut[]): Promise<void> {
  const counter = { calls: 0 };
  for (;;) {
    const pool = openPool(database.url, "cut");
    pool.on("error", () => undefined);
    const actor = createWriterActor({
      journal: data.journal,
      writer: cutShort(createDecisionWriter(pool, { nodeId }), cuts, counter),
      amounts: { add: () => undefined, refresh: () => Promise.resolve() },
      report: () => undefined,
      now: Date.now,
    });
    const running = actor.run().then(
      () => "drained",
      (error: unknown) => {
        if (!(error instanceof KilledError)) throw error;
        return "killed";
      },
    );
    // The writer may end with one unclear refusal. It then waits for another record of that kind, which is correct.
    await sleep(5);
    actor.command({ type: "stop", deadlineMs: 300_000 });
    if ((await running) === "drained") return;
  }
}

async function idsIn(table: string, workspaceId: string, condition = "true"): Promise<string[]> {
  const { rows } = await database.pool.query<{ id: string }>(
    `select replace(decision_id::text, '-', '') as id from ${table} where workspace_id = $1 and ${condition} order by 1`,
    [idToHex(workspaceId)],
  );
  return rows.map(({ id }) => id);
}

const asHex = (ids: readonly string[]): string[] => ids.map(idToHex).toSorted();

describe("DUR-9: a record that PostgreSQL refuses is set aside, and everything else is stored", () => {
  it("DUR-9: with any records refused in any batches and the writer cut anywhere, each good one is stored once and each bad one set aside once", async () => {
    let runs = 0;
    await fc.assert(
      fc.asyncProperty(batches, cuts, async (all, cutsOfRun) => {
        const data = await createDataDir();
        const workspaceId = newId("ws");
        const expected = appendAll(data, workspaceId, all);
        // The last record of each kind is good. Other records of the same kind distinguish a trigger's refusal from a
        // server fault.
        const last = appendAll(data, workspaceId, [
          [
            { kind: "decision", refusedBy: "nobody" },
            { kind: "decision", refusedBy: "nobody" },
            { kind: "decision", refusedBy: "nobody" },
          ],
        ]);
        await drainThrough(data, `set-aside-${runs++}`, cutsOfRun);

        assert.deepEqual(await idsIn("decisions", workspaceId), asHex([...expected.stored, ...last.stored]));
        assert.deepEqual(await idsIn("set_aside", workspaceId, "kind = 'decision'"), asHex(expected.refused));
        assert.deepEqual(
          await idsIn("outcomes", workspaceId),
          asHex([...expected.outcomes, ...last.outcomes]),
        );
        assert.deepEqual(
          await idsIn("set_aside", workspaceId, "kind = 'outcome'"),
          asHex([...expected.refusedOutcomes, ...last.refusedOutcomes]),
        );
        assert.equal((await idsIn("decisions", workspaceId, "cost_minor = 3")).length, expected.costs);
        assert.equal((await idsIn("retried_decisions", workspaceId)).length, expected.retries);
        assert.deepEqual(await countedDecisions(workspaceId), expected.stored.length + last.stored.length);
        await assertEntriesKept(workspaceId);
        assert.equal(data.journal.stats().entries, 0);
      }),
      { numRuns: 6 },
    );
  });
});

/** The number of decisions counted, folded or not. */
async function countedDecisions(workspaceId: string): Promise<number> {
  const { rows } = await database.pool.query<{ counted: number }>(
    `select coalesce(sum(a0), 0)::int as counted from (
       select a0 from rollup_deltas where workspace_id = $1
       union all select a0 from rollup_totals where workspace_id = $1 and merchant_id = ''
     ) as all_of_them`,
    [idToHex(workspaceId)],
  );
  return rows[0]?.counted ?? -1;
}

/** Asserts that the records set aside are complete, with everything that belongs to them. */
async function assertEntriesKept(workspaceId: string): Promise<void> {
  const { rows } = await database.pool.query<
    Record<"decision_id" | "kind" | "sql_state" | "statement", string> & { entry: Buffer }
  >("select decision_id, kind, sql_state, statement, entry from set_aside where workspace_id = $1", [
    idToHex(workspaceId),
  ]);
  for (const { decision_id, kind, sql_state, statement, entry } of rows) {
    const records = noRecords();
    decodeBatch(entry, records);
    const { decisions, outcomes } = records;
    const hex = decision_id.replaceAll("-", "");
    if (kind === "decision") assert.equal(decisions[0]?.decisionId.toString("hex"), hex);
    else assert.equal(idToHex(outcomes[0]?.decisionId ?? ""), hex);
    assert.ok(["23514", "P0001"].includes(sql_state), sql_state);
    assert.match(statement, kind === "decision" ? /^decisions_2026_11_16$/ : /^apply_outcomes$/);
  }
}
