import assert from "node:assert/strict";
import { once } from "node:events";
import { before, describe, it } from "node:test";
import { Worker } from "node:worker_threads";
import {
  merchantKey,
  MERCHANT_PREFIX,
  openReplica,
  workspaceKey,
  WORKSPACE_PREFIX,
  type CatalogEntry,
  type Replica,
} from "../../../src/replica/replica.js";
import { compiled } from "../../support/actor-parts.js";
import { closeLater } from "../../support/closing.js";
import { temporaryDir } from "../../support/postgres.js";

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
  value: { status: "active", default_decision_mode: null, risk_block_threshold: threshold },
});
const thresholdOf = (text: string | undefined): unknown =>
  text === undefined ? undefined : (JSON.parse(text) as Record<string, unknown>)["risk_block_threshold"];

describe("replica", () => {
  it("moves the catalog's version with every change, and with nothing else", async () => {
    const replica = await createReplica();
    const version = (): number => replica.refresh().catalog;
    assert.equal(version(), 0);
    replica.replaceCatalog([WORKSPACE_PREFIX], [workspace("ws_a", 1), workspace("ws_b", 1)]);
    assert.equal(version(), 1);
    replica.replaceCatalog([WORKSPACE_PREFIX], [workspace("ws_a", 1), workspace("ws_b", 1)]);
    replica.putHealth("[]");
    replica.putText("api_key/1", "{}");
    assert.equal(version(), 1);
    replica.replaceCatalog([WORKSPACE_PREFIX], [workspace("ws_a", 1), workspace("ws_b", 2)]);
    assert.equal(version(), 2);
    replica.putCatalog([workspace("ws_c", 3)]);
    assert.equal(version(), 3);
  });

  it("replaces what is under the given prefixes, and leaves the rest", async () => {
    const replica = await createReplica();
    const merchant: CatalogEntry = { key: merchantKey("ws_a", "m"), value: { policy: null } };
    replica.replaceCatalog(
      [WORKSPACE_PREFIX, MERCHANT_PREFIX],
      [workspace("ws_a", 1), workspace("ws_b", 1), merchant],
    );
    replica.putText("api_key/1", "kept");
    replica.putHealth("health");
    replica.replaceCatalog([WORKSPACE_PREFIX], [workspace("ws_b", 5)]);
    replica.refresh();
    assert.equal(replica.read(workspaceKey("ws_a")), undefined);
    assert.equal(thresholdOf(replica.read(workspaceKey("ws_b"))), 5);
    assert.equal(replica.read(merchant.key), '{"policy":null}');
    assert.equal(replica.read("api_key/1"), "kept");
    assert.equal(replica.readHealth(), "health");
    replica.putCatalog([{ key: workspaceKey("ws_b"), value: null }]);
    replica.putText("api_key/1", null);
    replica.refresh();
    assert.equal(replica.read(workspaceKey("ws_b")), undefined);
    assert.equal(replica.read("api_key/1"), undefined);
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
    const writer = new Worker(compiled("test/support/replica-writer-worker.js"), {
      workerData: { dataDir, keys, stop },
    });
    const stopped = once(writer, "message") as Promise<[number]>;
    const exited = once(writer, "exit");
    const seen = new Set<unknown>();
    let last = 0;
    // Reads without a pause, as a decide worker in Piscina's loop does, until it has seen many versions.
    while (seen.size < 200) {
      const { catalog } = replica.refresh();
      const thresholds = new Set(keys.map((key) => thresholdOf(replica.read(key))));
      assert.equal(thresholds.size, 1);
      const [threshold] = thresholds;
      assert.equal(threshold ?? 0, catalog);
      assert.ok(catalog >= last, "never goes back");
      last = catalog;
      seen.add(threshold);
    }
    Atomics.store(stop, 0, 1);
    const [versions] = await stopped;
    await exited;
    assert.equal(replica.refresh().catalog, versions);
    assert.equal(thresholdOf(replica.read(keys[0] as string)), versions);
    assert.equal(replica.readHealth(), JSON.stringify({ version: versions }));
  });
});
