import type { ReplicaWriter } from "../replica/replica.js";
import { createCoalescedRefresh, type CoalescedRefresh } from "../../platform/timing/coalesced-refresh.js";

/** The name under which the replica stores the last list that was read from PostgreSQL. */
export type RememberedName = "provider_reports";

export interface RememberedSyncOptions<T> {
  name: RememberedName;
  load(): Promise<readonly T[]>;
  /** Shows the list. Resolves when it is shown. */
  show(all: readonly T[]): Promise<void>;
  replica: Pick<ReplicaWriter, "putText">;
  onError(error: unknown): void;
}

/**
 * Keeps the prober's reports equal to PostgreSQL's. A refresh resolves when this node shows the reports that were
 * current at the call. The replica stores them, because a start without PostgreSQL must not forget an incident.
 */
export function createRememberedSync<T>(options: RememberedSyncOptions<T>): CoalescedRefresh {
  const { name, load, show, replica, onError } = options;
  let shown: string | null = null;
  return createCoalescedRefresh(async () => {
    const all = await load();
    const text = JSON.stringify(all);
    if (text === shown) return;
    await show(all);
    shown = text;
    replica.putText(name, text);
  }, onError);
}

/** The list that this node has shown last. */
export function rememberedBy<T>(
  replica: { read(key: string): string | undefined },
  name: RememberedName,
): T[] {
  const text = replica.read(name);
  return text === undefined ? [] : (JSON.parse(text) as T[]);
}
