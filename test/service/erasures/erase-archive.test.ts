import assert from "node:assert/strict";
import { mkdir, readdir, readFile, rename, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { beforeEach, describe, it } from "node:test";
import { asyncBufferFromFile, parquetReadObjects } from "hyparquet";
import { createFile, type CreateFile } from "../../../src/features/retention/archive/archive-disk.js";
import { archivePart } from "../../../src/features/retention/archive/archive-part.js";
import { eraseArchive } from "../../../src/features/retention/archive/erase-archive.js";
import { verifyArchive } from "../../../src/features/retention/archive/verify-archive.js";
import { runRetention } from "../../../src/features/retention/retention-run.js";
import { insertWorkspace } from "../../../src/features/workspaces/queries/workspace.js";
import { idToHex, idToUuid } from "../../../src/domain/ids/ids.js";
import { decodeSegment } from "../../../src/path/writer/copy/decision-batch.js";
import { createDecisionWriter } from "../../../src/path/writer/decision-writer.js";
import { NO_REST } from "../../../src/platform/timing/pace.js";
import { createTestDatabase, temporaryDir, type TestDatabase } from "../../support/postgres/postgres.js";
import { decisionRow, decisionsOnly, newId, type TextRow } from "../../support/rows/decision-rows.js";
import { askFor, work } from "../../support/rows/erasures.js";
import { untilPasses } from "../../support/waiting/eventually.js";

const DAY_MS = 86_400_000;
/** A Monday, the first day of a week. */
const START_MS = Date.UTC(2021, 0, 4);
const WEEK = "2021_01_04";
const TABLES = ["decisions", "decision_segments", "outcomes", "retried_decisions", "reviews"] as const;

let database: TestDatabase;
let root: string;
/** `own` is erased as a whole. In `shared`, one of two merchants is erased. */
let [own, shared, admin]: string[] = [];
let rows: TextRow[];
beforeEach(async () => {
  [database, root] = await Promise.all([createTestDatabase(), temporaryDir()]);
  [own, shared, admin] = [newId("ws"), newId("ws"), newId("ws")];
  for (const workspaceId of [own, shared, admin] as string[]) {
    await insertWorkspace(database.pool, { workspaceId, name: "Test" });
  }
  rows = ["gone", "kept", "gone", "kept"].flatMap((merchantId, n) =>
    ([own, shared] as string[]).map((workspaceId) =>
      decisionRow(
        { workspaceId, merchantId, doc: Buffer.from(JSON.stringify({ merchantId, workspaceId, n })) },
        START_MS + n * DAY_MS,
      ),
    ),
  );
  const retries = rows.map(({ workspaceId, decisionId, mode }) => ({
    workspaceId,
    decisionId,
    mode,
    failedProvider: "provider_1",
    failedOutcome: 1,
  }));
  await createDecisionWriter(database.pool, { nodeId: "node" }).write({ ...decisionsOnly(rows), retries }, 8);
  for (const { workspaceId, decisionId } of rows) {
    const ids = [idToHex(workspaceId), idToHex(decisionId)];
    await database.pool.query(
      "insert into outcomes (workspace_id, mode, decision_id, outcome, order_id) values ($1, 1, $2, 0, 'order')",
      ids,
    );
    await database.pool.query(
      "insert into reviews (workspace_id, mode, decision_id, resolution, resolved_by) values ($1, 1, $2, 0, $1)",
      ids,
    );
  }
  await archiveAll();
});

/**
 * Archives all rows as one part. A row that was just written can be archived only once every older transaction has
 * ended.
 */
async function archiveAll(): Promise<void> {
  await untilPasses(async () => {
    const client = await database.pool.connect();
    try {
      await runRetention(client, {
        serviceDays: 400,
        now: () => START_MS + 500 * DAY_MS,
        store: (job) => archivePart(database.pool, root, job),
        pace: NO_REST,
        waitsForCopies: false,
        onDropped: () => undefined,
        onRewritten: () => undefined,
      });
    } finally {
      client.release(true);
    }
  });
}

async function archived(table: string): Promise<Record<string, unknown>[]> {
  const file = await asyncBufferFromFile(join(root, WEEK, "part-1", `${table}.parquet`));
  return parquetReadObjects({ file, utf8: false });
}

async function counts(): Promise<number[]> {
  return Promise.all(TABLES.map(async (table) => (await archived(table)).length));
}

async function verified(): Promise<string[]> {
  const states: string[] = [];
  for await (const { state, text } of verifyArchive(root)) states.push(`${state}: ${text}`);
  return states;
}

async function documents(): Promise<string> {
  const segments = await archived("decision_segments");
  return segments.map(({ docs }) => decodeSegment(docs as Uint8Array).toString()).join("");
}

async function erase(workspaceId: string, merchantId: string | null): Promise<unknown> {
  const erasureId = await askFor(database.pool, { workspaceId, merchantId, provenIn: String(admin) });
  assert.deepEqual(await work(database.pool, { archiveDir: root }), []);
  const { rows: found } = await database.pool.query("select counts from erasures where erasure_id = $1", [
    idToHex(erasureId),
  ]);
  return found[0].counts.archived_rows;
}

describe("the archive without what was erased", () => {
  it("RET-24: a workspace's rows leave every part, which reads back, and others' rows are as before", async () => {
    const before = await archived("decisions");
    assert.deepEqual(await counts(), [8, 2, 8, 8, 8]);
    assert.equal(await erase(String(own), null), 17);
    assert.deepEqual(await counts(), [4, 1, 4, 4, 4]);
    const uuid = idToUuid(String(own));
    assert.deepEqual(
      await archived("decisions"),
      before.filter(({ workspace_id }) => workspace_id !== uuid),
    );
    for (const table of TABLES) {
      assert.ok(
        (await archived(table)).every(({ workspace_id }) => workspace_id !== uuid),
        table,
      );
    }
    assert.deepEqual(await readdir(join(root, WEEK)), ["part-1"]);
    const manifest = await readFile(join(root, WEEK, "part-1", "manifest.json"), "utf8");
    assert.ok(!manifest.includes(String(own)));
    const [line, ...more] = await verified();
    assert.match(String(line), /^ok: part-1: decisions 4/);
    assert.deepEqual(more, []);
    const { rows: noted } = await database.pool.query("select row_count from archived_parts");
    assert.deepEqual(noted, [{ row_count: "17" }]);
  });

  it("RET-24: of a shared block a merchant's documents become blanks, and the others stay at their places", async () => {
    assert.equal(await erase(String(shared), "gone"), 8);
    assert.deepEqual(await counts(), [6, 2, 6, 6, 6]);
    const segments = new Map(
      (await archived("decision_segments")).map(({ segment_id, docs }) => [
        segment_id,
        decodeSegment(docs as Uint8Array),
      ]),
    );
    for (const decision of await archived("decisions")) {
      const { segment_id, doc_offset, doc_bytes, decision_id } = decision;
      const document = segments
        .get(segment_id)
        ?.subarray(Number(doc_offset), Number(doc_offset) + Number(doc_bytes));
      const row = rows.find(({ decisionId }) => idToUuid(decisionId) === decision_id);
      assert.equal(document?.toString(), Buffer.from(row?.doc as Uint8Array).toString());
    }
    const text = await documents();
    assert.ok(!text.includes(JSON.stringify({ merchantId: "gone", workspaceId: shared }).slice(0, -1)));
    assert.equal((await verified()).length, 1);
    assert.match(String((await verified())[0]), /^ok/);
  });

  it("RET-24: a run that broke off at any point is taken up, and the part is never lost", async () => {
    const { rows: identity } = await database.pool.query("select archive_id from archive_identity");
    const place = join(root, WEEK, "part-1");
    const run = (create: CreateFile = createFile) =>
      eraseArchive({
        root,
        archiveId: identity[0].archive_id,
        owner: { workspaceId: String(own), merchantId: null },
        onPart: () => Promise.resolve(),
        create,
      });
    const full: CreateFile = async (path) => {
      const file = await createFile(path);
      const write = (): Promise<void> => Promise.reject(new Error("no space left"));
      return path.endsWith("reviews.parquet") ? { ...file, write } : file;
    };
    await assert.rejects(run(full), /no space left/);
    assert.deepEqual(await counts(), [8, 2, 8, 8, 8]);
    // The run stopped between its two renames, so the part is not in its place.
    await rename(place, `${place}.old`);
    await run();
    assert.deepEqual(await counts(), [4, 1, 4, 4, 4]);
    // Imitates a run that stopped after both renames: the old part still exists.
    await mkdir(`${place}.old`);
    await writeFile(join(`${place}.old`, "manifest.json"), "{}");
    await run();
    assert.deepEqual(await readdir(join(root, WEEK)), ["part-1"]);
    assert.deepEqual(await counts(), [4, 1, 4, 4, 4]);
  });

  it("RET-24, RET-13: an archive of another database stays as it is, and the erasure waits", async () => {
    await database.pool.query("update archive_identity set archive_id = gen_random_uuid()");
    await askFor(database.pool, { workspaceId: String(own), merchantId: null, provenIn: String(admin) });
    const errors = await work(database.pool, { archiveDir: root });
    assert.match(String(errors), /another database/);
    assert.deepEqual(await counts(), [8, 2, 8, 8, 8]);
  });
});
