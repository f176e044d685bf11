import type { Operations } from "../../platform/wire/operation.js";
import { ACCOUNT_OPERATIONS } from "../accounts/operations.js";
import { ALERT_OPERATIONS } from "../alerts/operations.js";
import { ANALYTICS_OPERATIONS } from "../analytics/operations.js";
import { API_KEY_OPERATIONS } from "../api-keys/operations.js";
import { AUDIT_OPERATIONS } from "../audit/operations.js";
import { decisionOperations } from "../decisions/operations.js";
import { EMAIL_LINK_OPERATIONS } from "../email-links/operations.js";
import { EVENT_OPERATIONS } from "../events/operations.js";
import { OIDC_OPERATIONS } from "../oidc/operations.js";
import { ONE_TIME_CODE_OPERATIONS } from "../one-time-codes/operations.js";
import { SAVED_VIEW_OPERATIONS } from "../saved-views/operations.js";
import { ERASURE_OPERATIONS } from "../erasures/operations.js";
import { EXPORT_OPERATIONS } from "../exports/operations.js";
import { PROBE_OPERATIONS } from "../operations/operations.js";
import { outcomeOperations } from "../outcomes/operations.js";
import { OVERRIDE_OPERATIONS } from "../overrides/operations.js";
import { PLATFORM_OPERATIONS } from "../platform-admin/operations.js";
import { policyOperations } from "../policies/operations.js";
import { POLICY_TEMPLATE_OPERATIONS } from "../policy-templates/operations.js";
import { pricingOperations } from "../pricing/operations.js";
import { PROVIDER_HEALTH_OPERATIONS } from "../provider-health/operations.js";
import { RETRY_RULE_OPERATIONS } from "../retry-rules/operations.js";
import { REVIEW_OPERATIONS } from "../reviews/operations.js";
import { SESSION_OPERATIONS } from "../sessions/operations.js";
import { SET_ASIDE_OPERATIONS } from "../set-aside/operations.js";
import { REQUEST_LOG_OPERATIONS } from "../request-log/operations.js";
import { TEAM_OPERATIONS } from "../team/operations.js";
import { USAGE_OPERATIONS } from "../usage/operations.js";
import { WEBHOOK_OPERATIONS } from "../webhooks/operations.js";
import { WORKSPACE_OPERATIONS } from "../workspaces/operations.js";
import { DOCS_OPERATIONS } from "./operations.js";
import type { RequestSchemas } from "./request-schemas.js";

/** The documented operations by the subject's folder in src/features, regardless of the existing routes. */
export function operationsBySubject(requests: RequestSchemas): Readonly<Record<string, Operations>> {
  return {
    decisions: decisionOperations(requests.decision),
    reviews: REVIEW_OPERATIONS,
    outcomes: outcomeOperations(requests.outcome),
    "provider-health": PROVIDER_HEALTH_OPERATIONS,
    pricing: pricingOperations(requests.pricing),
    webhooks: WEBHOOK_OPERATIONS,
    policies: policyOperations(requests),
    "policy-templates": POLICY_TEMPLATE_OPERATIONS,
    "retry-rules": RETRY_RULE_OPERATIONS,
    accounts: ACCOUNT_OPERATIONS,
    oidc: OIDC_OPERATIONS,
    "one-time-codes": ONE_TIME_CODE_OPERATIONS,
    "email-links": EMAIL_LINK_OPERATIONS,
    sessions: SESSION_OPERATIONS,
    "api-keys": API_KEY_OPERATIONS,
    "request-log": REQUEST_LOG_OPERATIONS,
    team: TEAM_OPERATIONS,
    analytics: ANALYTICS_OPERATIONS,
    "saved-views": SAVED_VIEW_OPERATIONS,
    alerts: ALERT_OPERATIONS,
    events: EVENT_OPERATIONS,
    exports: EXPORT_OPERATIONS,
    erasures: ERASURE_OPERATIONS,
    workspaces: WORKSPACE_OPERATIONS,
    audit: AUDIT_OPERATIONS,
    usage: USAGE_OPERATIONS,
    overrides: OVERRIDE_OPERATIONS,
    "platform-admin": PLATFORM_OPERATIONS,
    "set-aside": SET_ASIDE_OPERATIONS,
    operations: PROBE_OPERATIONS,
    docs: DOCS_OPERATIONS,
  };
}

export function documentedOperations(requests: RequestSchemas): Operations {
  return Object.fromEntries(
    Object.values(operationsBySubject(requests)).flatMap((operations) => Object.entries(operations)),
  );
}
