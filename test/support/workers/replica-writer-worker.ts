import { parentPort, workerData } from "node:worker_threads";
import { openReplica } from "../../../src/path/replica/replica.js";

/** Writes one version after another until it is told to stop. All entries of a version hold the same value. */
const { dataDir, keys, stop } = workerData as { dataDir: string; keys: string[]; stop: Int32Array };
const replica = openReplica(dataDir);
let version = 0;
while (Atomics.load(stop, 0) === 0) {
  version++;
  const value = {
    status: "active",
    default_decision_mode: null,
    risk_block_threshold: version,
    retention_days: null,
  } as const;
  replica.putCatalog(keys.map((key) => ({ key, value })));
  replica.putHealth(JSON.stringify({ version }));
}
parentPort?.postMessage(version);
await replica.close();
