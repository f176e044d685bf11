import type { JsonSchema } from "../../platform/wire/body-validator.js";
import {
  createdMerchantSchema,
  merchantListSchema,
  merchantSchema,
  workspaceResponseSchema,
  workspaceSchema,
} from "../workspaces/wire/workspace-response-schema.js";
import { accountSchema, signedInSchema, userSchema } from "../accounts/wire/account-response-schema.js";
import {
  backtestErrorSchema,
  backtestLineSchema,
  backtestProgressSchema,
  backtestResultSchema,
} from "../policies/wire/backtest-response-schema.js";
import {
  decisionListRowSchema,
  decisionListSchema,
  reviewResolutionSchema,
  reviewSchema,
} from "../decisions/wire/decision-log-schema.js";
import {
  providerEvaluationSchema,
  decisionDetailSchema,
  decisionRetrySchema,
  storedRequestSchema,
} from "../decisions/wire/decision-detail-schema.js";
import {
  decisionAggregateSchema,
  replaySchema,
  shadowReportSchema,
} from "../decisions/wire/decision-report-schema.js";
import { analyticsSummarySchema } from "../analytics/wire/summary-response-schema.js";
import {
  costSchema,
  decidedPolicySchema,
  decisionResponseSchema,
  economicsSchema,
  modelSchema,
  providerHealthSchema,
  recordedCostSchema,
  riskSchema,
  routeSchema,
} from "../../path/wire/decision-response-schema.js";
import {
  plainErrorSchema,
  policyIssueSchema,
  policyValidationErrorSchema,
  rateLimitedSchema,
  validationErrorSchema,
  validationIssueSchema,
} from "../../platform/wire/error-schema.js";
import {
  eventEndpointResponseSchema,
  createdEventDeliverySchema,
  createdEventEndpointSchema,
  eventDeliveryListSchema,
  eventDeliverySchema,
  eventEndpointListSchema,
  eventEndpointSchema,
} from "../events/wire/event-endpoint-response-schema.js";
import {
  erasureListSchema,
  erasureResponseSchema,
  erasureSchema,
} from "../erasures/wire/erasure-response-schema.js";
import { newErasureSchema } from "../erasures/wire/erasure-schema.js";
import {
  exportListSchema,
  exportResponseSchema,
  exportSchema,
} from "../exports/wire/export-response-schema.js";
import {
  savedViewListSchema,
  savedViewResponseSchema,
  savedViewSchema,
} from "../saved-views/wire/saved-view-response-schema.js";
import { newSavedViewSchema, savedViewChangesSchema } from "../saved-views/wire/saved-view-schema.js";
import { healthSnapshotSchema, providerHealthListSchema } from "../provider-health/wire.js";
import {
  integrationListSchema,
  rotatedSecretSchema,
  webhookReceiptSchema,
} from "../webhooks/wire/integration-response-schema.js";
import { outcomeReceiptSchema, storedOutcomeSchema } from "../outcomes/wire/outcome-response-schema.js";
import {
  createdPolicySchema,
  merchantPolicySchema,
  policyListSchema,
  policySchema,
  publishedPolicySchema,
  ruleActionSchema,
  storedRuleSchema,
} from "../policies/wire/policy-response-schema.js";
import { conditionEvaluationSchema, explainedRuleSchema } from "../decisions/wire/rule-evaluation-schema.js";
import { simulationSchema, translationSchema } from "../policies/wire/policy-trial-response-schema.js";
import { merchantPricesSchema, storedContractSchema } from "../pricing/wire/pricing-response-schema.js";
import { reviewResultsSchema } from "../reviews/wire/review-response-schema.js";
import { policyTemplateListSchema, policyTemplateSchema } from "../policy-templates/wire.js";
import { retryRuleListSchema, retryRuleSchema } from "../retry-rules/wire.js";
import { riskSignalsSchema, transactionSchema } from "../../path/wire/decision-schema.js";
import { webhookFeeSchema } from "../webhooks/wire/webhook-schema.js";
import type { RequestSchemas } from "./request-schemas.js";
import { freeFormSchema, webhookBodySchema } from "../webhooks/wire/webhook-body-schema.js";
import { requestLogEntrySchema, requestLogSchema } from "../request-log/wire.js";
import { auditLogSchema } from "../audit/wire.js";
import { usageReportSchema } from "../usage/wire.js";
import { drillHistorySchema } from "../overrides/wire/drill-history-response-schema.js";
import { providerOverridesSchema } from "../overrides/wire/override-response-schema.js";
import { acknowledgedAlertSchema, alertListSchema, alertSchema } from "../alerts/wire.js";
import { tenantListSchema, tenantResponseSchema, tenantSchema } from "../platform-admin/wire.js";
import { acceptedSchema, emailStateSchema } from "../email-links/wire/email-link-response-schema.js";
import { oneTimeCodeSecretSchema, oneTimeCodesSchema, recoveryCodesSchema } from "../one-time-codes/wire.js";
import { sessionListSchema, sessionSchema } from "../sessions/wire.js";
import {
  setAsideDetailSchema,
  setAsideListSchema,
  setAsideRecordSchema,
  storedRecordSchema,
} from "../set-aside/wire/record-response-schema.js";
import {
  apiKeyListSchema,
  apiKeySchema,
  createdApiKeySchema,
  revokedApiKeySchema,
  rotatedApiKeySchema,
} from "../api-keys/wire/api-key-response-schema.js";
import {
  changedMemberSchema,
  invitationResponseSchema,
  invitedSchema,
  memberSchema,
  passwordResetSchema,
  invitationListSchema,
  teamSchema,
} from "../team/wire/team-response-schema.js";

/** The name of each schema in the document. Each object is named once, wherever it is used. */
export function componentNames(requests: RequestSchemas): Readonly<Record<string, JsonSchema>> {
  return {
    DecisionRequest: requests.decision,
    Transaction: transactionSchema,
    RiskSignals: riskSignalsSchema,
    OutcomeReport: requests.outcome,
    Conditions: requests.conditions,
    RuleAction: requests.ruleAction,
    Rule: requests.rule,
    NewPolicy: requests.policy,
    PolicyDraft: requests.draft,
    SimulationRequest: requests.simulation,
    BacktestRequest: requests.backtest,
    NewPricingContract: requests.pricing,
    ProviderWebhook: webhookBodySchema,
    WebhookFee: webhookFeeSchema,
    FreeForm: freeFormSchema,
    ...DECISIONS,
    ...POLICIES,
    ...ACCOUNTS,
    ...ADMINISTRATION,
    ...ERRORS,
  };
}

const DECISIONS = {
  Decision: decisionResponseSchema,
  Route: routeSchema,
  Risk: riskSchema,
  ProviderHealth: providerHealthSchema,
  DecidedPolicy: decidedPolicySchema,
  Model: modelSchema,
  Cost: costSchema,
  Economics: economicsSchema,
  DecisionList: decisionListSchema,
  DecisionListRow: decisionListRowSchema,
  DecisionDetail: decisionDetailSchema,
  ProviderEvaluation: providerEvaluationSchema,
  DecisionRetry: decisionRetrySchema,
  StoredRequest: storedRequestSchema,
  RecordedCost: recordedCostSchema,
  ExplainedRule: explainedRuleSchema,
  ConditionEvaluation: conditionEvaluationSchema,
  Review: reviewSchema,
  ReviewResolution: reviewResolutionSchema,
  ReviewResults: reviewResultsSchema,
  DecisionAggregate: decisionAggregateSchema,
  ShadowReport: shadowReportSchema,
  Replay: replaySchema,
  OutcomeReceipt: outcomeReceiptSchema,
  StoredOutcome: storedOutcomeSchema,
  HealthSnapshot: healthSnapshotSchema,
  ProviderHealthList: providerHealthListSchema,
  AnalyticsSummary: analyticsSummarySchema,
} as const;

const POLICIES = {
  Policy: policySchema,
  MerchantPolicy: merchantPolicySchema,
  StoredRule: storedRuleSchema,
  StoredRuleAction: ruleActionSchema,
  CreatedPolicy: createdPolicySchema,
  PublishedPolicy: publishedPolicySchema,
  PolicyList: policyListSchema,
  Translation: translationSchema,
  Simulation: simulationSchema,
  BacktestLine: backtestLineSchema,
  BacktestProgress: backtestProgressSchema,
  BacktestResult: backtestResultSchema,
  BacktestError: backtestErrorSchema,
  PolicyTemplateList: policyTemplateListSchema,
  PolicyTemplate: policyTemplateSchema,
  RetryRuleList: retryRuleListSchema,
  RetryRule: retryRuleSchema,
  StoredContract: storedContractSchema,
  MerchantPrices: merchantPricesSchema,
} as const;

const ACCOUNTS = {
  User: userSchema,
  Workspace: workspaceSchema,
  SignedIn: signedInSchema,
  Account: accountSchema,
  Session: sessionSchema,
  EmailState: emailStateSchema,
  Accepted: acceptedSchema,
  OneTimeCodes: oneTimeCodesSchema,
  OneTimeCodeSecret: oneTimeCodeSecretSchema,
  RecoveryCodes: recoveryCodesSchema,
  SessionList: sessionListSchema,
  ApiKey: apiKeySchema,
  ApiKeyList: apiKeyListSchema,
  CreatedApiKey: createdApiKeySchema,
  RevokedApiKey: revokedApiKeySchema,
  RotatedApiKey: rotatedApiKeySchema,
  Member: memberSchema,
  Invitation: invitationResponseSchema,
  Team: teamSchema,
  InvitationList: invitationListSchema,
  Invited: invitedSchema,
  ChangedMember: changedMemberSchema,
  PasswordReset: passwordResetSchema,
} as const;

const ADMINISTRATION = {
  WorkspaceResponse: workspaceResponseSchema,
  Merchant: merchantSchema,
  CreatedMerchant: createdMerchantSchema,
  MerchantList: merchantListSchema,
  AuditLog: auditLogSchema,
  RequestLogEntry: requestLogEntrySchema,
  RequestLog: requestLogSchema,
  UsageReport: usageReportSchema,
  ProviderOverrides: providerOverridesSchema,
  DrillHistory: drillHistorySchema,
  Alert: alertSchema,
  AlertList: alertListSchema,
  AcknowledgedAlert: acknowledgedAlertSchema,
  EventEndpoint: eventEndpointSchema,
  EventEndpointList: eventEndpointListSchema,
  CreatedEventEndpoint: createdEventEndpointSchema,
  EventEndpointResponse: eventEndpointResponseSchema,
  EventDelivery: eventDeliverySchema,
  EventDeliveryList: eventDeliveryListSchema,
  CreatedEventDelivery: createdEventDeliverySchema,
  SavedView: savedViewSchema,
  SavedViewResponse: savedViewResponseSchema,
  SavedViewList: savedViewListSchema,
  NewSavedView: newSavedViewSchema,
  SavedViewChanges: savedViewChangesSchema,
  Export: exportSchema,
  ExportResponse: exportResponseSchema,
  ExportList: exportListSchema,
  Erasure: erasureSchema,
  ErasureResponse: erasureResponseSchema,
  ErasureList: erasureListSchema,
  NewErasure: newErasureSchema,
  Tenant: tenantSchema,
  TenantList: tenantListSchema,
  TenantResponse: tenantResponseSchema,
  SetAsideRecord: setAsideRecordSchema,
  SetAsideList: setAsideListSchema,
  SetAsideDetail: setAsideDetailSchema,
  StoredRecord: storedRecordSchema,
  IntegrationList: integrationListSchema,
  RotatedSecret: rotatedSecretSchema,
  WebhookReceipt: webhookReceiptSchema,
} as const;

const ERRORS = {
  Error: plainErrorSchema,
  ValidationError: validationErrorSchema,
  ValidationIssue: validationIssueSchema,
  PolicyValidationError: policyValidationErrorSchema,
  PolicyIssue: policyIssueSchema,
  RateLimited: rateLimitedSchema,
} as const;
