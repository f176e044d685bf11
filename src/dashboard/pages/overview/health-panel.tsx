import { useState } from "react";
import { HEALTH_STATES, PAYMENT_METHODS } from "../../../domain/vocabulary/vocabulary.js";
import { useProviderHealth } from "../../api/figures.js";
import { Badge } from "../../design/base/badge.js";
import { EmptyState } from "../../design/feedback/empty-state.js";
import { ErrorState } from "../../design/feedback/error-state.js";
import { formatName } from "../../design/base/format.js";
import { Panel } from "../../design/layout/panel.js";
import { Skeleton } from "../../design/base/skeleton.js";
import { Tabs } from "../../design/layout/tabs.js";
import { HEALTH_TONES } from "../../design/base/tones.js";
import { useChoice } from "../../shell/address.js";
import { useMode } from "../../shell/mode.js";
import { HealthGrid } from "./health-grid.js";
import { SegmentDialog } from "./segment-dialog.js";
import { useScoreHistory } from "./use-score-history.js";

const METHODS = PAYMENT_METHODS.map((value) => ({ value, label: formatName(value) }));
const HEIGHT_PX = 350;

/** Shows every segment's health, one payment method at a time. */
export function HealthPanel() {
  const { mode } = useMode();
  const health = useProviderHealth(mode);
  const [method, setMethod] = useChoice("method", PAYMENT_METHODS, "card");
  const [openKey, setOpenKey] = useState<string | null>(null);
  const snapshots = health.data?.providers;
  const history = useScoreHistory(snapshots);
  const opened = snapshots?.find(({ segment_key }) => segment_key === openKey);
  const counts = new Map<string, number>();
  for (const { state } of snapshots ?? []) counts.set(state, (counts.get(state) ?? 0) + 1);
  return (
    <Panel
      title="Provider health"
      note={snapshots === undefined ? undefined : `${snapshots.length} segments`}
      actions={
        <div className="state-counts">
          {HEALTH_STATES.filter((state) => counts.has(state)).map((state) => (
            <Badge key={state} tone={HEALTH_TONES[state]}>
              {counts.get(state)} {state}
            </Badge>
          ))}
        </div>
      }
    >
      <div style={{ minHeight: HEIGHT_PX }}>
        {health.error !== null && snapshots === undefined ? (
          <ErrorState error={health.error} onRetry={health.refetch} />
        ) : snapshots === undefined ? (
          <Skeleton heightPx={HEIGHT_PX} />
        ) : snapshots.length === 0 ? (
          <EmptyState icon="overview" title="No provider has been probed yet" />
        ) : (
          <Tabs label="Payment method" value={method} options={METHODS} onChange={setMethod}>
            <HealthGrid snapshots={snapshots} method={method} history={history} onOpen={setOpenKey} />
          </Tabs>
        )}
      </div>
      {opened === undefined ? null : (
        <SegmentDialog
          snapshot={opened}
          scores={history.get(opened.segment_key) ?? []}
          onClose={() => setOpenKey(null)}
        />
      )}
    </Panel>
  );
}
