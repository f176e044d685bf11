import { READER_LIMITS } from "./reader-limits.js";

/**
 * Every limit of the service, once, with its unit last. Some are the contract's, such as REQ-2;
 * the others bound what the process may hold.
 */
export const LIMITS = {
  // Wire.
  smallBodyBytesMax: 16 * 1024,
  largeBodyBytesMax: 1024 * 1024,
  /** What is skipped of a body whose request is answered already, before its connection is cut. */
  skippedBodyBytesMax: 32 * 1024 * 1024,
  skippedBodyMsMax: 10_000,
  /** Copies of answers that wait for peers that read slowly; past it who has waited longest is cut. */
  keptAnswerBytesMax: 64 * 1024 * 1024,
  /** One in so many answers without a body closes its connection: of a peer that never reads about so many wait. */
  bodilessAnswersMax: 64,
  /** A body in more pieces (chunks, or what arrives at once) than this ends its connection where they are this small on average. */
  bodyPiecesMax: 4096,
  bodyPieceBytesMin: 256,
  /** Of all bodies over `smallBodyBytesMax` that have begun and not ended; past it one is answered 503. */
  unfinishedBodyBytesMax: 64 * 1024 * 1024,
  /** Bodies over `smallBodyBytesMax` that wait to be read, of all routes, and of one workspace half as many; more are answered 503. */
  largeBodiesWaitingMax: 128,
  /** Characters of texts that wait to be translated, of one workspace half as many; more are answered 503. */
  translationCharsWaitingMax: 512 * 1024,
  /** A text counts as so many at least: a burst of the shortest is bounded too. */
  translationCharsMin: 1024,
  /** Requests that create, list or publish policies or prices and wait for their turn, of one workspace half as many; more are answered 503. */
  turnsWaitingMax: 1024,
  /** How long one of either keeps the next from beginning, though it waits for PostgreSQL; and how long a rest between two may be. */
  turnMsMax: 250,
  /** What costs the front thread more than a decision works for so long, and leaves it alone for as long. */
  sliceMs: 2,
  /** Requests that wait for such a slice, of one workspace half as many: what a key may send in a minute; more are answered 503. */
  slicesWaitingMax: 4096,
  jsonDepthMax: 32,
  validationIssuesMax: 20,
  validationErrorsReadMax: 1000,
  /** Members, items, lists and objects of a body; looked at before it is parsed. No valid one has a hundred. */
  bodyValuesMax: 300,
  /** The same of a webhook, whose `data` may hold anything. */
  webhookValuesMax: 20_000,
  /** The same of a contract: as many as a mebibyte of valid ones has room for. */
  contractValuesMax: 120_000,
  /** Members and items of a body of which all errors are told; of more the first error is. */
  listedValuesMax: 300,
  /** The same, of a policy's or a contract's frame. */
  listedFrameValuesMax: 20_000,
  merchantIdCharsMax: 128,
  orderIdCharsMax: 128,
  providerReasonCodeCharsMax: 64,
  /** Any id of ours is shorter; a longer text is refused before it is looked up. */
  decisionIdCharsMax: 128,
  /** 24 days: what the column holds. */
  providerLatencyMsMax: 2 ** 31 - 1,
  idempotencyKeyCharsMax: 255,
  requestIdCharsMax: 128,
  amountMinorMax: Number.MAX_SAFE_INTEGER,
  countMax: Number.MAX_SAFE_INTEGER,
  rulesPerPolicyMax: 100,
  policyNameCharsMax: 120,
  ruleIdCharsMax: 128,
  reasonCodeCharsMax: 64,
  /** COND-2: any_of, all_of and none_of inside one another. */
  conditionLevelsMax: 3,
  /** Every key of a rule's `when`, nested ones included: a decision may ask each of them. */
  conditionKeysPerRuleMax: 200,
  conditionValuesMax: 500,
  conditionPrefixesMax: 20,
  /** Fields of a body that holds a policy: it is read on the front thread, between decisions. */
  policyFieldsMax: 20_000,
  contractNameCharsMax: 120,
  rulesPerContractMax: 5000,
  tiersPerRuleMax: 20,
  pricingWarningsMax: 100,
  /** Rules of a merchant's contracts in effect or to come: what its replica entry and its workers hold. */
  pricingRulesLiveMax: 20_000,
  webhookTypeCharsMax: 64,
  /** Of one webhook; senders that rotate send two. */
  webhookSignaturesMax: 10,
  webhookClockSkewMs: 300_000,
  webhookSecretGraceMs: 24 * 3_600_000,
  /** Signing keys that a node keeps open, and routes that it tries its SECRET_KEY on at the start. */
  webhookKeysOpenMax: 4096,
  webhookRoutesTried: 100,
  webhookOldSecretsMax: 4,
  /** Workspaces whose secrets of one provider and merchant_id are tried where a webhook names none: the oldest. */
  webhookRouteWorkspacesMax: 16,
  /** Ids are known for so long: senders try again for days, each time with a new timestamp. */
  webhookEventsKeptMs: 7 * 86_400_000,
  webhookSweepIntervalMs: 60_000,
  webhookSweepRowsMax: 10_000,
  /** What a provider that never closes an incident is believed for. */
  incidentLifeMs: 24 * 3_600_000,
  /** Open and closed, of one provider and merchant. */
  incidentsPerRouteMax: 1000,
  incidentsShownMax: 10_000,
  incidentIdCharsMax: 128,
  /** How late webhooks come is worked out from so many of the newest, at most; below the minimum the probes' word stands. */
  webhookLagEventsMax: 20_000,
  webhookLagWindowMs: 300_000,
  webhookLagSecondsMin: 30,
  /** Until what PostgreSQL changed, and could not be read, is read again. */
  refreshRetryMs: 1000,
  providerReportsIntervalMs: 10_000,
  /** Between two reads of them, however many incidents are told of. */
  providerReportsSpacingMs: 250,
  integrationMerchantsMax: 1000,
  /** Fees of one merchant that its observed prices are fitted to: the newest; older ones are dropped. */
  observedFeesFitted: 20_000,
  /** Fewer of one segment make no price. */
  observedFeesMin: 20,
  observedPricesMax: 2000,
  observedPriceIntervalMs: 1000,
  decisionTtlMs: 3000,
  idempotencyWindowMs: 3_600_000,
  keyCacheMs: 60_000,

  // The cache that nodes share (CACHE_URL).
  cacheConnectTimeoutMs: 1000,
  /** A node that decides for a key keeps the others waiting for so long at most, should it die. */
  idempotencyClaimMs: 2000,
  /** Replies of an outage of the cache that a decide worker tells afterwards; about 1.7 KB each. */
  owedRepliesMax: 4096,
  owedRepliesAtOnce: 100,
  owedRepliesIntervalMs: 50,
  /** How often a request asks again for the reply that another node is making. */
  idempotencyPollMs: 5,

  // Dispatch: one Piscina task per event-loop turn, sooner once this many requests wait.
  batchRequestsReady: 32,
  batchRequestsMax: 128,
  tasksPerWorkerMax: 4,
  /** Fewer wait for company while every worker is at work. */
  batchRequestsSmall: 16,
  /** A worker's rest between small batches, while it can expect so many requests in it. */
  batchRestMs: 0.25,
  batchRestRequestsMin: 2,
  /** Answers of one task that leave as bytes; what does not fit, such as long replies of a full batch, leaves as text. */
  taskPageBytes: 256 * 1024,
  /** Decisions the node holds at once; more are answered 503 at once (OPS-9). */
  pendingRequestsMax: 2048,
  /** A burst of so many is held whatever it waits for, such as a worker that is being replaced. */
  pendingRequestsFree: 512,
  /** Once a larger burst waits too long: as many as are answered in `overloadedWaitMs`, within these bounds, for `overloadMs`. */
  pendingRequestsOverloadedMin: 32,
  pendingRequestsOverloadedMax: 256,
  /** Half of the budget goes into two turns of a front that refuses; measured: at 10 half as many are accepted, at 22 they take 58 ms. */
  overloadedWaitMs: 12,
  answerRateWindowMs: 50,
  overloadMs: 1000,
  /** Of the budget of 50 ms, what the oldest of a larger burst may have waited. */
  pendingWaitMsMax: 10,
  /** A decision that no worker has made by then is answered 503; a merchant has given up on it long before. */
  decisionAnswerMsMax: 3000,
  /** What a thread may take to load and open LMDB before it is ended by force; a second on two slow cores. */
  lmdbLoadMsMax: 10_000,
  /** Workers that end no task for so long never will: the process gives up, and its journal goes on at the next start. */
  decisionStuckMs: 15_000,

  // Journal and writer.
  /** Between two transactions: the least, and the most where they take long themselves. */
  journalFlushIntervalMs: 50,
  journalFlushIntervalMsMax: 100,
  journalDrainRowsMax: 8000,
  /** Of the oldest record that waits: decide workers in real time give way to who stores it, and until when they do. */
  journalBehindMs: 2000,
  journalCaughtUpMs: 500,
  journalSyncIntervalMs: 1000,
  /** OPS-5: PostgreSQL that answers and stores nothing of what waits for so long counts as unreachable. */
  storedNothingMsMax: 30_000,
  storingWatchIntervalMs: 500,
  /** Room that stays free on the disk of DATA_DIR, or a twentieth of a small one; below it decisions are 503. */
  diskReserveBytes: 64 * 2 ** 20,
  /** Stored replies on the disk; past it the oldest go before their hour (the store is best-effort). */
  idempotentReplyBytesMax: 8 * 2 ** 30,
  /** Merchants times currencies whose amounts one node counts. */
  amountSketchesMax: 20_000,
  amountRefreshIntervalMs: 60_000,

  /** How far the writer, the reader, passwords and the embedded PostgreSQL step back: 5 leaves each a quarter of a contended core. */
  backgroundNice: 5,

  // What is learnt from outcomes.
  /** How often a node asks what was stored. */
  evidenceIntervalMs: 500,
  /** How far back a node that starts learns: the window of provider health. */
  evidenceWindowSeconds: 300,
  evidenceKeptSeconds: 1200,
  evidenceSweepIntervalMs: 60_000,
  /** How often a node looks for the decisions of reports that were kept aside. */
  keptOutcomesIntervalMs: 1000,

  // Decision ids.
  /** How often a node confirms its number, which it may lose after ten minutes of silence. */
  nodeNumberClaimIntervalMs: 60_000,

  // Traces.
  /** Of requests that bring no traceparent. */
  rootTracesPerSecondMax: 20,
  spansQueuedMax: 4096,
  spanExportIntervalMs: 1000,
  spanExportTimeoutMs: 1000,

  // Caches of the front thread.
  keyCacheEntriesMax: 50_000,
  unknownKeyCacheMs: 2000,
  /** How long the look-up of a key that this node remembers is waited for. */
  keyLookupPatienceMs: 300,
  rateWindowEntriesMax: 200_000,

  // Dashboard sessions: AUTH-19.
  sessionIdleMs: 12 * 3_600_000,
  sessionAbsoluteMs: 7 * 86_400_000,
  sessionTouchMs: 60_000,

  // Accounts.
  emailCharsMax: 254,
  nameCharsMax: 120,
  passwordCharsMin: 12,
  passwordCharsMax: 256,
  invitationLifeMs: 7 * 86_400_000,
  invitationsPendingMax: 1000,
  membersMax: 1000,
  /** Kept for ever once revoked; the newest are listed. */
  apiKeysListedMax: 1000,
  workspacesListedMax: 10_000,
  /** Argon2 takes 10 ms of a core and 19 MiB each. */
  passwordHashesAtOnceMax: 1,
  passwordHashesWaitingMax: 32,
  /** Argon2id with our parameters takes 6 to 12 ms of a core, and longer on one that is shared. */
  passwordWorkMsMax: 20,
  /** Of all cores' time, what passwords take while decisions are made. */
  passwordCpuShare: 0.01,
  /** One write of last_used_at a key and minute. */
  keyUseIntervalMs: 60_000,
  keyUseFlushMs: 1000,

  // Administration.
  merchantsListedMax: 10_000,
  /** Beside those that are open. */
  closedAlertsListedMax: 200,
  openAlertsListedMax: 1000,
  usageMonthsMax: 24,
  usageRowsMax: 50_000,

  // Alerts of a workspace's own view: the node that sees the cause says so again in this interval, or it ends.
  alertConfirmIntervalMs: 60_000,
  alertUnconfirmedMsMax: 300_000,
  alertRetryMs: 1000,
  /** Changes that wait for PostgreSQL; past them everything is compared. */
  alertChangesMax: 10_000,

  // Copies that a node keeps of PostgreSQL's records.
  /** How long a node that hears no notification waits before it looks for changes. */
  changesIntervalMs: 1000,
  /** A node that was away for longer compares everything. */
  changesKeptSeconds: 3 * 86_400,
  changesSweepIntervalMs: 60_000,
  /** How often a node asks whether the database still has the history that it has read. */
  changeSourceIntervalMs: 10_000,
  /** How often the cursor is written where nothing changes. */
  changeCursorIntervalMs: 60_000,
  /** Records that are copied in one turn: others' changes come between. */
  recordsCopiedAtOnce: 200,
  /** Policies among them; rules are stored compressed, to a tenth or less. */
  policyPageRows: 50,
  policyPageStoredBytes: 256 * 1024,
  /** The comparison in the background. */
  recordsComparedPerSecond: 1000,
  comparisonPauseMs: 60_000,
  /** How long a start with nothing copied waits for the copies of a small database. */
  firstCopyPatienceMs: 2000,

  // Caches of a decide worker: merchants with their amounts and prices, and what their policies say, compiled.
  contextCacheBytesMax: 16 * 2 ** 20,
  policyCacheBytesMax: 24 * 2 ** 20,
  /** Each of the same two where people try a sample. */
  simulationCacheBytesMax: 2 * 2 ** 20,
  /** Workspaces that a decide worker knows its view of health of: until the next second, and no more than these. */
  healthViewsMax: 4096,
  /** Health groups a decide worker knows to be journalled: half a minute of all segments, or all of a quiet hour. */
  healthGroupsRememberedMax: 1024,

  /** Conjunctions a rule is expanded into by the linter, and steps it takes for a whole policy; past them it says nothing. */
  lintTermsPerRuleMax: 256,
  lintStepsPerPolicyMax: 30_000,

  // Translation of plain English: what one text may make the front thread parse.
  translateSentenceCharsMax: 1000,
  translateSentencesMax: 2000,
  translateParsedCharsMax: 32 * 1024,

  // Reads.
  pageSizeDefault: 25,
  pageSizeMax: 100,
  offsetRowsMax: 10_000,
  shadowReportDaysDefault: 30,
  shadowReportDaysMax: 90,
  reviewNoteCharsMax: 500,
  aggregateCacheMs: 5000,
  backtestDaysMax: 30,
  backtestDecisionsMax: 100_000,
  /** Changed decisions a backtest names; the others are counted. */
  backtestChangesListedMax: 100,
  /** Read, decoded and decided again at a time, twice that many held: the memory of a backtest. */
  backtestPageRows: 1000,
  backtestStatementTimeoutMs: 60_000,
  /** A client that hears nothing for long, or a proxy in between, takes the stream for dead. */
  streamHeartbeatMs: 2000,
  aggregateCacheEntriesMax: 1000,
  reasonCodesRememberedMax: 50_000,
  /** Of decoded segments: about 150 full ones, a thousand short ones. */
  segmentCacheBytes: 16 * 2 ** 20,
  /** Of rows of the decision log as they are shown: about 10,000. */
  rowTextCacheChars: 8_000_000,
  /** Of policy versions, compiled to explain decisions: one may be a mebibyte. */
  explainedPoliciesMax: 32,
  databaseReadTimeoutMs: 1500,
  /** That wait for a connection of tenants to PostgreSQL, of all workspaces of a thread; half of them of one. */
  connectionsAwaitedMax: 2048,
  ...READER_LIMITS,
  /** A list of policies ends at either: versions are kept for ever, and each may be of `largeBodyBytesMax`. */
  policiesListedMax: 1000,
  policiesListedBytesMax: 4 * 2 ** 20,
} as const;

if (LIMITS.batchRequestsMax > LIMITS.pendingRequestsMax) {
  throw new RangeError("batchRequestsMax must not exceed pendingRequestsMax");
}
if (LIMITS.pendingRequestsFree > LIMITS.pendingRequestsMax) {
  throw new RangeError("pendingRequestsFree must not exceed pendingRequestsMax");
}
if (LIMITS.pendingRequestsOverloadedMax > LIMITS.pendingRequestsFree) {
  throw new RangeError("pendingRequestsOverloadedMax must not exceed pendingRequestsFree");
}
if (LIMITS.idempotencyClaimMs >= LIMITS.decisionAnswerMsMax) {
  throw new RangeError(
    "idempotencyClaimMs must be less than decisionAnswerMsMax: a waiting request outlives the claim",
  );
}
if (LIMITS.alertConfirmIntervalMs >= LIMITS.alertUnconfirmedMsMax) {
  throw new RangeError("alertConfirmIntervalMs must be less than alertUnconfirmedMsMax");
}
if (LIMITS.smallBodyBytesMax > LIMITS.largeBodyBytesMax) {
  throw new RangeError("smallBodyBytesMax must not exceed largeBodyBytesMax");
}
