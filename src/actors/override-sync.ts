import type { ReplicaWriter } from "../replica/replica.js";
import { createCoalescedRefresh, type CoalescedRefresh } from "./coalesced-refresh.js";
import type { WorkspaceOverrides } from "./messages.js";

/** What was pinned when PostgreSQL last said so: a start without it must not lift a pin. */
const REMEMBERED_KEY = "provider_overrides";

export interface OverrideSyncOptions {
  load(): Promise<readonly WorkspaceOverrides[]>;
  /** Resolves once they are shown. */
  show(workspaces: readonly WorkspaceOverrides[]): Promise<void>;
  replica: Pick<ReplicaWriter, "putText">;
  onError(error: unknown): void;
}

/** Keeps the prober's pins in step with PostgreSQL; a refresh resolves once this node shows what was pinned at the call. */
export function createOverrideSync({ load, show, replica, onError }: OverrideSyncOptions): CoalescedRefresh {
  let shown: string | null = null;
  return createCoalescedRefresh(async () => {
    const workspaces = await load();
    const text = JSON.stringify(workspaces);
    if (text === shown) return;
    await show(workspaces);
    shown = text;
    replica.putText(REMEMBERED_KEY, text);
  }, onError);
}

/** The pins this node showed last. */
export function rememberedOverrides(replica: {
  read(key: string): string | undefined;
}): WorkspaceOverrides[] {
  const text = replica.read(REMEMBERED_KEY);
  return text === undefined ? [] : (JSON.parse(text) as WorkspaceOverrides[]);
}
