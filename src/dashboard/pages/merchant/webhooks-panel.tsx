import { useState } from "react";
import { useIntegrations } from "../../api/integrations.js";
import type { Integration } from "../../api/wire-types.js";
import { Loaded } from "../../design/feedback/loaded.js";
import { Panel } from "../../design/layout/panel.js";
import { IntegrationTable } from "../integrations/integration-table.js";
import { RotateSecretDialog } from "../integrations/rotate-secret-dialog.js";

const HEIGHT_PX = 320;

export function WebhooksPanel({ merchantId }: { merchantId: string }) {
  const integrations = useIntegrations(merchantId);
  const [rotating, setRotating] = useState<Integration | null>(null);
  return (
    <Panel title="Provider webhooks" isFlush>
      <Loaded query={integrations} heightPx={HEIGHT_PX}>
        {({ integrations: rows }) => <IntegrationTable integrations={rows} onRotate={setRotating} />}
      </Loaded>
      {rotating === null ? null : (
        <RotateSecretDialog integration={rotating} onClose={() => setRotating(null)} />
      )}
    </Panel>
  );
}
