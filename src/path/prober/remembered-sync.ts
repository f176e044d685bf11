import type { ReplicaWriter } from "../replica/replica.js";
import { createCoalescedRefresh, type CoalescedRefresh } from "../../platform/timing/coalesced-refresh.js";

/** What the prober is told of, by the name under which the replica keeps what PostgreSQL said last. */
export type RememberedName = "provider_reports";

export interface RememberedSyncOptions<T> {
  name: RememberedName;
  load(): Promise<readonly T[]>;
  /** Resolves once they are shown. */
  show(all: readonly T[]): Promise<void>;
  replica: Pick<ReplicaWriter, "putText">;
  onError(error: unknown): void;
}

/**
 * Keeps the prober's reports in step with PostgreSQL; a refresh resolves once this node shows what held at the
 * call. A start without PostgreSQL must not forget an incident: the replica remembers them.
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

/** What this node showed last. */
export function rememberedBy<T>(
  replica: { read(key: string): string | undefined },
  name: RememberedName,
): T[] {
  const text = replica.read(name);
  return text === undefined ? [] : (JSON.parse(text) as T[]);
}
