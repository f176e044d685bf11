import { useState } from "react";
import { useLocation } from "wouter";
import { useApiKeys } from "../../api/api-keys.js";
import type { ApiKey } from "../../api/wire-types.js";
import { useNowMs } from "../../design/base/age.js";
import { EmptyState } from "../../design/feedback/empty-state.js";
import { Loaded } from "../../design/feedback/loaded.js";
import { Button } from "../../design/forms/button.js";
import { Panel } from "../../design/layout/panel.js";
import { useMode } from "../../shell/mode.js";
import { isUsable } from "../api-keys/expiry.js";
import { keyOfMerchant } from "../api-keys/key-address.js";
import { KeyTable } from "../api-keys/key-table.js";
import { RevokeKeyDialog } from "../api-keys/revoke-key-dialog.js";
import { RotateKeyDialog } from "../api-keys/rotate-key-dialog.js";

const HEIGHT_PX = 200;

/**
 * Lists the keys that can request decisions for the merchant in the shown mode: its own keys, and those for every
 * merchant.
 */
export function KeysPanel({ merchantId }: { merchantId: string }) {
  const { mode } = useMode();
  const keys = useApiKeys();
  const nowMs = useNowMs();
  const [, go] = useLocation();
  const [rotating, setRotating] = useState<ApiKey | null>(null);
  const [revoking, setRevoking] = useState<ApiKey | null>(null);
  return (
    <Panel
      title="API keys"
      note={`active, in ${mode} mode`}
      actions={
        <Button size="small" onClick={() => go(keyOfMerchant(merchantId))}>
          Make its test key
        </Button>
      }
      isFlush
    >
      <Loaded query={keys} heightPx={HEIGHT_PX}>
        {({ api_keys }) => {
          const rows = api_keys.filter(
            (key) =>
              key.mode === mode &&
              (key.merchant_id === merchantId || key.merchant_id === null) &&
              isUsable(key, nowMs),
          );
          return rows.length === 0 ? (
            <EmptyState icon="keys" title={`No active ${mode} key`} />
          ) : (
            <KeyTable keys={rows} nowMs={nowMs} onRotate={setRotating} onRevoke={setRevoking} />
          );
        }}
      </Loaded>
      {rotating === null ? null : <RotateKeyDialog apiKey={rotating} onClose={() => setRotating(null)} />}
      {revoking === null ? null : <RevokeKeyDialog apiKey={revoking} onClose={() => setRevoking(null)} />}
    </Panel>
  );
}
