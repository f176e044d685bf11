import type { Pool } from "pg";
import { idToHex, isId } from "../../domain/ids/ids.js";
import type { Attempt } from "../../path/access/attempt.js";
import type { Principal } from "../../path/access/session.js";
import type { Queryable } from "../../platform/postgres/pool.js";
import { inTransaction } from "../../platform/postgres/transaction.js";
import { auditStep, insertAuditEntry, type AuditEntry } from "../audit/service.js";
import {
  deleteSetAside,
  findSetAside,
  knownWorkspaces,
  listSetAside,
  noteRefusal,
  type SetAsidePage,
  type SetAsideRecord,
} from "./queries.js";

export interface SetAsideOptions {
  pool: Pool;
  attempt: Attempt;
  /** The 26 characters of a new id. */
  nextId(): string;
}

/** `refused` is the SQLSTATE of PostgreSQL's newest refusal. The record then keeps waiting. */
export type Retried = { stored: SetAsideRecord } | { refused: string } | "unknown" | "unavailable";

/** DUR-12: shows the platform admin the records that PostgreSQL refused, and retries or discards them. */
export function createSetAside({ pool, attempt, nextId }: SetAsideOptions) {
  /** Makes audit entries for the record's own workspace and for the administrator's. */
  const auditEntries = async (
    db: Queryable,
    by: Principal,
    { setAsideId, workspaceId, kind, decisionId }: SetAsideRecord,
    { action, metadata }: Pick<AuditEntry, "action" | "metadata">,
  ): Promise<AuditEntry[]> => {
    const known = workspaceId === null ? [] : await knownWorkspaces(db, [workspaceId]);
    return [...new Set([...known, by.workspaceId])].map((recordedIn) => ({
      auditId: `aud_${nextId()}`,
      actor: by.userId,
      workspaceId: recordedIn,
      action,
      resource: setAsideId,
      metadata: { kind, decision_id: decisionId, ...metadata },
    }));
  };

  const retry = async (by: Principal, setAsideId: string): Promise<Retried> => {
    const found = await findSetAside(pool, setAsideId);
    if (found === null) return "unknown";
    const { record, entry } = found;
    const act = { action: "set_aside.retried" as const };
    const stored = await auditEntries(pool, by, record, { ...act, metadata: { result: "stored" } });
    const waiting = { setAsideId: idToHex(setAsideId), kind: record.kind, entry };
    // This code is rarely needed, so the writer's steps are not loaded at start.
    const { storeSetAside } = await import("../../path/writer/set-aside-retry.js");
    const result = await storeSetAside(pool, waiting, stored.map(auditStep));
    if (result === "stored") return { stored: record };
    if (result === "gone") return "unknown";
    const { refused } = result;
    const metadata = { result: "refused", sql_state: refused.sqlState };
    const entries = await auditEntries(pool, by, record, { ...act, metadata });
    const waits = await inTransaction(pool, async (client) => {
      if (!(await noteRefusal(client, setAsideId, refused))) return false;
      for (const auditEntry of entries) await insertAuditEntry(client, auditEntry);
      return true;
    });
    return waits ? { refused: refused.sqlState } : "unknown";
  };

  const discard = async (
    by: Principal,
    setAsideId: string,
    reason: string,
  ): Promise<"discarded" | "unknown"> =>
    inTransaction(pool, async (client) => {
      const record = await deleteSetAside(client, setAsideId);
      if (record === null) return "unknown";
      const act = { action: "set_aside.discarded" as const, metadata: { reason } };
      for (const entry of await auditEntries(client, by, record, act)) await insertAuditEntry(client, entry);
      return "discarded";
    });

  return {
    list: (page: SetAsidePage) => attempt(() => listSetAside(pool, page)),

    /** Returns null for an id that is unknown or malformed. */
    find: async (setAsideId: string) =>
      isId(setAsideId, "sas") ? attempt(() => findSetAside(pool, setAsideId)) : null,

    retry: async (by: Principal, setAsideId: string): Promise<Retried> =>
      isId(setAsideId, "sas") ? attempt(() => retry(by, setAsideId)) : "unknown",

    discard: async (
      by: Principal,
      setAsideId: string,
      reason: string,
    ): Promise<"discarded" | "unknown" | "unavailable"> =>
      isId(setAsideId, "sas") ? attempt(() => discard(by, setAsideId, reason)) : "unknown",
  };
}

export type SetAside = ReturnType<typeof createSetAside>;
