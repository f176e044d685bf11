import { useState } from "react";
import { useApiKeys } from "../../api/api-keys.js";
import type { ApiKey } from "../../api/wire-types.js";
import { useNowMs } from "../../design/base/age.js";
import { Button } from "../../design/forms/button.js";
import { EmptyState } from "../../design/feedback/empty-state.js";
import { Loaded } from "../../design/feedback/loaded.js";
import { Panel } from "../../design/layout/panel.js";
import { Stack, StackBar } from "../../design/layout/stack.js";
import { Segments } from "../../design/layout/tabs.js";
import { useChoice } from "../../shell/address.js";
import { useMode } from "../../shell/mode.js";
import { isUsable } from "./expiry.js";
import { CreateKeyDialog } from "./create-key-dialog.js";
import { KeyTable } from "./key-table.js";
import { RevokeKeyDialog } from "./revoke-key-dialog.js";
import { RotateKeyDialog } from "./rotate-key-dialog.js";
import { TriesPanel } from "./tries-panel.js";
import { useKeyCreation } from "./use-key-creation.js";

const VIEWS = [
  { value: "usable", label: "Active" },
  { value: "over", label: "Revoked and expired" },
] as const;
const VIEW_NAMES = VIEWS.map(({ value }) => value);
const HEIGHT_PX = 200;

/** Lists the API keys of the current mode. */
export default function ApiKeysPage() {
  const { mode } = useMode();
  const keys = useApiKeys();
  const nowMs = useNowMs();
  const [view, setView] = useChoice("keys", VIEW_NAMES, "usable");
  const creation = useKeyCreation();
  const [rotating, setRotating] = useState<ApiKey | null>(null);
  const [revoking, setRevoking] = useState<ApiKey | null>(null);
  const ofMode = keys.data?.api_keys.filter((key) => key.mode === mode);
  const usable = ofMode?.filter((key) => isUsable(key, nowMs));
  return (
    <Stack>
      <StackBar
        text={`Keys for backends in ${mode} mode. A key belongs on a server, never in a page or an app.`}
      >
        <Button kind="primary" onClick={() => creation.begin()}>
          Create a {mode} key
        </Button>
      </StackBar>
      <Panel
        title="API keys"
        note={usable === undefined ? undefined : `${usable.length} active in ${mode} mode`}
        actions={<Segments label="Keys shown" value={view} options={VIEWS} onChange={setView} />}
        isFlush
      >
        <Loaded query={keys} heightPx={HEIGHT_PX}>
          {({ api_keys }) => {
            const rows = api_keys.filter(
              (key) => key.mode === mode && isUsable(key, nowMs) === (view === "usable"),
            );
            if (rows.length > 0)
              return <KeyTable keys={rows} nowMs={nowMs} onRotate={setRotating} onRevoke={setRevoking} />;
            return view === "usable" ? (
              <EmptyState icon="keys" title={`No active ${mode} key`}>
                A backend sends one as <code>x-api-key</code> with every request.
              </EmptyState>
            ) : (
              <EmptyState icon="check" title={`No ${mode} key was revoked or has expired`} />
            );
          }}
        </Loaded>
      </Panel>
      {mode === "test" ? <TriesPanel /> : null}
      {creation.merchantId === null ? null : (
        <CreateKeyDialog mode={mode} merchantId={creation.merchantId} onClose={creation.end} />
      )}
      {rotating === null ? null : <RotateKeyDialog apiKey={rotating} onClose={() => setRotating(null)} />}
      {revoking === null ? null : <RevokeKeyDialog apiKey={revoking} onClose={() => setRevoking(null)} />}
    </Stack>
  );
}
