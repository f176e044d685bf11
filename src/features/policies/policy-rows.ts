import type { Policy, Rule } from "../../domain/policy/policy.js";
import { idFromHex } from "../../domain/ids/ids.js";
import { POLICY_STATUSES, type PolicyStatus } from "../../domain/vocabulary/vocabulary.js";

export const PUBLISHED = POLICY_STATUSES.indexOf("published");
export const DRAFT = POLICY_STATUSES.indexOf("draft");
export const ARCHIVED = POLICY_STATUSES.indexOf("archived");

const COLUMNS_BUT_RULES =
  "workspace_id, policy_id, merchant_id, version_number, name, status, default_provider, updated_at";
const HISTORY_COLUMNS = "author, comment, published_at, published_by, archived_at, archived_by";
/** The columns that decisions depend on. Nodes copy them, and policies of the same content share one compiled form. */
export const POLICY_COLUMNS = `${COLUMNS_BUT_RULES}, rules`;
export const VERSION_COLUMNS_BUT_RULES = `${COLUMNS_BUT_RULES}, ${HISTORY_COLUMNS}`;
export const VERSION_COLUMNS = `${VERSION_COLUMNS_BUT_RULES}, rules`;

export interface PolicyRow {
  workspace_id: string;
  policy_id: string;
  merchant_id: string;
  version_number: number;
  name: string;
  status: number;
  default_provider: string | null;
  rules: Rule[];
  updated_at: Date;
}

interface HistoryColumns {
  author: string | null;
  comment: string | null;
  published_at: Date | null;
  published_by: string | null;
  archived_at: Date | null;
  archived_by: string | null;
}

export type VersionRow = PolicyRow & HistoryColumns;
export type ListedVersionRow = Omit<VersionRow, "rules"> & { rules_json: string };

/**
 * POL-21: the people or keys that created, published and archived a version, with the times. Actors are `usr_…` or
 * `key_…`.
 */
export interface PolicyHistory {
  author: string | null;
  comment: string | null;
  published_at: string | null;
  published_by: string | null;
  archived_at: string | null;
  archived_by: string | null;
}

/** A policy as people see it. Decisions need only `Policy`. */
export type PolicyVersion = Policy & PolicyHistory;

/** A policy whose rules stay in their stored JSON text. Lists have megabytes of rules that are only forwarded. */
export type ListedPolicy = Omit<PolicyVersion, "rules"> & { rulesJson: string };

export function policyOf(row: PolicyRow): Policy {
  return { ...headOf(row), rules: row.rules, updated_at: row.updated_at.toISOString() };
}

export function versionOf(row: VersionRow): PolicyVersion {
  return { ...policyOf(row), ...historyOf(row) };
}

export function listedOf(row: ListedVersionRow): ListedPolicy {
  return {
    ...headOf(row),
    rulesJson: row.rules_json,
    updated_at: row.updated_at.toISOString(),
    ...historyOf(row),
  };
}

function headOf(row: Omit<PolicyRow, "rules">): Omit<Policy, "rules" | "updated_at"> {
  return {
    policy_id: idFromHex("pol", row.policy_id),
    name: row.name,
    status: POLICY_STATUSES[row.status] as PolicyStatus,
    version: `v${row.version_number}`,
    default_provider: row.default_provider,
  };
}

/**
 * The history of a policy that is not archived names nobody who archived it. During an upgrade, a node of the previous
 * version may roll back without clearing that actor.
 */
function historyOf(row: HistoryColumns & { status: number }): PolicyHistory {
  const isArchived = row.status === ARCHIVED;
  return {
    author: row.author,
    comment: row.comment,
    published_at: row.published_at?.toISOString() ?? null,
    published_by: row.published_by,
    archived_at: isArchived ? (row.archived_at?.toISOString() ?? null) : null,
    archived_by: isArchived ? row.archived_by : null,
  };
}
