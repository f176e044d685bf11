import type { OverrideChange } from "../../domain/health/provider-override.js";
import type { ApplyChangesNow } from "../../path/changes/change-queries.js";
import type { BoundedWork } from "../../platform/postgres/bounded-work.js";
import type { TenantDb } from "../../platform/postgres/tenant-db.js";
import type { Administrator } from "../audit/service.js";
import { changeOverride, type StoredOverride } from "./queries.js";

export interface OverridesOptions {
  tenants: TenantDb;
  attempt: BoundedWork;
  /** The 26 characters of a new id. */
  nextId(): string;
  /** Unix milliseconds. */
  now(): number;
  applyChangesNow: ApplyChangesNow;
}

/** Pins the health of providers. */
export function createOverrides({ tenants, attempt, nextId, now, applyChangesNow }: OverridesOptions) {
  return {
    /** ALRT-6: sets or lifts a pin, with an audit entry. This node shows the change before it answers. */
    async change(
      { workspaceId, actor }: Administrator,
      change: OverrideChange,
    ): Promise<StoredOverride[] | "unavailable"> {
      const author = { auditId: `aud_${nextId()}`, actor };
      const pinned = await attempt(() =>
        changeOverride(tenants.of(workspaceId), workspaceId, change, author, now()),
      );
      // The pin is stored even if this node fails to copy it now. The change feed delivers it later.
      if (pinned !== "unavailable")
        await attempt(() => applyChangesNow([{ kind: "pin", workspaceId, key: change.provider }]));
      return pinned;
    },
  };
}

export type Overrides = ReturnType<typeof createOverrides>;
