import type { Pool } from "pg";
import { isId } from "../../domain/ids/ids.js";
import type { Attempt } from "../../path/access/attempt.js";
import type { Principal } from "../../path/access/session.js";
import type { ApplyChangesNow } from "../../path/changes/change-queries.js";
import type { ListedRows, ListPage } from "../../platform/postgres/list-page.js";
import { inTransaction } from "../../platform/postgres/transaction.js";
import { insertAuditEntry } from "../audit/service.js";
import {
  findErasure,
  findErasureOf,
  hideMerchant,
  insertErasure,
  isMoving,
  listErasures,
  lockErasures,
  lockStatus,
  type ErasedOwner,
  type Erasure,
} from "./queries.js";

export interface ErasuresOptions {
  pool: Pool;
  attempt: Attempt;
  nextId(): string;
  applyChangesNow: ApplyChangesNow;
  /** Lets this node's job look for work now. */
  wake(): void;
}

export type AskedErasure =
  | Erasure
  | "unknown_workspace"
  | "unknown_merchant"
  | "active"
  | "moving"
  | "unavailable";

/**
 * RET-19, RET-20 and ADM-18: the platform administrator requests and lists erasures. The folder job/ carries them
 * out.
 */
export function createErasures({ pool, attempt, nextId, applyChangesNow, wake }: ErasuresOptions) {
  const insert = async (by: Principal, owner: ErasedOwner): Promise<AskedErasure> =>
    inTransaction(pool, async (client) => {
      await lockErasures(client);
      const asked = await findErasureOf(client, owner);
      if (asked !== null) return asked;
      const status = await lockStatus(client, owner.workspaceId);
      if (status === null) return "unknown_workspace";
      if (await isMoving(client, owner)) return "moving";
      const { merchantId } = owner;
      if (merchantId === null && status === "active") return "active";
      if (merchantId !== null && !(await hideMerchant(client, owner))) return "unknown_merchant";
      const erasure = await insertErasure(client, {
        ...owner,
        erasureId: `ers_${nextId()}`,
        requestedBy: by.userId,
        provenIn: by.workspaceId,
      });
      // An erased workspace loses its own audit log. The workspace of an erased merchant keeps its log.
      const logs = merchantId === null ? [by.workspaceId] : [by.workspaceId, owner.workspaceId];
      for (const workspaceId of new Set(logs)) {
        await insertAuditEntry(client, {
          auditId: `aud_${nextId()}`,
          actor: by.userId,
          workspaceId,
          action: "erasure.requested",
          resource: erasure.erasureId,
          metadata: { workspace_id: owner.workspaceId, merchant_id: merchantId },
        });
      }
      return erasure;
    });

  return {
    list: (page: ListPage): Promise<ListedRows<Erasure> | "unavailable"> =>
      attempt(() => listErasures(pool, page)),

    /** Null if the id is unknown or malformed. */
    async find(erasureId: string): Promise<Erasure | null | "unavailable"> {
      return isId(erasureId, "ers") ? attempt(() => findErasure(pool, erasureId)) : null;
    },

    async create(by: Principal, owner: ErasedOwner): Promise<AskedErasure> {
      const asked = await attempt(() => insert(by, owner));
      if (typeof asked === "string") return asked;
      wake();
      const { workspaceId, merchantId } = owner;
      if (merchantId !== null)
        await attempt(() => applyChangesNow([{ kind: "merchant", workspaceId, key: merchantId }]));
      return asked;
    },
  };
}
