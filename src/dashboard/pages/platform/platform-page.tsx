import { useState } from "react";
import { useWorkspaces } from "../../api/platform.js";
import type { Tenant } from "../../api/wire-types.js";
import { EmptyState } from "../../design/feedback/empty-state.js";
import { Button } from "../../design/forms/button.js";
import { Field } from "../../design/forms/field.js";
import { Loaded } from "../../design/feedback/loaded.js";
import { Panel } from "../../design/layout/panel.js";
import { Stack, StackBar } from "../../design/layout/stack.js";
import { useAddress } from "../../shell/address.js";
import { EraseMerchantDialog, EraseWorkspaceDialog } from "./erase-dialogs.js";
import { ErasuresPanel } from "./erasures-panel.js";
import { ReleaseDialog } from "./release-dialog.js";
import { StatusDialog } from "./status-dialog.js";
import { TenantTable } from "./tenant-table.js";

const HEIGHT_PX = 240;

/** ADM-7: lists every workspace of the deployment for the platform admin, and whether it is suspended. */
export default function PlatformPage() {
  const workspaces = useWorkspaces();
  const { parameters, edit } = useAddress();
  const wanted = parameters.get("find") ?? "";
  const [changing, setChanging] = useState<Tenant | null>(null);
  const [erasing, setErasing] = useState<Tenant | "merchant" | null>(null);
  const [isReleasing, setReleasing] = useState(false);
  const all = workspaces.data?.workspaces;
  const suspended = all?.filter(({ status }) => status === "suspended").length ?? 0;
  return (
    <Stack>
      <StackBar text="Every workspace of this deployment. What they hold is theirs: it cannot be read from here.">
        <Button onClick={() => setReleasing(true)}>Release an address</Button>
        <Button onClick={() => setErasing("merchant")}>Erase a merchant</Button>
      </StackBar>
      <Panel
        title="Workspaces"
        note={all && `${all.length}, ${suspended === 0 ? "none" : suspended} suspended`}
        isFlush
      >
        <div className="panel-body">
          <Field
            label="Find"
            placeholder="Name or id"
            type="search"
            value={wanted}
            autoComplete="off"
            // A new search begins at its first page.
            onChange={({ target: { value } }) =>
              edit({ find: value === "" ? null : value, page: null }, { replace: true })
            }
          />
        </div>
        <Loaded query={workspaces} heightPx={HEIGHT_PX}>
          {({ workspaces: tenants }) => {
            const found = tenants.filter((tenant) => matches(tenant, wanted));
            return found.length === 0 ? (
              <EmptyState icon="platform" title="No workspace of that name or id" />
            ) : (
              <TenantTable tenants={found} onChange={setChanging} onErase={setErasing} />
            );
          }}
        </Loaded>
      </Panel>
      <ErasuresPanel />
      {erasing === "merchant" ? <EraseMerchantDialog onClose={() => setErasing(null)} /> : null}
      {erasing === null || erasing === "merchant" ? null : (
        <EraseWorkspaceDialog tenant={erasing} onClose={() => setErasing(null)} />
      )}
      {isReleasing ? <ReleaseDialog onClose={() => setReleasing(false)} /> : null}
      {changing === null ? null : <StatusDialog tenant={changing} onClose={() => setChanging(null)} />}
    </Stack>
  );
}

function matches({ id, name }: Tenant, wanted: string): boolean {
  const text = wanted.trim().toLowerCase();
  return name.toLowerCase().includes(text) || id.includes(text);
}
