import assert from "node:assert/strict";
import { before, describe, it } from "node:test";
import type { WriterReport } from "../../../src/path/writer/messages.js";
import { createWriterActor } from "../../../src/path/writer/writer-actor.js";
import { createBatchEncoder } from "../../../src/path/journal/batch-codec.js";
import { DiskUnwritableError } from "../../../src/platform/node/disk-room.js";
import type { Journal } from "../../../src/path/journal/journal.js";
import { createDecisionWriter, type DecisionWriter } from "../../../src/path/writer/decision-writer.js";
import { createDataDir, type DataDir } from "../../support/service/actor-parts.js";
import { decisionRecord } from "../../support/rows/decision-records.js";
import { createTestDatabase, type TestDatabase } from "../../support/postgres/postgres.js";

let database: TestDatabase;
before(async () => {
  database = await createTestDatabase();
});

let nodes = 0;
const NO_AMOUNTS = { add: () => undefined, refresh: () => Promise.resolve() };

/** Appends batches of two decisions each. */
function append({ journal }: DataDir, prefix: string, batches: number): void {
  const { encode } = createBatchEncoder();
  for (let i = 0; i < batches; i++) {
    const records = [decisionRecord(`${prefix}_${i}_a`), decisionRecord(`${prefix}_${i}_b`)];
    journal.transaction(() => journal.append(encode(records), records.length));
  }
}

/** Runs a writer until it has drained the journal, as in a stop. Rejects with the error that ended the writer. */
async function drain(journal: Journal, writer: DecisionWriter, deadlineMs = 20_000): Promise<WriterReport[]> {
  const reports: WriterReport[] = [];
  const actor = createWriterActor({
    journal,
    writer,
    amounts: NO_AMOUNTS,
    report: (report) => reports.push(report),
    now: Date.now,
  });
  const running = actor.run();
  actor.command({ type: "stop", deadlineMs });
  await running;
  return reports;
}

async function assertStoredOnce(prefix: string, batches: number): Promise<void> {
  const { rows } = await database.pool.query(
    "select count(*)::int as rows, count(distinct order_id)::int as orders from decisions where starts_with(order_id, $1)",
    [`${prefix}_`],
  );
  assert.deepEqual(rows, [{ rows: batches * 2, orders: batches * 2 }]);
}

const isDrained = (reports: readonly WriterReport[]): boolean =>
  reports.findLast((report) => report.type === "status")?.depthRecords === 0;

describe("DUR-3: exactly once, whenever the writer dies", () => {
  it("after a death between commit and removal, the next writer removes the entries and writes nothing twice", async () => {
    const data = await createDataDir();
    const nodeId = `redelivery-${nodes++}`;
    append(data, "removal", 30);
    // The state after a writer was killed right after its commit: everything is written, and nothing is removed.
    const unremoved: Journal = { ...data.journal, removeThrough: () => undefined };
    assert.ok(isDrained(await drain(unremoved, createDecisionWriter(database.pool, { nodeId }))));
    assert.equal(data.journal.stats().entries, 30);
    await assertStoredOnce("removal", 30);

    append(data, "removal_later", 5);
    assert.ok(isDrained(await drain(data.journal, createDecisionWriter(database.pool, { nodeId }))));
    assert.equal(data.journal.stats().entries, 0);
    await assertStoredOnce("removal", 30 + 5);
  });

  it("reports a disk that refuses a removal differently from a PostgreSQL that refuses to store", async () => {
    const data = await createDataDir();
    append(data, "told_apart", 3);
    const refusing: Journal = {
      ...data.journal,
      removeThrough() {
        throw new DiskUnwritableError("no space left");
      },
    };
    const writer = createDecisionWriter(database.pool, { nodeId: `redelivery-${nodes++}` });
    const statuses = (await drain(refusing, writer)).filter((report) => report.type === "status");
    assert.ok(statuses.some(({ journalFailures }) => journalFailures > 0));
    assert.deepEqual([...new Set(statuses.map(({ failures }) => failures))], [0]);
    await assertStoredOnce("told_apart", 3);
  });

  it("reports PostgreSQL's refusal of a batch until it accepts the batch", async () => {
    const data = await createDataDir();
    append(data, "forbidden", 2);
    const writer = createDecisionWriter(database.pool, { nodeId: `redelivery-${nodes++}` });
    let refusals = 3;
    const refused: DecisionWriter = {
      ...writer,
      write: (batch, newPosition) =>
        refusals-- > 0
          ? Promise.reject(Object.assign(new Error("permission denied"), { code: "42501" }))
          : writer.write(batch, newPosition),
    };
    const reports = await drain(data.journal, refused);
    const sqlStates = reports.flatMap((report) =>
      report.type === "status" ? [report.failure?.sqlState] : [],
    );
    assert.ok(sqlStates.includes("42501"));
    assert.equal(sqlStates.at(-1), undefined);
    await assertStoredOnce("forbidden", 2);
  });

  it("rests while nothing waits, also after the search for a refused record", async () => {
    const data = await createDataDir();
    append(data, "rested", 1);
    let reads = 0;
    const journal: Journal = {
      ...data.journal,
      readAfter: (...range) => {
        reads++;
        return data.journal.readAfter(...range);
      },
    };
    const writer = createDecisionWriter(database.pool, { nodeId: `redelivery-${nodes++}` });
    let isRefused = true;
    const refusing: DecisionWriter = {
      ...writer,
      doing: () => ({ phase: "transaction", name: "decisions" }),
      write(batch, newPosition) {
        if (!isRefused) return writer.write(batch, newPosition);
        isRefused = false;
        return Promise.reject(Object.assign(new Error("check violation"), { code: "23514" }));
      },
    };
    // The writer sends a status each quarter of a second, or later on a busy host. While nothing waits, it reads once
    // in 50 ms.
    const readsByStatus: number[] = [];
    const actor = createWriterActor({
      journal,
      writer: refusing,
      amounts: NO_AMOUNTS,
      report: (report) => {
        if (report.type !== "status") return;
        if (isDrained([report]) && !isRefused) readsByStatus.push(reads);
        reads = 0;
        if (readsByStatus.length === 5) actor.command({ type: "stop", deadlineMs: 20_000 });
      },
      now: Date.now,
    });
    await actor.run();
    const [, ...whileNothingWaits] = readsByStatus;
    assert.ok(Math.min(...whileNothingWaits.slice(0, 4)) < 50, `${readsByStatus.join(", ")} reads`);
    await assertStoredOnce("rested", 1);
  });

  it("after a commit whose answer is lost, the writer asks for the position before it writes again", async () => {
    const data = await createDataDir();
    append(data, "answer", 30);
    const writer = createDecisionWriter(database.pool, { nodeId: `redelivery-${nodes++}` });
    let losses = 2;
    const losing: DecisionWriter = {
      ...writer,
      async write(batch, newPosition) {
        const result = await writer.write(batch, newPosition);
        if (losses-- > 0) throw new Error("Connection terminated unexpectedly");
        return result;
      },
    };
    assert.ok(isDrained(await drain(data.journal, losing)));
    assert.equal(data.journal.stats().entries, 0);
    await assertStoredOnce("answer", 30);
  });

  it("two writers on one journal at the same time store every row once", async () => {
    const data = await createDataDir();
    const nodeId = `redelivery-${nodes++}`;
    append(data, "two", 400);
    const drained = await Promise.all([
      drain(data.journal, createDecisionWriter(database.pool, { nodeId })),
      drain(data.journal, createDecisionWriter(database.pool, { nodeId })),
    ]);
    assert.ok(drained.every(isDrained));
    assert.equal(data.journal.stats().entries, 0);
    await assertStoredOnce("two", 400);
  });

  it("a removal that fails, as on a full disk, stops neither the writing nor later removals", async () => {
    const data = await createDataDir();
    append(data, "refused", 20);
    let refusals = 0;
    const full: Journal = {
      ...data.journal,
      removeThrough(sequence) {
        if (refusals++ < 1) throw new Error("No space left on device");
        data.journal.removeThrough(sequence);
      },
    };
    assert.ok(
      isDrained(await drain(full, createDecisionWriter(database.pool, { nodeId: `redelivery-${nodes++}` }))),
    );
    assert.ok(refusals > 1);
    assert.equal(data.journal.stats().entries, 0);
    await assertStoredOnce("refused", 20);
  });

  it("an entry of another build that PostgreSQL already has is removed unread", async () => {
    const data = await createDataDir();
    const writer = createDecisionWriter(database.pool, { nodeId: `redelivery-${nodes++}` });
    append(data, "other_build", 1);
    assert.ok(isDrained(await drain({ ...data.journal, removeThrough: () => undefined }, writer)));
    const [stored] = data.journal.readAfter(0, Number.POSITIVE_INFINITY);
    assert.ok(stored !== undefined);
    // The same entry in a made-up later format.
    const unknown = Buffer.from(stored.batch);
    unknown[0] = 200;
    const other = await createDataDir();
    other.journal.transaction(() => other.journal.append(unknown, 2));
    assert.ok(isDrained(await drain(other.journal, writer)));
    assert.equal(other.journal.stats().entries, 0);
  });

  it("refuses to continue with a journal that is behind its position in PostgreSQL", async () => {
    const nodeId = `redelivery-${nodes++}`;
    const first = await createDataDir();
    append(first, "ahead", 10);
    await drain(first.journal, createDecisionWriter(database.pool, { nodeId }));
    const rolledBack = await createDataDir();
    append(rolledBack, "behind", 3);
    await assert.rejects(
      drain(rolledBack.journal, createDecisionWriter(database.pool, { nodeId })),
      /is not the same one/,
    );
    assert.equal(rolledBack.journal.stats().entries, 3);
  });

  it("stops in time while PostgreSQL is away, and leaves the journal for the next start", async () => {
    const data = await createDataDir();
    append(data, "away", 4);
    const away: DecisionWriter = {
      doing: () => ({ phase: "position", name: "journal_positions" }),
      position: () => Promise.reject(new Error("connect ECONNREFUSED")),
      write: () => Promise.reject(new Error("connect ECONNREFUSED")),
      takes: () => Promise.reject(new Error("connect ECONNREFUSED")),
      setAside: () => Promise.reject(new Error("connect ECONNREFUSED")),
      matchKept: () => Promise.reject(new Error("connect ECONNREFUSED")),
    };
    const reports = await drain(data.journal, away, 300);
    assert.equal(isDrained(reports), false);
    assert.ok(
      isDrained(
        await drain(data.journal, createDecisionWriter(database.pool, { nodeId: `redelivery-${nodes++}` })),
      ),
    );
    await assertStoredOnce("away", 4);
  });
});
