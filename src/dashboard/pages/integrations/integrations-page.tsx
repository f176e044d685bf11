import { useState } from "react";
import { useMerchantList } from "../../api/merchant-list.js";
import { useIntegrations } from "../../api/integrations.js";
import type { Integration } from "../../api/wire-types.js";
import { EmptyState } from "../../design/feedback/empty-state.js";
import { Loaded } from "../../design/feedback/loaded.js";
import { Panel } from "../../design/layout/panel.js";
import { Select } from "../../design/forms/select.js";
import { Stack, StackBar } from "../../design/layout/stack.js";
import { useChoice } from "../../shell/address.js";
import { IntegrationTable } from "./integration-table.js";
import { RotateSecretDialog } from "./rotate-secret-dialog.js";
import { Foreign } from "../../design/base/foreign.js";

const HEIGHT_PX = 320;
/** The value when no merchant is chosen. */
const NONE = "";

/** Shows where providers send webhooks for one merchant, and the secrets that sign them. */
export default function IntegrationsPage() {
  const merchantList = useMerchantList();
  const [rotating, setRotating] = useState<Integration | null>(null);
  const merchants = merchantList.data?.merchants.map(({ merchant_id }) => merchant_id) ?? [];
  const [merchantId, setMerchantId] = useChoice("merchant", merchants, merchants[0] ?? NONE);
  return (
    <Stack>
      <StackBar text="Providers send fees and incidents to these addresses, signed as Standard Webhooks are.">
        {merchants.length < 2 ? null : (
          <Select
            label="Merchant"
            value={merchantId}
            options={merchants.map((value) => ({ value, label: value }))}
            onChange={setMerchantId}
          />
        )}
      </StackBar>
      <Panel
        title="Provider webhooks"
        note={merchantId === NONE ? undefined : <Foreign text={merchantId} />}
        isFlush
      >
        <Loaded query={merchantList} heightPx={HEIGHT_PX}>
          {() =>
            merchantId === NONE ? (
              <EmptyState icon="integrations" title="No merchant yet">
                Each merchant has an address for each provider. Add the first one in Settings.
              </EmptyState>
            ) : (
              <MerchantIntegrations merchantId={merchantId} onRotate={setRotating} />
            )
          }
        </Loaded>
      </Panel>
      {rotating === null ? null : (
        <RotateSecretDialog integration={rotating} onClose={() => setRotating(null)} />
      )}
    </Stack>
  );
}

function MerchantIntegrations(props: { merchantId: string; onRotate(integration: Integration): void }) {
  const integrations = useIntegrations(props.merchantId);
  return (
    <Loaded query={integrations} heightPx={HEIGHT_PX}>
      {({ integrations: rows }) => <IntegrationTable integrations={rows} onRotate={props.onRotate} />}
    </Loaded>
  );
}
