import assert from "node:assert/strict";
import { once } from "node:events";
import { before, describe, it } from "node:test";
import { Worker } from "node:worker_threads";
import {
  merchantKey,
  openReplica,
  readSnapshots,
  workspaceKey,
  WORKSPACE_PREFIX,
  writeSnapshots,
  type CatalogEntry,
  type Replica,
} from "../../../../src/path/replica/replica.js";
import { compiled } from "../../../support/service/actor-parts.js";
import { defaultMonitor, START_MS } from "../../domain/health/segments.js";
import { closeLater } from "../../../support/closing.js";
import { temporaryDir } from "../../../support/postgres/postgres.js";

let dataDir = "";
before(async () => {
  dataDir = await temporaryDir();
});

async function createReplica(): Promise<Replica> {
  const replica = openReplica(await temporaryDir());
  closeLater(() => replica.close());
  return replica;
}

const workspace = (id: string, threshold: number): CatalogEntry => ({
  key: workspaceKey(id),
  value: {
    status: "active",
    default_decision_mode: null,
    risk_block_threshold: threshold,
    retention_days: null,
  },
});
const thresholdOf = (text: string | undefined): unknown =>
  text === undefined ? undefined : (JSON.parse(text) as Record<string, unknown>)["risk_block_threshold"];

describe("replica", () => {
  it("moves the catalog's version with every change, and with nothing else", async () => {
    const replica = await createReplica();
    const version = (): number => replica.refresh().catalog;
    assert.equal(version(), 0);
    replica.putCatalog([workspace("ws_a", 1), workspace("ws_b", 1)]);
    assert.equal(version(), 1);
    replica.putCatalog([workspace("ws_a", 1), workspace("ws_b", 1)]);
    replica.putCatalog([workspace("ws_a", 1)], [{ key: "rule_ids/ws_a/m", text: "[]" }]);
    replica.putHealth("[]");
    replica.putText("api_key/1", "{}");
    assert.equal(version(), 1);
    replica.putCatalog([workspace("ws_a", 1), workspace("ws_b", 2)]);
    assert.equal(version(), 2);
    replica.putCatalog([workspace("ws_c", 3)]);
    assert.equal(version(), 3);
  });

  it("names the changes since a version, and nothing else", async () => {
    const replica = await createReplica();
    replica.putCatalog([workspace("ws_a", 1), workspace("ws_b", 1)]);
    replica.putCatalog([workspace("ws_a", 1), workspace("ws_b", 2)]);
    replica.putCatalog([{ key: workspaceKey("ws_a"), value: null }]);
    assert.equal(replica.refresh().catalog, 3);
    assert.deepEqual(replica.changedSince(1), [workspaceKey("ws_b"), workspaceKey("ws_a")]);
    assert.deepEqual(replica.changedSince(3), []);
  });

  it("says that anything may have changed where one change was of more than a thousand entries, or thousands came", async () => {
    const replica = await createReplica();
    const many = Array.from({ length: 1001 }, (_, i) => workspace(`ws_${i}`, 1));
    replica.putCatalog(many.slice(1));
    replica.putCatalog(many);
    assert.equal(replica.refresh().catalog, 2);
    assert.equal(replica.changedSince(0)?.length, 1001);
    replica.putCatalog(many.map(({ key }) => ({ key, value: null })));
    replica.refresh();
    assert.equal(replica.changedSince(2), null);
    for (let i = 0; i < 4096; i++) replica.putCatalog([workspace("ws_a", i)]);
    assert.equal(replica.refresh().catalog, 3 + 4096);
    assert.equal(replica.changedSince(3)?.length, 4096);
    assert.equal(replica.changedSince(2), null);
  });

  it("changes entries and texts, and leaves the rest", async () => {
    const replica = await createReplica();
    const merchant: CatalogEntry = { key: merchantKey("ws_a", "m"), value: { policy: null, prices: null } };
    replica.putCatalog([workspace("ws_a", 1), workspace("ws_b", 1), merchant]);
    replica.putText("api_key/1", "kept");
    replica.putHealth("health");
    replica.putCatalog(
      [{ key: workspaceKey("ws_a"), value: null }, workspace("ws_b", 5)],
      [{ key: "policy/name", text: "[null,false,[]]" }],
    );
    replica.refresh();
    assert.equal(replica.read(workspaceKey("ws_a")), undefined);
    assert.equal(thresholdOf(replica.read(workspaceKey("ws_b"))), 5);
    assert.equal(replica.read(merchant.key), '{"policy":null,"prices":null}');
    assert.equal(replica.read("policy/name"), "[null,false,[]]");
    assert.equal(replica.read("api_key/1"), "kept");
    assert.equal(replica.readHealth(), "health");
    replica.putCatalog([{ key: workspaceKey("ws_b"), value: null }], [{ key: "policy/name", text: null }]);
    replica.putText("api_key/1", null);
    replica.refresh();
    assert.equal(replica.read(workspaceKey("ws_b")), undefined);
    assert.equal(replica.read("policy/name"), undefined);
    assert.equal(replica.read("api_key/1"), undefined);
  });

  it("lists keys under a prefix in pages, each behind the last key of the one before", async () => {
    const replica = await createReplica();
    replica.putCatalog(["ws_a", "ws_b", "ws_c"].map((id) => workspace(id, 1)));
    assert.deepEqual(replica.keysAfter(WORKSPACE_PREFIX), ["ws_a", "ws_b", "ws_c"]);
    assert.deepEqual(replica.keysAfter(WORKSPACE_PREFIX, "", 2), ["ws_a", "ws_b"]);
    assert.deepEqual(replica.keysAfter(WORKSPACE_PREFIX, "ws_b", 2), ["ws_c"]);
    assert.deepEqual(replica.keysAfter(WORKSPACE_PREFIX, "ws_aa", 1), ["ws_b"]);
  });

  it("is readable only while it is open and has been written", async () => {
    const replica = openReplica(await temporaryDir());
    assert.equal(replica.isReadable(), false);
    replica.putHealth("[]");
    assert.equal(replica.isReadable(), true);
    await replica.close();
    assert.equal(replica.isReadable(), false);
  });

  it("shows a reader in another thread a whole version, new or old, never half of one", async () => {
    const keys = Array.from({ length: 40 }, (_, i) => workspaceKey(`ws_${i}`));
    const replica = openReplica(dataDir);
    closeLater(() => replica.close());
    const stop = new Int32Array(new SharedArrayBuffer(4));
    const writer = new Worker(compiled("test/support/workers/replica-writer-worker.js"), {
      workerData: { dataDir, keys, stop },
    });
    const stopped = once(writer, "message") as Promise<[number]>;
    const exited = once(writer, "exit");
    const readThresholds = new Set<unknown>();
    let last = 0;
    // Reads without a pause, as a decide worker in Piscina's loop does, until it has seen many versions.
    while (readThresholds.size < 200) {
      const { catalog } = replica.refresh();
      const thresholds = new Set(keys.map((key) => thresholdOf(replica.read(key))));
      assert.equal(thresholds.size, 1);
      const [threshold] = thresholds;
      assert.equal(threshold ?? 0, catalog);
      assert.ok(catalog >= last, "never goes back");
      last = catalog;
      readThresholds.add(threshold);
    }
    Atomics.store(stop, 0, 1);
    const [versions] = await stopped;
    await exited;
    assert.equal(replica.refresh().catalog, versions);
    assert.equal(thresholdOf(replica.read(keys[0] as string)), versions);
    assert.equal(replica.readHealth(), JSON.stringify({ version: versions }));
  });

  it("snapshots of health survive being written and read", () => {
    const { snapshots } = defaultMonitor().warmUp(START_MS);
    assert.deepEqual(readSnapshots(writeSnapshots(snapshots)), snapshots);
    assert.throws(() => readSnapshots("{"), SyntaxError);
  });
});
