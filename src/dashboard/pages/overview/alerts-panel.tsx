import { useAcknowledgeAlert, useAlerts } from "../../api/alerts.js";
import { useProviderHealth } from "../../api/figures.js";
import { problemText } from "../../api/transport/problem.js";
import { useTeam } from "../../api/team.js";
import type { Alert } from "../../api/wire-types.js";
import { Age } from "../../design/base/age.js";
import { Badge } from "../../design/base/badge.js";
import { Button } from "../../design/forms/button.js";
import { EmptyState } from "../../design/feedback/empty-state.js";
import { ErrorState } from "../../design/feedback/error-state.js";
import { Icon } from "../../design/base/icon.js";
import { Pagination } from "../../design/layout/pagination.js";
import { Panel } from "../../design/layout/panel.js";
import { Skeleton } from "../../design/base/skeleton.js";
import { Segments } from "../../design/layout/tabs.js";
import { useToasts } from "../../design/feedback/toast.js";
import { SEVERITY_TONES } from "../../design/base/tones.js";
import {
  alertEvidence,
  alertPayments,
  alertSubject,
  HEALTH_FINDERS,
  OUTCOME_CAUSES,
} from "../../explain/alert-text.js";
import { incidentText } from "../../explain/incident-text.js";
import { useHasRole } from "../../session/session.js";
import { useChoice, usePages } from "../../shell/address.js";
import { PlaceLink, useMode } from "../../shell/mode.js";
import { Foreign } from "../../design/base/foreign.js";

const VIEWS = [
  { value: "open", label: "Open" },
  { value: "closed", label: "Closed" },
] as const;
const VIEW_NAMES = VIEWS.map(({ value }) => value);
const PAGE_ROWS = 5;
const HEIGHT_PX = 318;

/** Lists the open or the closed alerts, and who acknowledged them. */
export function AlertsPanel() {
  const { mode } = useMode();
  const alerts = useAlerts(mode);
  const [view, setView] = useChoice("alerts", VIEW_NAMES, "open", "alerts_page");
  const all = alerts.data?.alerts;
  const listed = all?.filter(({ closed_at }) => (closed_at === null) === (view === "open")) ?? [];
  const { first, shown: rows, turns } = usePages("alerts_page", listed, PAGE_ROWS);
  return (
    <Panel
      title="Alerts"
      note={
        all === undefined ? undefined : `${all.filter(({ closed_at }) => closed_at === null).length} open`
      }
      actions={<Segments label="Alerts shown" value={view} options={VIEWS} onChange={setView} />}
      isFlush
    >
      <div className="alerts" style={{ minHeight: HEIGHT_PX }}>
        {alerts.error !== null && all === undefined ? (
          <ErrorState error={alerts.error} onRetry={alerts.refetch} />
        ) : all === undefined ? (
          <div className="panel-body">
            <Skeleton heightPx={HEIGHT_PX - 24} />
          </div>
        ) : rows.length === 0 ? (
          <EmptyState
            icon="check"
            title={view === "open" ? "Nothing to look after" : "No alert has closed yet"}
          >
            {view === "open" ? <WhatAlertsAreOf /> : null}
          </EmptyState>
        ) : (
          <>
            <ul className="alert-list">
              {rows.map((alert) => (
                <AlertRow key={alert.alert_id} alert={alert} />
              ))}
            </ul>
            <Pagination
              of="alerts"
              text={`${first + 1}–${first + rows.length} of ${listed.length}`}
              {...turns}
            />
          </>
        )}
      </div>
    </Panel>
  );
}

/**
 * ALRT-2, ALRT-3: a measured state can open an alert, and so can a provider's report that makes a state worse. A pin
 * opens none.
 */
function WhatAlertsAreOf() {
  const { mode } = useMode();
  const { data } = useProviderHealth(mode);
  const incidents = incidentText(data?.providers ?? []);
  return (
    <>
      <p>
        An alert opens when {HEALTH_FINDERS} find a segment degraded or worse, and when {OUTCOME_CAUSES}.
      </p>
      <p>
        What a provider&apos;s webhooks report and what a drill pins changes a segment without one.
        {incidents === undefined ? null : ` ${incidents}`}
      </p>
    </>
  );
}

function AlertRow({ alert }: { alert: Alert }) {
  const { severity, reason_code, opened_at, closed_at, acknowledged_by } = alert;
  const subject = alertSubject(alert);
  const evidence = alertEvidence(alert);
  const team = useTeam();
  const toasts = useToasts();
  const acknowledge = useAcknowledgeAlert();
  const mayAcknowledge = useHasRole(["owner", "admin", "analyst"]);
  const member = team.data?.members.find(({ user_id }) => user_id === acknowledged_by);
  return (
    <li className="alert">
      <div className="alert-what">
        <span className="alert-segment">{subject}</span>
        {evidence === null ? (
          <span className="alert-code mono">{reason_code}</span>
        ) : (
          <span className="alert-evidence">
            {evidence} · <PlaceLink to={alertPayments(alert) ?? "/decisions"}>These payments</PlaceLink>
          </span>
        )}
      </div>
      <div className="alert-when">
        <Badge tone={SEVERITY_TONES[severity]}>{severity}</Badge>
        <Age at={opened_at} />
      </div>
      <div className="alert-act">
        {acknowledged_by !== null ? (
          <span className="alert-seen">
            <Icon name="check" />
            {member === undefined ? "Acknowledged" : <Foreign text={member.name ?? member.email} />}
          </span>
        ) : closed_at === null && mayAcknowledge ? (
          <Button
            size="small"
            isBusy={acknowledge.isPending}
            aria-label={`Acknowledge ${subject}`}
            onClick={() =>
              acknowledge.mutate(alert.alert_id, {
                onSuccess: () => toasts.done(`Acknowledged ${subject}`),
                onError: (error) => toasts.failed(problemText(error)),
              })
            }
          >
            Acknowledge
          </Button>
        ) : null}
      </div>
    </li>
  );
}
