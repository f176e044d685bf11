import { createHealthView, parseSnapshots } from "../health/view.js";
import type { HealthView } from "../health/snapshot.js";
import { compilePolicy, type CompiledPolicy } from "../policy/compile-policy.js";
import {
  amountsKey,
  merchantKey,
  workspaceKey,
  type ReplicaAmounts,
  type ReplicaMerchant,
  type ReplicaReader,
  type ReplicaWorkspace,
} from "../replica/replica.js";
import { LIMITS } from "../shared/limits.js";
import type { Mode } from "../shared/vocabulary.js";

/** An entry of the replica, decoded once per change of its text. */
interface Decoded<T> {
  text: string;
  value: T;
  /** The catalog version at which the text was last compared. */
  checkedAt: number;
}

export interface DecisionContexts {
  /** Steps to the newest replica; once per batch. */
  refresh(): void;
  health(): HealthView;
  /** Null for a workspace this node has not heard of. */
  workspace(workspaceId: string): ReplicaWorkspace | null;
  /** `undefined` for a merchant the workspace does not have; null where it has no published policy. */
  policy(workspaceId: string, merchantId: string): CompiledPolicy | null | undefined;
  amounts(workspaceId: string, mode: Mode, merchantId: string): ReplicaAmounts;
}

const NO_AMOUNTS: ReplicaAmounts = {};

/** Reads what decisions need from the LMDB replica and keeps it decoded and compiled while its text stays the same. */
export function createDecisionContexts(replica: ReplicaReader): DecisionContexts {
  let catalogVersion = -1;
  let healthVersion = -1;
  let view = createHealthView("none", []);
  const workspaces = createDecodedCache<ReplicaWorkspace | null>((text) =>
    text === undefined ? null : (JSON.parse(text) as ReplicaWorkspace),
  );
  const policies = createDecodedCache<CompiledPolicy | null | undefined>((text) => {
    if (text === undefined) return undefined;
    const { policy } = JSON.parse(text) as ReplicaMerchant;
    return policy === null ? null : compilePolicy(policy);
  });
  const amounts = createDecodedCache<ReplicaAmounts>((text) =>
    text === undefined ? NO_AMOUNTS : (JSON.parse(text) as ReplicaAmounts),
  );

  function createDecodedCache<T>(decode: (text: string | undefined) => T) {
    const entries = new Map<string, Decoded<T>>();
    return (key: string): T => {
      const known = entries.get(key);
      if (known?.checkedAt === catalogVersion) return known.value;
      const text = replica.read(key);
      if (known !== undefined && known.text === text) {
        known.checkedAt = catalogVersion;
        return known.value;
      }
      const value = decode(text);
      // What does not exist is not kept: made-up merchant ids must not push real ones out.
      if (text === undefined) return value;
      if (entries.size >= LIMITS.contextCacheEntriesMax) entries.clear();
      entries.set(key, { text, value, checkedAt: catalogVersion });
      return value;
    };
  }

  return {
    refresh() {
      const versions = replica.refresh();
      catalogVersion = versions.catalog;
      if (versions.health !== healthVersion) {
        healthVersion = versions.health;
        const text = replica.readHealth();
        if (text !== undefined) view = createHealthView(String(healthVersion), parseSnapshots(text));
      }
    },
    health: () => view,
    workspace: (workspaceId) => workspaces(workspaceKey(workspaceId)),
    policy: (workspaceId, merchantId) => policies(merchantKey(workspaceId, merchantId)),
    amounts: (workspaceId, mode, merchantId) => amounts(amountsKey(workspaceId, mode, merchantId)),
  };
}
