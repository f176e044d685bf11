/**
 * Every enum of the wire, listed once. Schemas, engine, journal and database read these lists. A value is stored as its
 * position, so the order of a list is part of the journal's format. Add new values at the end.
 */

/** RES-4: the seven instructions. */
export const ACTIONS = [
  "route",
  "use_default_route",
  "step_up",
  "hold",
  "retry",
  "failover",
  "block",
] as const;
export type Action = (typeof ACTIONS)[number];

export const DECISION_MODES = ["enforce", "shadow"] as const;
export type DecisionMode = (typeof DECISION_MODES)[number];

/** The API key's prefix gives the mode. The records of the two modes are kept apart. */
export const MODES = ["test", "live"] as const;
export type Mode = (typeof MODES)[number];

export const PAYMENT_METHODS = ["card", "wallet", "bank_transfer", "mobile_money"] as const;
export type PaymentMethod = (typeof PAYMENT_METHODS)[number];

export const CARD_NETWORKS = ["visa", "mastercard", "amex", "discover", "verve", "other"] as const;
export type CardNetwork = (typeof CARD_NETWORKS)[number];

/** RTRY-2: the card networks whose retry rules the service knows. */
export const RETRY_SCHEMES = ["visa", "mastercard"] as const satisfies readonly CardNetwork[];
export type RetryScheme = (typeof RETRY_SCHEMES)[number];

/** RTRY-3: the schemes' categories of rules on another attempt. */
export const RETRY_CATEGORIES = ["never", "after_change", "later", "any_time"] as const;
export type RetryCategory = (typeof RETRY_CATEGORIES)[number];

/** RTRY-11: the possible judgements of an attempt by a scheme's rules. */
export const RETRY_VERDICTS = ["allowed", "forbidden", "exhausted", "too_early", "low_gain"] as const;
export type RetryVerdict = (typeof RETRY_VERDICTS)[number];

/** RTRY-2: the kinds of a retry rule's code. `any_other` stands for every code that has no row. */
export const RETRY_CODE_KINDS = ["response_code", "advice_code", "provider_name", "any_other"] as const;
export type RetryCodeKind = (typeof RETRY_CODE_KINDS)[number];

export const TRANSACTION_TYPES = ["authorization", "sale", "capture"] as const;
export type TransactionType = (typeof TRANSACTION_TYPES)[number];

export const CUSTOMER_TYPES = ["new", "returning", "guest"] as const;
export type CustomerType = (typeof CUSTOMER_TYPES)[number];

/** Bands a merchant reports (risk_level, device_risk_band). */
export const REPORTED_RISK_BANDS = ["low", "medium", "high"] as const;
export type ReportedRiskBand = (typeof REPORTED_RISK_BANDS)[number];

/** Bands the service computes. */
export const RISK_BANDS = ["low", "medium", "high", "extreme"] as const;
export type RiskBand = (typeof RISK_BANDS)[number];

export const RECOMMENDED_ACTIONS = ["route", "step_up", "block_review"] as const;
export type RecommendedAction = (typeof RECOMMENDED_ACTIONS)[number];

export const PREVIOUS_OUTCOMES = ["timeout", "declined", "error"] as const;
export type PreviousOutcome = (typeof PREVIOUS_OUTCOMES)[number];

export const HEALTH_STATES = ["healthy", "watch", "degraded", "critical", "unavailable", "unknown"] as const;
export type HealthState = (typeof HEALTH_STATES)[number];

export const HEALTH_SOURCES = ["probe", "live", "partial", "demo", "unknown"] as const;
export type HealthSource = (typeof HEALTH_SOURCES)[number];

/** HLTH-30: the party that a reason code blames for a failed payment. */
export const BLAMES = ["provider", "customer", "issuer"] as const;
export type Blame = (typeof BLAMES)[number];

/** The mildest severity comes first. */
export const ALERT_SEVERITIES = ["warning", "critical"] as const;
export type AlertSeverity = (typeof ALERT_SEVERITIES)[number];

/** The severity of an incident that a provider reports. The mildest comes first. */
export const INCIDENT_SEVERITIES = ["minor", "major", "critical"] as const;
export type IncidentSeverity = (typeof INCIDENT_SEVERITIES)[number];

export const OPTIMIZATION_MODES = ["approval", "cost", "balanced", "margin"] as const;
export type OptimizationMode = (typeof OPTIMIZATION_MODES)[number];

export const MODEL_VERSIONS = ["deterministic-v1", "deterministic-v2"] as const;
export type ModelVersion = (typeof MODEL_VERSIONS)[number];

export const OUTCOMES = [
  "approved",
  "soft_declined",
  "hard_declined",
  "technical_failed",
  "timeout",
  "rate_limited",
  "blocked",
  "step_up_completed",
  "step_up_failed",
] as const;
export type Outcome = (typeof OUTCOMES)[number];

/** OUT-6: spellings that are accepted and normalized. */
export const OUTCOME_ALIASES = ["declined", "error", "cancelled"] as const;
export type OutcomeAlias = (typeof OUTCOME_ALIASES)[number];

export const TECHNICAL_FAILURE_TYPES = ["timeout", "5xx", "connection", "rate_limited", "unknown"] as const;
export type TechnicalFailureType = (typeof TECHNICAL_FAILURE_TYPES)[number];

export const POLICY_STATUSES = ["draft", "published", "archived"] as const;
export type PolicyStatus = (typeof POLICY_STATUSES)[number];

export const REVIEW_RESOLUTIONS = ["approve", "reject"] as const;
export type ReviewResolution = (typeof REVIEW_RESOLUTIONS)[number];

/** AUTH-12. */
export const SCOPES = [
  "decision:write",
  "outcome:write",
  "health:read",
  "policy:read",
  "policy:write",
] as const;
export type Scope = (typeof SCOPES)[number];

export const ROLES = ["owner", "admin", "developer", "analyst"] as const;
export type Role = (typeof ROLES)[number];

/** ACC-8: the roles of an invitation. Only an owner can make another owner. */
export const INVITED_ROLES = ["admin", "developer", "analyst"] as const satisfies readonly Role[];
export type InvitedRole = (typeof INVITED_ROLES)[number];

/** ADM-2: whether the threshold is the workspace's own or the deployment's default. */
export const RISK_BLOCK_THRESHOLD_SOURCES = ["workspace", "default"] as const;
export type RiskBlockThresholdSource = (typeof RISK_BLOCK_THRESHOLD_SOURCES)[number];

/** CELL-8: `arriving` is a workspace that comes from another cell, and `moved` one that has gone to another cell. */
export const WORKSPACE_STATUSES = ["active", "suspended", "arriving", "moved"] as const;
export type WorkspaceStatus = (typeof WORKSPACE_STATUSES)[number];

/** CELL-7: the steps of a move. The first four are of the cell that the workspace leaves. */
export const MOVE_STEPS = ["copying", "frozen", "switched", "moved", "arriving", "arrived"] as const;
export type MoveStep = (typeof MOVE_STEPS)[number];

/**
 * The kinds of records that nodes copy. Triggers in migrations/ write a kind as its position in this list, so add new
 * kinds at the end.
 */
export const CHANGE_KINDS = [
  "workspace",
  "merchant",
  "policy",
  "api_key",
  "pricing",
  "pin",
  "webhook_secret",
  "incident",
] as const;
export type ChangeKind = (typeof CHANGE_KINDS)[number];

/** ERR-7: the codes a validation issue can carry. */
export const ISSUE_CODES = [
  "too_small",
  "too_big",
  "invalid_type",
  "unrecognized_keys",
  "invalid_enum_value",
  "invalid_string",
  "invalid_json",
  "custom",
] as const;
export type IssueCode = (typeof ISSUE_CODES)[number];

/** RLOG-3: the reasons for refusing a request with a known key. */
export const REQUEST_ERRORS = [
  "validation_error",
  "policy_validation_failed",
  "inactive_tenant",
  "session_required",
  "missing_scope",
  "other_merchant_scope",
  "unknown_merchant",
  "rate_limited",
  "not_found",
  "conflict",
  "limit_reached",
  "live_policy_changed",
  "body_too_large",
  "unsupported_media_type",
  "unsupported_charset",
  "encoded_body",
  "internal",
  "unavailable",
] as const;
export type RequestError = (typeof REQUEST_ERRORS)[number];

/** EXP-1: the kinds of exports. */
export const EXPORT_KINDS = ["decisions", "audit_log", "usage"] as const;
export type ExportKind = (typeof EXPORT_KINDS)[number];

/** EXP-5 to EXP-7. */
export const EXPORT_FORMATS = ["csv", "ndjson", "parquet"] as const;
export type ExportFormat = (typeof EXPORT_FORMATS)[number];

/** EXP-3. `expired`: the export no longer has a file. */
export const EXPORT_STATUSES = ["queued", "running", "done", "failed", "expired"] as const;
export type ExportStatus = (typeof EXPORT_STATUSES)[number];

/** EXP-9: why an export failed. */
export const EXPORT_ERRORS = ["interrupted", "too_large", "older_log_unavailable"] as const;
export type ExportError = (typeof EXPORT_ERRORS)[number];

/** RET-19: the kinds of erasures. */
export const ERASURE_KINDS = ["workspace", "merchant"] as const;
export type ErasureKind = (typeof ERASURE_KINDS)[number];

/** RET-26. `failed`: all attempts failed. The erasure continues when an administrator requests it again. */
export const ERASURE_STATUSES = ["queued", "running", "done", "failed"] as const;
export type ErasureStatus = (typeof ERASURE_STATUSES)[number];

/** ANA-10: the pages of the dashboard whose filters can be saved. */
export const VIEWED_PAGES = ["analytics", "decisions"] as const;
export type ViewedPage = (typeof VIEWED_PAGES)[number];

/** SVC-16: how a drill ended. */
export const DRILL_ENDINGS = ["lifted", "replaced", "expired"] as const;
export type DrillEnding = (typeof DRILL_ENDINGS)[number];

/** AUTH-31: why a sign-in by OpenID Connect failed. */
export const OIDC_ERRORS = [
  "not_begun_here",
  "expired",
  "refused",
  "invalid_answer",
  "email_not_verified",
  "unknown_person",
  "linked_otherwise",
  "no_membership",
  "inactive_tenant",
  "provider_unavailable",
  "unavailable",
] as const;
export type OidcError = (typeof OIDC_ERRORS)[number];
