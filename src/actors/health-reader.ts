import type { HealthSnapshot } from "../health/snapshot.js";
import { parseSnapshots } from "../health/view.js";
import type { ReplicaReader } from "../replica/replica.js";

/** The stored snapshots as the front thread reads them; parsed once per change. */
export function createHealthReader(replica: ReplicaReader): { snapshots(): readonly HealthSnapshot[] } {
  let version = -1;
  let snapshots: readonly HealthSnapshot[] = [];
  return {
    snapshots() {
      const { health } = replica.refresh();
      if (health !== version) {
        version = health;
        const text = replica.readHealth();
        snapshots = text === undefined ? [] : parseSnapshots(text);
      }
      return snapshots;
    },
  };
}
