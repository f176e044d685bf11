import type { WorkspacePins } from "./queries.js";
import { PINS_PREFIX, pinsKey, type Replica } from "../../path/replica/replica.js";
import { heldUnder, workspacesOf, type RecordCopy } from "../../path/changes/record-copy.js";

export interface PinCopyOptions {
  /** Loads the pins of the given workspaces. Workspaces without pins are left out. */
  load(workspaceIds: readonly string[]): Promise<WorkspacePins[]>;
  stored: RecordCopy["stored"];
  /** Replaces the pins of the given workspaces. Resolves once the node shows the new pins. */
  show(workspaces: readonly WorkspacePins[]): Promise<void>;
  replica: Pick<Replica, "refresh" | "read" | "keysAfter" | "putCatalog">;
}

/** Keeps a local copy of each workspace's provider overrides. Pins therefore survive a start without PostgreSQL. */
export function copyPins({ load, stored, show, replica }: PinCopyOptions): RecordCopy {
  return {
    async copy(records) {
      const workspaceIds = workspacesOf(records);
      const found = new Map((await load(workspaceIds)).map((pins) => [pins.workspaceId, pins]));
      replica.refresh();
      const changed = workspaceIds
        .map((workspaceId) => found.get(workspaceId) ?? { workspaceId, overrides: [] })
        .filter(
          ({ workspaceId, overrides }) =>
            (replica.read(pinsKey(workspaceId)) ?? "[]") !== JSON.stringify(overrides),
        );
      if (changed.length === 0) return 0;
      // The node shows the pins before it stores the copy. If the process ends in between, its next start detects the
      // difference.
      await show(changed);
      replica.putCatalog(
        [],
        changed.map(({ workspaceId, overrides }) => ({
          key: pinsKey(workspaceId),
          text: overrides.length === 0 ? null : JSON.stringify(overrides),
        })),
      );
      return changed.length;
    },
    stored,
    held: (after, limit) => heldUnder(replica, PINS_PREFIX, after, limit),
  };
}

/** Returns the pins that this node showed last, for every workspace. */
export function heldPins(replica: Pick<Replica, "refresh" | "read" | "keysAfter">): WorkspacePins[] {
  replica.refresh();
  return replica.keysAfter(PINS_PREFIX).map((workspaceId) => ({
    workspaceId,
    overrides: JSON.parse(replica.read(pinsKey(workspaceId)) ?? "[]") as WorkspacePins["overrides"],
  }));
}
