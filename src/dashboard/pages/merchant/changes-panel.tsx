import { useAuditPage } from "../../api/audit-log.js";
import { EmptyState } from "../../design/feedback/empty-state.js";
import { Loaded } from "../../design/feedback/loaded.js";
import { Panel } from "../../design/layout/panel.js";
import { useActorNames } from "../../session/actor-names.js";
import { PlaceLink } from "../../shell/mode.js";
import { AuditList } from "../audit-log/audit-list.js";

const PAGE_SIZE = 10;
const HEIGHT_PX = 200;

/** ADM-12: shows the latest changes to the merchant and who made them. Older ones are in the audit log. */
export function ChangesPanel({ merchantId }: { merchantId: string }) {
  const page = useAuditPage({ merchant_id: merchantId }, null, PAGE_SIZE);
  const { isReady } = useActorNames();
  const all = `/audit-log?${new URLSearchParams({ merchant_id: merchantId }).toString()}`;
  return (
    <Panel title="Changes" note="newest first" actions={<PlaceLink to={all}>All changes</PlaceLink>} isFlush>
      <Loaded query={page} heightPx={HEIGHT_PX} isReady={isReady}>
        {({ entries }) =>
          entries.length === 0 ? (
            <EmptyState icon="audit" title="Nothing has been changed yet" />
          ) : (
            <AuditList entries={entries} isBusy={page.isPlaceholderData} />
          )
        }
      </Loaded>
    </Panel>
  );
}
