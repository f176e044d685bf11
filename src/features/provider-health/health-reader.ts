import type { HealthSnapshot } from "../../domain/health/snapshot.js";
import { mergeOverlays } from "../../domain/health/view.js";
import { healthOverlayKey, readSnapshots, type ReplicaReader } from "../../path/replica/replica.js";
import type { Mode } from "../../domain/vocabulary/vocabulary.js";

export interface HealthReader {
  /** Returns the stored snapshots as a workspace sees them in a mode. */
  snapshots(workspaceId: string, mode: Mode): readonly HealthSnapshot[];
  /** The probed segments in everybody's view, from the last call of `snapshots`. */
  probed(): readonly HealthSnapshot[];
}

/**
 * Reads the stored snapshots on the front thread. The snapshots that all workspaces share are parsed once per change.
 */
export function createHealthReader(replica: ReplicaReader): HealthReader {
  let version = -1;
  let shared: readonly HealthSnapshot[] = [];
  return {
    probed: () => shared,
    snapshots(workspaceId, mode) {
      const { health } = replica.refresh();
      if (health !== version) {
        version = health;
        const text = replica.readHealth();
        shared = text === undefined ? [] : readSnapshots(text);
      }
      const overlay = replica.read(healthOverlayKey(workspaceId, mode));
      return overlay === undefined ? shared : mergeOverlays(shared, readSnapshots(overlay));
    },
  };
}
