import type { AlertSeverity } from "./vocabulary.js";

/** Who sees an alert: a workspace sees its own alerts, and the platform admin sees the alerts of the whole platform. */
export type AlertAudience = "everybody" | "workspace" | "platform_admin";

/** A field that says where an alert applies. It is null for kinds that do not list it in `carries`. */
export type AlertPlace = "provider" | "segment_key";

export type AlertKindRow = {
  /** The code in PostgreSQL (ALRT-12). Never change it: migrations contain the number too. */
  code: number;
  shownTo: readonly AlertAudience[];
  carries: readonly AlertPlace[];
} & (
  | {
      /** ALRT-2: a segment's state determines severity and reason. */
      opensBy: "health";
      /** A plural noun for the evidence that shows the state. */
      foundBy: string;
    }
  | {
      /** ALRT-15 to ALRT-17: customers' payments determine the severity. */
      opensBy: "outcomes";
      reasonCode: string;
      /** The alert's name, which precedes its segment. */
      title: string;
      standsWhile: string;
    }
  | {
      opensBy: "cause";
      severity: AlertSeverity;
      reasonCode: string;
      /** The alert's name on its dashboard page. */
      title: string;
      /** The condition under which the alert is open, as the API's document states it. */
      standsWhile: string;
    }
);

/** Every kind of alert, listed once. The API, the queries, the writer and the dashboard read these rows. */
export const ALERT_KIND_ROWS = {
  provider_health: {
    code: 0,
    shownTo: ["everybody"],
    carries: ["provider", "segment_key"],
    opensBy: "health",
    foundBy: "probes",
  },
  workspace_health: {
    code: 1,
    shownTo: ["workspace"],
    carries: ["provider", "segment_key"],
    opensBy: "health",
    foundBy: "your own outcomes",
  },
  // DUR-11; migrations/0010_alerts_and_set_aside.sql opens and closes it.
  set_aside: {
    code: 2,
    shownTo: ["workspace", "platform_admin"],
    carries: [],
    opensBy: "cause",
    severity: "critical",
    reasonCode: "RECORDS_SET_ASIDE",
    title: "Records set aside",
    standsWhile: "PostgreSQL refuses records of the workspace, or for the platform admin of any",
  },
  // CLOCK-7
  clock: {
    code: 3,
    shownTo: ["platform_admin"],
    carries: [],
    opensBy: "cause",
    severity: "warning",
    reasonCode: "CLOCK_JUMPED",
    title: "A node's clock jumped",
    standsWhile: "a node's time goes on without its host's clock, which jumped; for the platform admin",
  },
  approval_drop: {
    code: 4,
    shownTo: ["workspace"],
    carries: ["provider", "segment_key"],
    opensBy: "outcomes",
    reasonCode: "APPROVAL_DROP",
    title: "Approvals fall",
    standsWhile:
      "approvals at a provider are certainly at least 10 points below the segment's usual, in the workspace's own outcomes",
  },
  technical_failures: {
    code: 5,
    shownTo: ["workspace"],
    carries: ["provider", "segment_key"],
    opensBy: "outcomes",
    reasonCode: "TECHNICAL_FAILURES",
    title: "Payments fail",
    standsWhile:
      "certainly at least a tenth of the workspace's own outcomes at a provider are technical failures",
  },
  issuer: {
    code: 6,
    shownTo: ["workspace"],
    carries: ["segment_key"],
    opensBy: "outcomes",
    reasonCode: "ISSUER_DECLINES",
    title: "Issuers decline",
    standsWhile: "approvals fell at every provider in a country and card network, so its issuers decline",
  },
  // EVT-8; migrations/0015_events.sql opens and closes it.
  event_endpoint: {
    code: 7,
    shownTo: ["workspace"],
    carries: [],
    opensBy: "cause",
    severity: "warning",
    reasonCode: "EVENT_ENDPOINT_DISABLED",
    title: "Events are not delivered",
    standsWhile: "an endpoint of the workspace is disabled, because it took no event for 24 hours",
  },
  // RET-9
  retention: {
    code: 8,
    shownTo: ["platform_admin"],
    carries: [],
    opensBy: "cause",
    severity: "warning",
    reasonCode: "RETENTION_OVERDUE",
    title: "Old data does not leave",
    standsWhile: "no node has let go of old data for a day; for the platform admin",
  },
} as const satisfies Record<string, AlertKindRow>;

export type AlertKind = keyof typeof ALERT_KIND_ROWS;

/** The kinds whose row states severity and reason. */
export type CauseAlertKind = {
  [Kind in AlertKind]: (typeof ALERT_KIND_ROWS)[Kind] extends { opensBy: "cause" } ? Kind : never;
}[AlertKind];

/** The kinds that a workspace's own outcomes open. Alerts about health states are not among them. */
export type OutcomeAlertKind = {
  [Kind in AlertKind]: (typeof ALERT_KIND_ROWS)[Kind] extends { opensBy: "outcomes" } ? Kind : never;
}[AlertKind];

export const ALERT_KINDS = Object.keys(ALERT_KIND_ROWS) as readonly AlertKind[];

/** The row of a kind, typed for code that handles any kind. */
export const alertKindRow = (kind: AlertKind): AlertKindRow => ALERT_KIND_ROWS[kind];
