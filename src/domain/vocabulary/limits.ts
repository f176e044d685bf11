/**
 * The limits that a client can run into: sizes, counts, lengths and windows. Each name ends with its unit. A row names
 * its clause if it has one, and each group says what a client sees. `tuning.ts` beside this file has the limits that
 * operators and developers tune.
 */
export const LIMITS = {
  // Bodies. A client sees 413 for too many bytes, and 400 with issues for all other limits.
  /** HTTP-17. */
  smallBodyBytesMax: 16 * 1024,
  /** HTTP-18. */
  largeBodyBytesMax: 1024 * 1024,
  /** ERR-14: parsing deeper texts would cost stack. */
  jsonLevelsMax: 32,
  /** Members, items, lists and objects of a body, counted before it is parsed. No valid body has a hundred. */
  bodyValuesMax: 300,
  /** Like `bodyValuesMax`, for a webhook, whose `data` may contain anything. */
  webhookValuesMax: 20_000,
  /** Like `bodyValuesMax`, for a price contract. A valid contract of 1 MiB has at most this many. */
  contractValuesMax: 120_000,
  /** Fields of a body that holds a policy. The front thread parses such a body between decisions. */
  policyFieldsMax: 20_000,
  /** ERR-13: issues that one answer lists. */
  validationIssuesMax: 20,
  /**
   * Members and items in total. For a larger body, only the first error is listed, because 1 MiB can hold 100,000
   * errors.
   */
  listedValuesMax: 300,
  /** Like `listedValuesMax`, for the parts of a policy or contract body outside its rules. */
  listedFrameValuesMax: 20_000,

  // Fields of bodies and headers. A client sees 400 with the path of the field.
  /** FMT-9. */
  merchantIdCharsMax: 128,
  /** REQ-2. */
  orderIdCharsMax: 128,
  /** REQ-14. */
  providerReasonCodeCharsMax: 64,
  /**
   * RTRY-11: the largest `max_attempts_24h`, and the most attempts of an order that are stored. No scheme's limit is
   * higher.
   */
  retryAttemptsMax: 35,
  /** The longest time that a scheme's limit looks back: 30 days. */
  retryAttemptsWindowSeconds: 30 * 24 * 3600,
  /** Longer than all ids of this service. A longer text is refused without a look-up. */
  decisionIdCharsMax: 128,
  /** 24 days: PostgreSQL's integer holds no larger number of milliseconds. */
  providerLatencyMsMax: 2 ** 31 - 1,
  /** IDEM-1. */
  idempotencyKeyCharsMax: 255,
  /** HTTP-15: a longer request id is replaced by a new one, and the request continues. */
  requestIdCharsMax: 128,
  /** FMT-13: a larger number would lose digits as a double. */
  amountMinorMax: Number.MAX_SAFE_INTEGER,
  /** Like `amountMinorMax`, for counts. */
  countMax: Number.MAX_SAFE_INTEGER,
  /** ANA-6: groups of one summary. */
  analyticsGroupsMax: 500,
  /** ANA-13: the groups that have a series. */
  analyticsGroupSeriesMax: 100,
  /** ANA-13: the newest steps that a group's series has. */
  analyticsGroupStepsMax: 120,
  /** REV-1. */
  reviewNoteCharsMax: 500,
  /** REV-9. */
  reviewsPerRequestMax: 100,
  /** REV-14: a held payment that has waited longer is overdue. */
  reviewTargetMs: 15 * 60_000,

  // Decisions. A client sees the windows in its replies.
  /** RES-14. */
  decisionTtlMs: 3000,
  /** IDEM-3. */
  idempotencyWindowMs: 3_600_000,
  /** KEY-9, ADM-8: how long a node may still use a grant that another node has withdrawn. */
  keyCacheMs: 60_000,

  // Policies. A client sees 400 `policy_validation_failed`.
  /** POL-1. */
  rulesPerPolicyMax: 100,
  /** POL-1. */
  policyNameCharsMax: 120,
  /** POL-22. */
  policyCommentCharsMax: 500,
  ruleIdCharsMax: 128,
  reasonCodeCharsMax: 64,
  /** COND-2: how deep any_of, all_of and none_of may nest. */
  conditionLevelsMax: 3,
  /** The most keys of a rule's `when`, including nested ones. One decision can check each of them. */
  conditionKeysPerRuleMax: 200,
  conditionValuesMax: 500,
  /** COND-16. */
  conditionPrefixesMax: 20,

  // Plain English. A client sees a warning that names the sentence. The limits bound the parser's work for one text.
  translateSentenceCharsMax: 1000,
  translateSentencesMax: 2000,
  translateParsedCharsMax: 32 * 1024,

  // Backtests. A client sees 400 for the first two, and a shorter list for the last.
  backtestDaysMax: 30,
  backtestDecisionsMax: 100_000,
  /** Changed decisions that a backtest lists. It also counts the rest. */
  backtestChangesListedMax: 100,

  // Pricing. A client sees 400, or 409 for the rules of all contracts.
  contractNameCharsMax: 120,
  /** PRICE-4. */
  rulesPerContractMax: 5000,
  tiersPerRuleMax: 20,
  /** Warnings that one upload lists. */
  pricingWarningsMax: 100,
  /** Rules of a merchant's current and future contracts. Replica and decide workers hold all of them. */
  pricingRulesLiveMax: 20_000,
  /** A segment with fewer fees gets no observed price, because its fitted line would be noise. */
  observedFeesMin: 20,
  /** Observed prices of one merchant. */
  observedPricesMax: 2000,

  // Provider webhooks. A sender sees 401 for signature and time, and 200 for every other webhook that is ignored.
  /** HOOK-6: a longer type is unknown. */
  webhookTypeCharsMax: 64,
  /** The most signatures tried for one webhook. A sender that rotates its secret sends two. */
  webhookSignaturesMax: 10,
  /** HOOK-3. */
  webhookClockSkewMs: 300_000,
  /** HOOK-12. */
  webhookSecretGraceMs: 24 * 3_600_000,
  /** Old secrets of one route. Another rotation ends the oldest one early. */
  webhookOldSecretsMax: 4,
  /** HOOK-16. */
  webhookRouteWorkspacesMax: 16,
  /** HOOK-5: how long an event id counts as a duplicate. Senders retry for days, each time with a new timestamp. */
  webhookEventsKeptMs: 7 * 86_400_000,
  /** A longer incident id is treated as absent. */
  incidentIdCharsMax: 128,
  /** Open and closed incidents of one provider and merchant. Further incidents change no health. */
  incidentsPerRouteMax: 1000,
  /** An incident that the provider never closes ends after this time. */
  incidentLifeMs: 24 * 3_600_000,

  // Sessions and accounts. A client sees 400 for the lengths.
  /** AUTH-19: 401 after this time without use. */
  sessionIdleMs: 12 * 3_600_000,
  /** AUTH-19: 401 after this time in any case. */
  sessionAbsoluteMs: 7 * 86_400_000,
  /** ACC-15. */
  recoveryCodes: 10,
  /** RFC 5321 §4.5.3.1.3: a mail server accepts no longer address. */
  emailCharsMax: 254,
  nameCharsMax: 120,
  /** ACC-2. */
  passwordCharsMin: 12,
  /** ACC-2. */
  passwordCharsMax: 256,
  /** 404 after this time. */
  invitationLifeMs: 7 * 86_400_000,
  /** ACC-12: 404 after this time. */
  passwordResetLifeMs: 3_600_000,
  /** ACC-7: members of one workspace. An invitation, and the acceptance of one, get 409 above it. */
  membersMax: 1000,

  // Event endpoints. A client sees 400, 409 for one endpoint too many, and a delivery that failed.
  /** EVT-2. */
  eventUrlCharsMax: 2048,
  eventDescriptionCharsMax: 200,
  /** EVT-2. */
  eventEndpointsMax: 100,
  /** EVT-7: the longest duration of an attempt, from the look-up of the address to the end of the answer. */
  eventAttemptMsMax: 10_000,
  /** EVT-7: the most bytes of an answer that are read. */
  eventAnswerBytesMax: 64 * 1024,
  /** EVT-11: how long a finished delivery is listed. */
  eventDeliveriesKeptMs: 7 * 86_400_000,

  // Exports. A client sees 409 for one too many, and an export that failed or expired.
  /** EXP-4: exports of a workspace that have not expired. */
  exportsMax: 100,
  /** RET-2: the upper limit of RETENTION_DAYS and of a workspace's own limit: a hundred years. */
  retentionDaysMax: 36_500,
  /** EXP-4: exports of a workspace that wait to be made. */
  exportsWaitingMax: 10,
  /** ANA-10: saved views of one person in one workspace. */
  savedViewsMax: 100,
  savedViewQueryCharsMax: 2000,
  /** EXP-10: how long a file is kept. */
  exportFileLifeHours: 7 * 24,
  /** EXP-10: how long an export is listed after its file was deleted. */
  exportListedHours: 30 * 24,
  /** EXP-9: a larger file fails. */
  exportBytesMax: 4 * 2 ** 30,

  // Lists. A client sees a list that ends here; for page_size, days and rows it sees 400.
  /** LIST-1. */
  pageRowsDefault: 25,
  /** LIST-1. */
  pageRowsMax: 100,
  /** SVC-16: few, because each row of a past drill needs two counts of traffic. */
  drillRowsDefault: 10,
  /** SVC-16. */
  drillRowsMax: 25,
  /** LIST-4: PostgreSQL would read and skip all rows before the offset. */
  offsetRowsMax: 10_000,
  /** LOG-26: a shorter search text would be the beginning of nearly every id. */
  searchCharsMin: 3,
  searchCharsMax: 128,
  /**
   * LOG-27: the most rows, and documents among them, that one page of the log reads for filters that no rollup counts.
   */
  siftedRowsMax: 20_000,
  siftedDocumentsMax: 1000,
  /** AGG-6. */
  shadowReportDaysDefault: 30,
  /** AGG-6. */
  shadowReportDaysMax: 90,
  /** AGG-5. */
  aggregateCacheMs: 5000,
  /** CH-18: the time that a client is told to wait before it reads the older log again. */
  olderLogRetrySeconds: 5,
  /** CELL-8: the Retry-After of a read while its workspace comes from another cell. */
  moveRetrySeconds: 2,
  usageMonthsMax: 24,
  usageRowsMax: 50_000,
  /** A list of policies ends at this count or at the bytes below, because versions are kept forever. */
  policiesListedMax: 1000,
  /** One version may have `largeBodyBytesMax`. */
  policiesListedBytesMax: 4 * 2 ** 20,
  /** ADM-17: the most rows of a list without pages. */
  wholeListRowsMax: 10_000,
  /** ADM-17: the most merchants of a list without pages, because each merchant has a row for each provider. */
  wholeIntegrationsMerchantsMax: 1000,
  /** KEY-10. */
  keyOverlapHoursDefault: 24,
  keyOverlapHoursMax: 168,
  /** RLOG-1: the rows that one workspace and mode may have. */
  requestLogRowsMax: 1000,
  /** RLOG-6: the most bytes for all workspaces. They suffice for 130 workspaces with `requestLogRowsMax` rows each. */
  requestLogBytesMax: 32 * 2 ** 20,
  /** ALRT-13. */
  openAlertsListedMax: 1000,
  /** ALRT-13: the closed alerts that are listed in addition to the open ones. */
  closedAlertsListedMax: 200,
} as const;

if (LIMITS.smallBodyBytesMax > LIMITS.largeBodyBytesMax) {
  throw new RangeError("smallBodyBytesMax must not exceed largeBodyBytesMax");
}
