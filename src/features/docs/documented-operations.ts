import type { Operations } from "../../platform/wire/operation.js";
import { ACCOUNT_OPERATIONS } from "../accounts/operations.js";
import { ALERT_OPERATIONS } from "../alerts/operations.js";
import { ANALYTICS_OPERATIONS } from "../analytics/operations.js";
import { API_KEY_OPERATIONS } from "../api-keys/operations.js";
import { AUDIT_OPERATIONS } from "../audit/operations.js";
import { decisionOperations } from "../decisions/operations.js";
import { PROBE_OPERATIONS } from "../operations/operations.js";
import { outcomeOperations } from "../outcomes/operations.js";
import { OVERRIDE_OPERATIONS } from "../overrides/operations.js";
import { PLATFORM_OPERATIONS } from "../platform-admin/operations.js";
import { policyOperations } from "../policies/operations.js";
import { pricingOperations } from "../pricing/operations.js";
import { PROVIDER_HEALTH_OPERATIONS } from "../provider-health/operations.js";
import { REVIEW_OPERATIONS } from "../reviews/operations.js";
import { SET_ASIDE_OPERATIONS } from "../set-aside/operations.js";
import { TEAM_OPERATIONS } from "../team/operations.js";
import { USAGE_OPERATIONS } from "../usage/operations.js";
import { WEBHOOK_OPERATIONS } from "../webhooks/operations.js";
import { WORKSPACE_OPERATIONS } from "../workspaces/operations.js";
import { DOCS_OPERATIONS } from "./operations.js";
import type { RequestSchemas } from "./request-schemas.js";

/** The documented operations of all features, whatever routes exist. */
export function documentedOperations(requests: RequestSchemas): Operations {
  return {
    ...decisionOperations(requests.decision),
    ...REVIEW_OPERATIONS,
    ...outcomeOperations(requests.outcome),
    ...PROVIDER_HEALTH_OPERATIONS,
    ...pricingOperations(requests.pricing),
    ...WEBHOOK_OPERATIONS,
    ...policyOperations(requests),
    ...ACCOUNT_OPERATIONS,
    ...API_KEY_OPERATIONS,
    ...TEAM_OPERATIONS,
    ...ANALYTICS_OPERATIONS,
    ...ALERT_OPERATIONS,
    ...WORKSPACE_OPERATIONS,
    ...AUDIT_OPERATIONS,
    ...USAGE_OPERATIONS,
    ...OVERRIDE_OPERATIONS,
    ...PLATFORM_OPERATIONS,
    ...SET_ASIDE_OPERATIONS,
    ...PROBE_OPERATIONS,
    ...DOCS_OPERATIONS,
  };
}
