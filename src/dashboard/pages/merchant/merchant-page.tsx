import { useParams } from "wouter";
import { useMerchants } from "../../api/workspace.js";
import { Time } from "../../design/base/age.js";
import { Foreign } from "../../design/base/foreign.js";
import { Copyable } from "../../design/feedback/copyable.js";
import { EmptyState } from "../../design/feedback/empty-state.js";
import { Loaded } from "../../design/feedback/loaded.js";
import { Facts } from "../../design/layout/facts.js";
import { Panel } from "../../design/layout/panel.js";
import { Stack } from "../../design/layout/stack.js";
import { useHasRole } from "../../session/session.js";
import { PlaceLink } from "../../shell/mode.js";
import { ChangesPanel } from "./changes-panel.js";
import { KeysPanel } from "./keys-panel.js";
import { PoliciesPanel } from "./policies-panel.js";
import { PricesPanel } from "./prices-panel.js";
import { TrafficPanels } from "./traffic-panels.js";
import { WebhooksPanel } from "./webhooks-panel.js";

const FACTS_HEIGHT_PX = 60;

/** DASH-36: shows everything about one merchant. A person sees the parts that their role may read. */
export default function MerchantPage() {
  const { merchantId } = useParams<{ merchantId: string }>();
  const merchants = useMerchants();
  const mayConnect = useHasRole(["owner", "admin", "developer"]);
  const mayAudit = useHasRole(["owner", "admin"]);
  const merchant = merchants.data?.merchants.find(({ merchant_id }) => merchant_id === merchantId);
  if (merchants.data !== undefined && merchant === undefined) {
    return (
      <EmptyState icon="platform" title="No such merchant">
        <PlaceLink to="/settings">The workspace&apos;s merchants</PlaceLink>
      </EmptyState>
    );
  }
  return (
    <Stack>
      <Panel title="Merchant">
        <Loaded query={merchants} heightPx={FACTS_HEIGHT_PX}>
          {() => (
            <Facts
              facts={[
                ["Id", <Copyable key="id" text={merchantId} label="merchant id" />],
                ["Name", <Foreign key="name" text={merchant?.name ?? "–"} />],
                ["Added", merchant === undefined ? "–" : <Time key="since" at={merchant.created_at} />],
              ]}
            />
          )}
        </Loaded>
      </Panel>
      <TrafficPanels merchantId={merchantId} />
      <PoliciesPanel merchantId={merchantId} />
      <PricesPanel merchantId={merchantId} />
      {mayConnect ? <KeysPanel merchantId={merchantId} /> : null}
      {mayConnect ? <WebhooksPanel merchantId={merchantId} /> : null}
      {mayAudit ? <ChangesPanel merchantId={merchantId} /> : null}
    </Stack>
  );
}
