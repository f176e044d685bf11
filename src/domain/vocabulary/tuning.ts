/**
 * The limits that operators and developers tune. A client notices them only as a 503 or a closed connection. Each name
 * ends with its unit, and each group says where its effects are visible. `limits.ts` beside this file has the limits
 * that a client can run into.
 */
export const TUNING = {
  // Peers that send or read badly. They see their connection end. An operator sees memory that stays flat.
  /** Once its request is answered, the rest of a body is skipped. Past these bytes or this time it is cut. */
  skippedBodyBytesMax: 32 * 1024 * 1024,
  skippedBodyMsMax: 10_000,
  /** Copies of answers that wait for slow readers. Above it the reader that has waited longest is cut off. */
  keptAnswerBytesMax: 64 * 1024 * 1024,
  /** One in this many answers without a body closes its connection. A peer that never reads leaves as many waiting. */
  bodilessAnswersMax: 64,
  /** A body in more pieces ends its connection if they are smaller on average: each piece costs a call. */
  bodyPiecesMax: 4096,
  bodyPieceBytesMin: 256,

  // Lines before the front thread. A client sees 503 past them (OPS-13), and one workspace has at most half of a line.
  /** Unfinished bodies over `smallBodyBytesMax`, all together. */
  unfinishedBodyBytesMax: 64 * 1024 * 1024,
  /** Bodies over `smallBodyBytesMax` that wait to be read, of all routes. */
  largeBodiesWaitingMax: 128,
  /** Characters of texts that wait for their translation. */
  translationCharsWaitingMax: 512 * 1024,
  /** A shorter text counts as this many characters, so a burst of the shortest texts is bounded too. */
  translationCharsMin: 1024,
  /** Requests that create, list or publish policies or prices, and wait for their turn. */
  turnsWaitingMax: 1024,
  /** The longest that a turn waiting for PostgreSQL delays the next turn. A rest is no longer. */
  turnMsMax: 250,
  /** Expensive work runs for this long, and then leaves the front thread alone for the same time. */
  sliceMs: 2,
  /** The most requests that wait for a slice. One workspace may have half: as many as a key may send in a minute. */
  slicesWaitingMax: 4096,
  /** Waiting requests for a connection to PostgreSQL, of all workspaces of a thread. */
  connectionsAwaitedMax: 2048,

  // Reads of the log, on the reader thread. A client sees 503 past them (OPS-13).
  readerConnectionsMax: 5,
  /** One workspace's slow reads may use this many connections, so that another one is left for the others. */
  readerConnectionsOwnMax: 4,
  /** Two for each connection. While PostgreSQL works on one read, the next is ready. */
  readsAtWorkMax: 10,
  readsAtWorkOwnMax: 8,
  /** Half of them are for one workspace. About as many are answered within `databaseReadTimeoutMs`. */
  readsWaitingMax: 1024,
  /** Once a workspace's oldest read has waited this long, further ones are refused. The rest is for its answer. */
  readWaitMsMax: 750,
  /** A read with less time left of `databaseReadTimeoutMs` is refused, because its answer would come too late. */
  readAnswerMsMin: 250,
  /** The limit of a statement, a connection attempt and a connection check, so that DUR-5's 503 is sent within 2 s. */
  databaseReadTimeoutMs: 1500,

  // Dispatch of decisions: one Piscina task per event-loop turn. `payinference_decision_batch_requests` shows it.
  /** A batch leaves before the turn ends once this many requests wait. */
  batchRequestsReady: 32,
  batchRequestsMax: 128,
  tasksPerWorkerMax: 4,
  /** A smaller batch waits for company while every worker is at work. */
  batchRequestsSmall: 16,
  /** A worker rests this long between small batches, if enough requests are expected in that time. */
  batchRestMs: 0.25,
  batchRestRequestsMin: 2,
  /** Answers of one task that leave as bytes. The others, such as long replies of a full batch, leave as text. */
  taskPageBytes: 256 * 1024,

  // Overload (OPS-9): a client sees 503 at once. `payinference_overload_rejections_total` counts it.
  /** The most decisions that the node holds. */
  pendingRequestsMax: 2048,
  /** A burst of this many is held in any case, for example while a worker is being replaced. */
  pendingRequestsFree: 512,
  /** In overload, for `overloadMs`, the node holds as many as it answers in `overloadedWaitMs`, within bounds. */
  pendingRequestsOverloadedMin: 32,
  pendingRequestsOverloadedMax: 256,
  /** A refusing front needs half of the budget for two turns. At 10, half as many pass. At 22, they take 58 ms. */
  overloadedWaitMs: 12,
  answerRateWindowMs: 50,
  overloadMs: 1000,
  /** In a larger burst, the oldest request may have waited this much of the budget of 50 ms. */
  pendingWaitMsMax: 10,

  // Threads that hang or die. An operator sees 503s and the log.
  /** If no worker has made a decision by then, it is answered 503. The merchant has given up long before. */
  decisionAnswerMsMax: 3000,
  /** A thread that takes longer to load and open LMDB is terminated. On two slow cores it takes a second. */
  lmdbLoadMsMax: 10_000,
  /** Workers without an ended task for this long never end one. The process ends, and a start continues its journal. */
  decisionStuckMs: 15_000,
  /** The nice value of writer, reader, passwords and PostgreSQL. Each gets a quarter of a contended core. */
  backgroundNice: 5,

  // Journal and writer. The gauges `payinference_journal_*` and `payinference_postgres_*` show it.
  /** The shortest pause between two transactions, and the longest where transactions are slow. */
  journalFlushIntervalMs: 50,
  journalFlushIntervalMsMax: 100,
  journalDrainRowsMax: 8000,
  /** Decide workers yield once the oldest record has waited this long, until its age is below the second value. */
  journalBehindMs: 2000,
  journalCaughtUpMs: 500,
  journalSyncIntervalMs: 1000,
  /** OPS-5. */
  storedNothingMsMax: 30_000,
  storingWatchIntervalMs: 500,
  /** Free room on the disk of DATA_DIR, or a twentieth of a small disk. With less, decisions are 503. */
  diskReserveBytes: 64 * 2 ** 20,
  /** Stored replies on the disk. Above it the oldest go before their hour: the store is best-effort. */
  idempotentReplyBytesMax: 8 * 2 ** 30,
  /** RTRY-15: the attempts of orders on the disk: some 7 million orders. Past it the oldest go before their 30 days. */
  retryAttemptsBytesMax: 2 ** 30,
  /** Merchants times currencies whose amounts one node counts. */
  amountSketchesMax: 20_000,
  amountRefreshIntervalMs: 60_000,
  /** How often a node looks for the decisions of reports that arrived before them. */
  keptOutcomesIntervalMs: 1000,

  // The cache that nodes share (CACHE_URL). `payinference_cache_*` shows it.
  cacheConnectTimeoutMs: 1000,
  /** If a node dies while it decides for a key, the others wait this long. */
  idempotencyClaimMs: 2000,
  /** Replies of a cache outage that a decide worker stores afterwards, of about 1.7 KB each. */
  owedRepliesMax: 4096,
  owedRepliesAtOnce: 100,
  owedRepliesIntervalMs: 50,
  /** How often a request looks for a reply that another node is making. */
  idempotencyPollMs: 5,

  // Learning from outcomes and providers. An operator sees how old the health of a segment is.
  evidenceIntervalMs: 500,
  /** The first node of a database learns from the outcomes of this long before its start. */
  evidenceWindowSeconds: 300,
  /** How often one of the nodes stores the knowledge of all. A start replays the outcomes since then. */
  learntSaveIntervalMs: 30_000,
  /** Another node takes over once nobody has stored it for this long. */
  learntSaveTakeoverSeconds: 75,
  evidenceKeptSeconds: 1200,
  evidenceSweepIntervalMs: 60_000,
  /** RTRY-17: how often attempts that other nodes stored are read, and how long they stay in PostgreSQL: 31 days. */
  attemptsIntervalMs: 500,
  attemptsKeptSeconds: 31 * 24 * 3600,
  /** The longest that a start waits for the next page of them. */
  attemptsPatienceMs: 3000,
  attemptsDropIntervalMs: 3_600_000,
  attemptsSweepIntervalMs: 10_000,
  /** The number of newest webhooks that determine the lag. With fewer than the minimum, the probes' lag is used. */
  webhookLagEventsMax: 20_000,
  webhookLagWindowMs: 300_000,
  webhookLagSecondsMin: 30,
  incidentsShownMax: 10_000,
  providerReportsIntervalMs: 10_000,
  /** The shortest pause between two reads of the reports, however many incidents arrive. */
  providerReportsSpacingMs: 250,
  /** The number of a merchant's newest fees from which its prices are fitted. Older ones are deleted. */
  observedFeesFitted: 20_000,
  observedPriceIntervalMs: 1000,

  // Webhook secrets and events. An operator sees the size of the tables and the line at the start.
  /** The most signing keys that a node holds decrypted. */
  webhookKeysOpenMax: 4096,
  /** Routes on which a start tries its SECRET_KEY. */
  webhookRoutesTried: 100,
  webhookSweepIntervalMs: 60_000,
  webhookSweepRowsMax: 10_000,

  // Events to endpoints. An operator sees deliveries that wait, and a developer the pauses between attempts (EVT-7).
  /** How often a node looks for due deliveries. */
  eventLookIntervalMs: 500,
  /** Endpoints that one node sends to at the same time, and how many of them may be failing. */
  eventEndpointsAtOnceMax: 64,
  eventFailingAtOnceMax: 16,
  /** The most consecutive deliveries to an endpoint before another one has its turn. */
  eventDeliveriesPerTurnMax: 20,
  /** No other node sends to the endpoint for this long. It exceeds the time of an attempt. */
  eventLeaseSeconds: 30,
  /** The most endpoints with waiting deliveries that one look reads. */
  eventEndpointsLookedAtMax: 2000,
  eventSweepIntervalMs: 60_000,
  eventSweepRowsMax: 10_000,
  /** Connections to PostgreSQL of the thread that sends. */
  eventConnectionsMax: 4,

  // Ids and traces.
  /** How often a node confirms its number. It may lose the number after ten minutes of silence. */
  nodeNumberClaimIntervalMs: 60_000,
  /** Traces of requests without a traceparent. */
  rootTracesPerSecondMax: 20,
  spansQueuedMax: 4096,
  spanExportIntervalMs: 1000,
  spanExportTimeoutMs: 1000,

  // Keys, sessions and passwords. `payinference_key_cache_requests_total` shows the cache.
  keyCacheEntriesMax: 50_000,
  unknownKeyCacheMs: 2000,
  /** The longest that a remembered key waits for its look-up. After that its remembered rights apply. */
  keyLookupPatienceMs: 300,
  rateWindowEntriesMax: 200_000,
  /** One write of `last_used_at` for each key and minute. */
  keyUseIntervalMs: 60_000,
  keyUseFlushMs: 1000,
  sessionTouchMs: 60_000,
  /** One Argon2 hash takes 6 to 12 ms of a core, longer on a shared one, and 19 MiB. */
  passwordHashesAtOnceMax: 1,
  passwordHashesWaitingMax: 32,
  passwordWorkMsMax: 20,
  /** The part of all cores that passwords get while decisions are made. */
  passwordCpuShare: 0.01,

  // Alerts. The platform admin sees the alerts of nodes (ALRT-14).
  /** A node that still sees the cause confirms its alert at this interval. */
  alertConfirmIntervalMs: 60_000,
  /** An alert ends if no node confirms it for this long. */
  alertUnconfirmedMsMax: 300_000,
  alertRetryMs: 1000,
  /** Changes that wait for PostgreSQL. Above this number everything is compared. */
  alertChangesMax: 10_000,

  // Copies of PostgreSQL's records. `payinference_changes_*` and `payinference_copies_complete` show them.
  /** A node that receives no notification looks for changes this often. */
  changesIntervalMs: 1000,
  /** A node that was away for longer compares all records. */
  changesKeptSeconds: 3 * 86_400,
  changesSweepIntervalMs: 60_000,
  /** How often a node checks that the database still has the history that it has read. */
  changeSourceIntervalMs: 10_000,
  /** How often a node writes its cursor while nothing changes. */
  changeCursorIntervalMs: 60_000,
  /** The most records copied in one turn. Changes of other kinds are copied between two turns. */
  recordsCopiedAtOnce: 200,
  /** Policies are larger than other rows, so a page has fewer of them. Rules compress to a tenth or less. */
  policyPageRows: 50,
  policyPageStoredBytes: 256 * 1024,
  /** The comparison in the background. */
  recordsComparedPerSecond: 1000,
  comparisonPauseMs: 60_000,
  /** A start without any copies waits this long for the copies of a small database. */
  firstCopyPatienceMs: 2000,
  /** The pause before a failed read of changed records is repeated. */
  refreshRetryMs: 1000,

  // Memory of a decide worker. Developers see it.
  /** Merchants with their amounts and prices. */
  contextCacheBytesMax: 16 * 2 ** 20,
  /** Compiled contents of policies. */
  policyCacheBytesMax: 24 * 2 ** 20,
  /** The size of each of the two caches for samples that people try. */
  simulationCacheBytesMax: 2 * 2 ** 20,
  /** The most workspaces whose view of health a worker keeps until the next second. */
  healthViewsMax: 4096,
  /** The health groups that a worker remembers as journalled: half a minute of all segments, or a quiet hour. */
  healthGroupsRememberedMax: 1024,

  // Memory of the reads. Developers see it.
  aggregateCacheEntriesMax: 1000,
  reasonCodesRememberedMax: 50_000,
  /** Decoded document blocks: about 150 full ones, a thousand short ones. */
  segmentCacheBytes: 16 * 2 ** 20,
  /** Rows of the decision log as they are shown: about 10,000. */
  rowTextCacheChars: 8_000_000,
  /** Policy versions, compiled to explain decisions. One may have 1 MiB. */
  explainedPoliciesMax: 32,

  // Policies under trial. A developer sees a backtest's progress, and a linter that says nothing.
  /** The most conjunctions of a rule, and the most steps for a policy. Above either, the linter reports nothing. */
  lintTermsPerRuleMax: 256,
  lintStepsPerPolicyMax: 30_000,
  /** The most decisions that a backtest reads, decodes and decides at a time. It holds twice as many. */
  backtestPageRows: 1000,
  backtestStatementTimeoutMs: 60_000,
  /** The pause after which a heartbeat is sent. A client or a proxy would treat a silent stream as dead. */
  streamHeartbeatMs: 2000,
  /** Errors of one validation that are looked at. */
  validationErrorsReadMax: 1000,
} as const;

if (TUNING.batchRequestsMax > TUNING.pendingRequestsMax) {
  throw new RangeError("batchRequestsMax must not exceed pendingRequestsMax");
}
if (TUNING.pendingRequestsFree > TUNING.pendingRequestsMax) {
  throw new RangeError("pendingRequestsFree must not exceed pendingRequestsMax");
}
if (TUNING.pendingRequestsOverloadedMax > TUNING.pendingRequestsFree) {
  throw new RangeError("pendingRequestsOverloadedMax must not exceed pendingRequestsFree");
}
if (TUNING.idempotencyClaimMs >= TUNING.decisionAnswerMsMax) {
  throw new RangeError(
    "idempotencyClaimMs must be less than decisionAnswerMsMax: a waiting request outlives the claim",
  );
}
if (TUNING.alertConfirmIntervalMs >= TUNING.alertUnconfirmedMsMax) {
  throw new RangeError("alertConfirmIntervalMs must be less than alertUnconfirmedMsMax");
}
if (TUNING.eventFailingAtOnceMax >= TUNING.eventEndpointsAtOnceMax) {
  throw new RangeError("eventFailingAtOnceMax must be less than eventEndpointsAtOnceMax: others need a slot");
}
if (TUNING.readerConnectionsOwnMax >= TUNING.readerConnectionsMax) {
  throw new RangeError("readerConnectionsOwnMax must be less than readerConnectionsMax: others need one");
}
if (TUNING.readsAtWorkOwnMax >= TUNING.readsAtWorkMax) {
  throw new RangeError("readsAtWorkOwnMax must be less than readsAtWorkMax: others need a place");
}
