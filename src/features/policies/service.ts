import type { Policy } from "../../domain/policy/policy.js";
import { isId } from "../../domain/ids/ids.js";
import { createBoundedWork, type BoundedWorkOptions } from "../../platform/postgres/bounded-work.js";
import {
  findPolicy,
  insertPolicy,
  type MatchesLive,
  listPolicies,
  type NewPolicy,
  publishPolicy,
} from "./queries.js";
import type { ListedPolicy, PolicyVersion } from "./policy-rows.js";
import { isLimitReached, type KeptLimits, type LimitReached } from "../../domain/vocabulary/kept-limits.js";
import type { ApplyChangesNow } from "../../path/changes/change-queries.js";
import type { TenantDb } from "../../platform/postgres/tenant-db.js";

/** These exports are for other features. */
export { findPolicy } from "./queries.js";

/** The workspace whose policies are used, and the actor. */
export interface PolicyActor {
  workspaceId: string;
  /** `key_…` or `usr_…`, for the audit trail. */
  actor: string;
}

export interface OwnedPolicy {
  merchantId: string;
  policy: Policy;
}

export interface PolicyStoreOptions extends BoundedWorkOptions {
  tenants: TenantDb;
  /** The 26 characters of a new id. */
  nextId(): string;
  applyChangesNow: ApplyChangesNow;
  kept: KeptLimits;
  /** Resolves to true once everything that this node has acknowledged is readable, or to false when that fails. */
  readable(): Promise<boolean>;
}

/**
 * Each call answers `unavailable` when PostgreSQL does not answer. A write with that answer may still be carried out.
 * It is then complete and shows in the list.
 */
export interface PolicyStore {
  /** Null when the workspace has no such merchant. `live_changed` when `matchesLive` refuses the live policy. */
  create(
    by: PolicyActor,
    merchantId: string,
    policy: Omit<NewPolicy, "policy_id">,
    publish: boolean,
    matchesLive: MatchesLive | null,
  ): Promise<PolicyVersion | null | "live_changed" | LimitReached | "unavailable">;
  /** Null for an id that is malformed, unknown, or of another workspace's policy. */
  find(workspaceId: string, policyId: string): Promise<OwnedPolicy | null | "unavailable">;
  /** Null as in `find`, `live_changed` as in `create`. */
  publish(
    by: PolicyActor,
    merchantId: string,
    policyId: string,
    matchesLive: MatchesLive | null,
  ): Promise<PolicyVersion | null | "live_changed" | "unavailable">;
  /** Newest first. Null when the workspace has no such merchant. */
  list(workspaceId: string, merchantId: string): Promise<ListedPolicy[] | null | "unavailable">;
}

export function createPolicyStore(options: PolicyStoreOptions): PolicyStore {
  const { tenants, nextId } = options;
  const within = createBoundedWork(options);

  const author = (by: PolicyActor) => ({ auditId: `aud_${nextId()}`, actor: by.actor });

  /** The policy is published even if this node has not copied it yet. The change feed then copies it. */
  const reachWorkers = async (workspaceId: string, merchantId: string): Promise<void> => {
    await within(() => options.applyChangesNow([{ kind: "policy", workspaceId, key: merchantId }]));
  };

  return {
    async create(by, merchantId, source, publish, matchesLive) {
      const policy = { ...source, policy_id: `pol_${nextId()}` };
      const { workspaceId } = by;
      const insert = (mayDrop: boolean) =>
        within(() =>
          insertPolicy(
            tenants.of(workspaceId),
            workspaceId,
            merchantId,
            policy,
            publish,
            author(by),
            matchesLive,
            { limits: options.kept, mayDrop },
          ),
        );
      let created = await insert(false);
      if (isLimitReached(created)) created = (await options.readable()) ? await insert(true) : "unavailable";
      if (publish && isStored(created)) await reachWorkers(workspaceId, merchantId);
      return created;
    },

    async find(workspaceId, policyId) {
      return isId(policyId, "pol")
        ? within(() => findPolicy(tenants.of(workspaceId), workspaceId, policyId))
        : null;
    },

    async publish(by, merchantId, policyId, matchesLive) {
      const published = await within(() =>
        publishPolicy(tenants.of(by.workspaceId), by.workspaceId, policyId, author(by), matchesLive),
      );
      if (isStored(published)) await reachWorkers(by.workspaceId, merchantId);
      return published;
    },

    list: (workspaceId, merchantId) =>
      within(() => listPolicies(tenants.of(workspaceId), workspaceId, merchantId)),
  };
}

function isStored(answer: PolicyVersion | LimitReached | string | null): answer is PolicyVersion {
  return answer !== null && typeof answer !== "string" && !isLimitReached(answer);
}
