import { useMerchants, useWorkspace } from "../../api/workspace.js";
import { Button } from "../../design/forms/button.js";
import { EmptyState } from "../../design/feedback/empty-state.js";
import { Loaded } from "../../design/feedback/loaded.js";
import { Panel } from "../../design/layout/panel.js";
import { Stack, StackBar } from "../../design/layout/stack.js";
import { useAccount, useHasRole } from "../../session/session.js";
import { useAddress } from "../../shell/address.js";
import { AddMerchantDialog } from "./add-merchant-dialog.js";
import { MerchantTable } from "./merchant-table.js";
import { WorkspaceForm } from "./workspace-form.js";

const FORM_HEIGHT_PX = 264;
const MERCHANTS_HEIGHT_PX = 160;

/** Shows the workspace's settings and its merchants. */
export default function SettingsPage() {
  const workspace = useWorkspace();
  const merchants = useMerchants();
  const { role } = useAccount();
  const mayChange = useHasRole(["owner", "admin"]);
  const mayAdd = useHasRole(["owner", "admin", "developer"]);
  const { parameters, edit } = useAddress();
  // The first steps link to this page with the dialog open.
  const isAdding = mayAdd && parameters.get("add") === "merchant";
  const setAdding = (adds: boolean): void => edit({ add: adds ? "merchant" : null }, { replace: true });
  return (
    <Stack>
      <StackBar
        text={
          mayChange
            ? "Changes hold from the next decision on."
            : `Owners and admins change these settings${mayAdd ? "; you may add merchants" : ""}. Your role here is ${role}.`
        }
      />
      <Panel title="Workspace">
        <Loaded query={workspace} heightPx={FORM_HEIGHT_PX}>
          {({ workspace: current }) => <WorkspaceForm workspace={current} mayChange={mayChange} />}
        </Loaded>
      </Panel>
      {/* The form must have its height first, because this part is below it in a narrow window. */}
      {workspace.isPending ? null : (
        <Panel
          title="Merchants"
          note={merchants.data && `${merchants.data.merchants.length}`}
          actions={
            <Button size="small" disabled={!mayAdd} onClick={() => setAdding(true)}>
              Add a merchant
            </Button>
          }
          isFlush
        >
          <Loaded query={merchants} heightPx={MERCHANTS_HEIGHT_PX}>
            {({ merchants: rows }) =>
              rows.length === 0 ? (
                <EmptyState icon="platform" title="No merchant yet">
                  A decision is made for a merchant: add the first one.
                </EmptyState>
              ) : (
                <MerchantTable merchants={rows} />
              )
            }
          </Loaded>
        </Panel>
      )}
      {isAdding ? <AddMerchantDialog onClose={() => setAdding(false)} /> : null}
    </Stack>
  );
}
