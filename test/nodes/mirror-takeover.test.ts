import assert from "node:assert/strict";
import { before, describe, it } from "node:test";
import { createBatchEncoder } from "../../src/path/journal/batch-codec.js";
import type { JournalEntry } from "../../src/path/journal/journal.js";
import { openDeadStreams } from "../../src/path/mirror/dead-streams.js";
import {
  createMirrorStore,
  MIRROR_SCRIPTS,
  MIRRORED_NODES,
  mirrorKeys,
  type MirrorStore,
} from "../../src/path/mirror/mirror-store.js";
import { packBatches } from "../../src/path/mirror/packed-batches.js";
import { createDecisionWriter } from "../../src/path/writer/decision-writer.js";
import type { WriterReport } from "../../src/path/writer/messages.js";
import { createTakeover } from "../../src/path/writer/takeover.js";
import { createCacheClient } from "../../src/platform/cache/cache-client.js";
import { closeLater } from "../support/closing.js";
import { NO_VALKEY, startValkey, type TestValkey } from "../support/edge/valkey.js";
import { createTestDatabase, type TestDatabase } from "../support/postgres/postgres.js";
import { decisionRecord } from "../support/rows/decision-records.js";
import { eventually } from "../support/service/service.js";

let valkey: TestValkey;
let database: TestDatabase;
let nodes = 0;

async function storeOf(nodeId: string, replicas = 0): Promise<MirrorStore> {
  const cache = createCacheClient({
    url: valkey.url,
    ca: null,
    name: "test",
    scripts: MIRROR_SCRIPTS,
    timeoutMs: 10_000,
    onRoundTrip: () => undefined,
  });
  closeLater(() => cache.close());
  await cache.started;
  return createMirrorStore({ cache, nodeId, replicas });
}

/** Makes `count` entries. Each is one batch of two decisions, numbered as in a node's journal. */
function entriesOf(prefix: string, count: number): [JournalEntry, ...JournalEntry[]] {
  const { encode } = createBatchEncoder();
  const entryAt = (at: number): JournalEntry => ({
    sequence: 2 * (at + 1),
    batch: Buffer.from(encode([decisionRecord(`${prefix}_${at}_a`), decisionRecord(`${prefix}_${at}_b`)])),
  });
  return [entryAt(0), ...Array.from({ length: count - 1 }, (_, at) => entryAt(at + 1))];
}

/** Creates a node that mirrored `count` batches and was then destroyed. */
async function deadNode(count: number): Promise<string> {
  const nodeId = `dead-${process.pid}-${nodes++}`;
  const store = await storeOf(nodeId);
  assert.deepEqual(await store.join(), { exists: false, sequence: 0 });
  let after: number | null = null;
  for (const entry of count === 0 ? [] : entriesOf(nodeId, count)) {
    assert.equal(await store.append(after, packBatches([entry])), "ok");
    after = entry.sequence;
  }
  await valkey.client.del(mirrorKeys(nodeId).alive);
  return nodeId;
}

/** Starts the search for dead nodes as `nodeId`. */
function startTaker(nodeId: string): { reports: readonly WriterReport[]; end(): Promise<void> } {
  const reports: WriterReport[] = [];
  const streams = openDeadStreams({ url: valkey.url, ca: null }, nodeId);
  const takeover = createTakeover({
    streams,
    writerFor: (journalOf) => createDecisionWriter(database.pool, { nodeId: journalOf }),
    amounts: { add: () => undefined },
    report: (report) => reports.push(report),
  });
  takeover.begin();
  closeLater(() => streams.close());
  return { reports, end: takeover.end };
}

async function countsOf(prefix: string): Promise<{ rows: number; orders: number }> {
  const { rows } = await database.pool.query<{ rows: number; orders: number }>(
    "select count(*)::int as rows, count(distinct order_id)::int as orders from decisions where starts_with(order_id, $1)",
    [`${prefix}_`],
  );
  return rows[0] as { rows: number; orders: number };
}

const takenOf = (reports: readonly WriterReport[], nodeId: string): number =>
  reports
    .filter((report) => "nodeId" in report && report.nodeId === nodeId)
    .reduce((sum, report) => sum + ("records" in report ? report.records : 0), 0);

describe("streams in a real cache", { skip: NO_VALKEY }, () => {
  before(async () => {
    [valkey, database] = await Promise.all([startValkey(), createTestDatabase()]);
  });

  it("DUR-24: an entry that does not follow the last one is not appended", async () => {
    const store = await storeOf("chain");
    const [first, second, third] = entriesOf("chain", 3) as [JournalEntry, JournalEntry, JournalEntry];
    assert.equal(await store.append(null, packBatches([first])), "ok");
    assert.equal(await store.append(null, packBatches([first])), "elsewhere", "not twice");
    assert.equal(await store.append(4, packBatches([third])), "elsewhere", "not past a hole");
    assert.equal(await store.append(2, packBatches([second, third])), "ok");
    assert.deepEqual(
      (await store.after(2))?.map(({ sequence }) => sequence),
      [4, 6],
    );
    await store.trim(6);
    assert.deepEqual(await store.after(0), []);
    assert.deepEqual(await store.join(), { exists: true, sequence: 6 });
    await valkey.client.del(mirrorKeys("chain").stream);
    assert.equal(await store.append(6, packBatches([second])), "elsewhere", "the stream is gone");
    await valkey.client.srem(MIRRORED_NODES, "chain");
  });

  it("DUR-20: without as many replicas as are asked for nothing counts as mirrored", async () => {
    const store = await storeOf("alone", 1);
    assert.equal(await store.join(), null);
    assert.equal(await store.append(null, packBatches(entriesOf("alone", 1))), "failed");
    await valkey.client.srem(MIRRORED_NODES, "alone");
  });

  it("DUR-21: a cache that is full takes no entry, and evicts no stream", async () => {
    const store = await storeOf("full");
    const [first, second] = entriesOf("full", 2) as [JournalEntry, JournalEntry];
    assert.equal(await store.append(null, packBatches([first])), "ok");
    await valkey.client.config("SET", "maxmemory-policy", "volatile-lru");
    await valkey.client.config("SET", "maxmemory", "1");
    try {
      assert.equal(await store.append(2, packBatches([second])), "failed");
    } finally {
      await valkey.client.config("SET", "maxmemory", "0");
    }
    await eventually(async () => assert.equal(await store.append(2, packBatches([second])), "ok"));
    assert.deepEqual(
      (await store.after(0))?.map(({ sequence }) => sequence),
      [2, 4],
    );
    await valkey.client.srem(MIRRORED_NODES, "full");
  });

  it("DUR-22: two nodes that take a stream over at once store each record once", async () => {
    const nodeId = await deadNode(40);
    // Both takers have the same name, so both hold the claim, and only the position decides.
    const takers = [startTaker("twin"), startTaker("twin")];
    await eventually(async () => assert.deepEqual(await countsOf(nodeId), { rows: 80, orders: 80 }));
    await eventually(async () => assert.equal(await valkey.client.sismember(MIRRORED_NODES, nodeId), 0));
    await Promise.all(takers.map(({ end }) => end()));
    assert.equal(
      takers.reduce((sum, { reports }) => sum + takenOf(reports, nodeId), 0),
      80,
    );
  });

  it("DUR-23: of a node that has stored a part itself, the rest is stored", async () => {
    const nodeId = await deadNode(0);
    const store = await storeOf(nodeId);
    await store.join();
    const entries = entriesOf(nodeId, 4);
    assert.equal(await store.append(null, packBatches(entries)), "ok");
    // The position of a node that stored the first three of its records.
    await database.pool.query(
      "insert into journal_positions (node_id, position) values ($1, 3) on conflict (node_id) do update set position = 3",
      [nodeId],
    );
    await valkey.client.del(mirrorKeys(nodeId).alive);
    const { reports, end } = startTaker("rest");
    await eventually(async () => assert.equal(await valkey.client.sismember(MIRRORED_NODES, nodeId), 0));
    await end();
    assert.deepEqual(await countsOf(nodeId), { rows: 5, orders: 5 });
    assert.equal(takenOf(reports, nodeId), 5);
    assert.equal(await valkey.client.get(mirrorKeys(nodeId).end), "8", "its end is remembered");
  });

  it("DUR-26: a node that shows itself keeps its stream, and a batch that nobody can read keeps no other node back", async () => {
    const living = await deadNode(1);
    await (await storeOf(living)).renew();
    const unreadable = `dead-${process.pid}-${nodes++}`;
    const store = await storeOf(unreadable);
    await store.append(
      null,
      packBatches([{ sequence: 1, batch: Buffer.from([99, 0, 1, 0, 0, 0, 0, 0, 0]) }]),
    );
    await store.renew();
    await valkey.client.del(mirrorKeys(unreadable).alive);
    const readable = await deadNode(2);
    const { reports, end } = startTaker("careful");
    await eventually(async () => assert.deepEqual(await countsOf(readable), { rows: 4, orders: 4 }));
    await eventually(async () =>
      assert.ok(reports.some((report) => report.type === "takeover_failed" && report.nodeId === unreadable)),
    );
    assert.equal(await valkey.client.exists(mirrorKeys(unreadable).stream), 1);
    await end();
    assert.equal(takenOf(reports, living), 0);
  });
});
