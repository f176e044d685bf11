/**
 * What operators and developers tune: how much the process holds, how often it looks and how long it waits. A client
 * sees no more of it than a 503 or a closed connection. Each name ends with its unit, and each group says where its
 * numbers show. `limits.ts` beside this file has the limits that a client can run into.
 */
export const TUNING = {
  // Peers that send or read badly. They see their connection end. An operator sees memory that stays flat.
  /** Once its request is answered, the rest of a body is skipped. Past these bytes or this time it is cut. */
  skippedBodyBytesMax: 32 * 1024 * 1024,
  skippedBodyMsMax: 10_000,
  /** Copies of answers that wait for slow readers. Past it the reader that has waited longest is cut. */
  keptAnswerBytesMax: 64 * 1024 * 1024,
  /** One in so many answers without a body closes its connection. For a peer that never reads about so many wait. */
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
  /** A shorter text counts as so many: a burst of the shortest texts is bounded, too. */
  translationCharsMin: 1024,
  /** Requests that create, list or publish policies or prices, and wait for their turn. */
  turnsWaitingMax: 1024,
  /** A turn that waits for PostgreSQL keeps the next one waiting for so long at most. A rest is no longer. */
  turnMsMax: 250,
  /** Work dearer than a decision runs for so long, and then leaves the front thread alone for as long. */
  sliceMs: 2,
  /** Requests that wait for a slice. A workspace's half is what a key may send in a minute. */
  slicesWaitingMax: 4096,
  /** Waiting requests for a connection to PostgreSQL, of all workspaces of a thread. */
  connectionsAwaitedMax: 2048,

  // Reads of the log, on the reader thread. A client sees 503 past them (OPS-13).
  readerConnectionsMax: 5,
  /** Slow reads of one workspace leave a connection to the others. */
  readerConnectionsOwnMax: 4,
  /** Two for each connection: while PostgreSQL works on one, the next is there. */
  readsAtWorkMax: 10,
  readsAtWorkOwnMax: 8,
  /** Half of them for one workspace: about as many as are answered within `databaseReadTimeoutMs`. */
  readsWaitingMax: 1024,
  /** Once a workspace's first read has waited so long, more are refused. That leaves time for its answer. */
  readWaitMsMax: 750,
  /** A read with less left of `databaseReadTimeoutMs` is refused: its answer would come too late. */
  readAnswerMsMin: 250,
  /** DUR-5 needs 503 within 2 s. It also bounds a statement, a connection and a sign of life. */
  databaseReadTimeoutMs: 1500,

  // Dispatch of decisions: one Piscina task per event-loop turn. `payinference_decision_batch_requests` shows it.
  /** A batch leaves before the turn ends once so many requests wait. */
  batchRequestsReady: 32,
  batchRequestsMax: 128,
  tasksPerWorkerMax: 4,
  /** A smaller batch waits for company while every worker is at work. */
  batchRequestsSmall: 16,
  /** A worker rests so long between small batches while it can expect so many requests in that time. */
  batchRestMs: 0.25,
  batchRestRequestsMin: 2,
  /** Answers of one task that leave as bytes. The others, such as long replies of a full batch, leave as text. */
  taskPageBytes: 256 * 1024,

  // Overload (OPS-9): a client sees 503 at once. `payinference_overload_rejections_total` counts it.
  /** Decisions that the node holds. */
  pendingRequestsMax: 2048,
  /** A burst of so many is held whatever it waits for, such as a worker that is being replaced. */
  pendingRequestsFree: 512,
  /** In overload the node holds what it answers in `overloadedWaitMs`, within these bounds, for `overloadMs`. */
  pendingRequestsOverloadedMin: 32,
  pendingRequestsOverloadedMax: 256,
  /** A refusing front needs half the budget for two turns. At 10, half as many are accepted; at 22, they take 58 ms. */
  overloadedWaitMs: 12,
  answerRateWindowMs: 50,
  overloadMs: 1000,
  /** The oldest of a larger burst may have waited so much of the budget of 50 ms. */
  pendingWaitMsMax: 10,

  // Threads that hang or die. An operator sees 503s and the log.
  /** A decision that no worker has made by then is 503. Its merchant gave up long before. */
  decisionAnswerMsMax: 3000,
  /** A thread that loads and opens LMDB for longer is ended by force. On two slow cores it takes a second. */
  lmdbLoadMsMax: 10_000,
  /** Workers that end no task for so long never will. The process ends, and the next start goes on with its journal. */
  decisionStuckMs: 15_000,
  /** The nice value of the writer, the reader, passwords and PostgreSQL. Each keeps a quarter of a contended core. */
  backgroundNice: 5,

  // Journal and writer. The gauges `payinference_journal_*` and `payinference_postgres_*` show it.
  /** The shortest pause between two transactions, and the longest where transactions are slow. */
  journalFlushIntervalMs: 50,
  journalFlushIntervalMsMax: 100,
  journalDrainRowsMax: 8000,
  /** Decide workers in real time give way once the oldest record has waited so long, until the second holds. */
  journalBehindMs: 2000,
  journalCaughtUpMs: 500,
  journalSyncIntervalMs: 1000,
  /** OPS-5. */
  storedNothingMsMax: 30_000,
  storingWatchIntervalMs: 500,
  /** Free room on the disk of DATA_DIR, or a twentieth of a small disk. With less, decisions are 503. */
  diskReserveBytes: 64 * 2 ** 20,
  /** Stored replies on the disk. Past it the oldest go before their hour: the store is best-effort. */
  idempotentReplyBytesMax: 8 * 2 ** 30,
  /** RTRY-15: the attempts of orders on the disk: some 7 million orders. Past it the oldest go before their 30 days. */
  retryAttemptsBytesMax: 2 ** 30,
  /** Merchants times currencies whose amounts one node counts. */
  amountSketchesMax: 20_000,
  amountRefreshIntervalMs: 60_000,
  /** How often a node looks for the decisions of reports that came before them. */
  keptOutcomesIntervalMs: 1000,

  // The cache that nodes share (CACHE_URL). `payinference_cache_*` shows it.
  cacheConnectTimeoutMs: 1000,
  /** A node that dies while it decides for a key keeps the others waiting for so long. */
  idempotencyClaimMs: 2000,
  /** Replies of a cache outage that a decide worker stores afterwards, of about 1.7 KB each. */
  owedRepliesMax: 4096,
  owedRepliesAtOnce: 100,
  owedRepliesIntervalMs: 50,
  /** How often a request looks for the reply that another node is making. */
  idempotencyPollMs: 5,

  // Learning from outcomes and providers. An operator sees how old the health of a segment is.
  evidenceIntervalMs: 500,
  /** The first node of a database learns from the outcomes of so long before its start. */
  evidenceWindowSeconds: 300,
  /** How often one of the nodes stores what all have learnt. A start replays the outcomes since. */
  learntSaveIntervalMs: 30_000,
  /** Another node takes over once nobody has stored it for so long. */
  learntSaveTakeoverSeconds: 75,
  evidenceKeptSeconds: 1200,
  evidenceSweepIntervalMs: 60_000,
  /** RTRY-17: how often attempts that other nodes stored are read, and how long they stay in PostgreSQL: 31 days. */
  attemptsIntervalMs: 500,
  attemptsKeptSeconds: 31 * 24 * 3600,
  /** How long a start waits for the next page of them. */
  attemptsPatienceMs: 3000,
  attemptsDropIntervalMs: 3_600_000,
  attemptsSweepIntervalMs: 10_000,
  /** The lag of webhooks is judged by so many of the newest. Below the minimum the probes' lag stands. */
  webhookLagEventsMax: 20_000,
  webhookLagWindowMs: 300_000,
  webhookLagSecondsMin: 30,
  incidentsShownMax: 10_000,
  providerReportsIntervalMs: 10_000,
  /** The shortest pause between two reads of the reports, however many incidents come. */
  providerReportsSpacingMs: 250,
  /** The newest fees of a merchant, to which its observed prices are fitted. Older ones are deleted. */
  observedFeesFitted: 20_000,
  observedPriceIntervalMs: 1000,

  // Webhook secrets and events. An operator sees the size of the tables and the line at the start.
  /** Signing keys that a node keeps open. */
  webhookKeysOpenMax: 4096,
  /** Routes on which a start tries its SECRET_KEY. */
  webhookRoutesTried: 100,
  webhookSweepIntervalMs: 60_000,
  webhookSweepRowsMax: 10_000,

  // Events to endpoints. An operator sees deliveries that wait, and a developer the pauses between attempts (EVT-7).
  /** How often a node looks for what is due. */
  eventLookIntervalMs: 500,
  /** Endpoints that one node sends to at the same time, and how many of them may be failing. */
  eventEndpointsAtOnceMax: 64,
  eventFailingAtOnceMax: 16,
  /** Deliveries in a row before another endpoint has its turn. */
  eventDeliveriesPerTurnMax: 20,
  /** No other node sends to the endpoint for so long. It is longer than an attempt. */
  eventLeaseSeconds: 30,
  /** Endpoints with something waiting that one look goes through. */
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
  /** A key that this node remembers waits so long for its look-up, and then counts as before. */
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

  // Alerts. The platform admin sees those of nodes (ALRT-14).
  /** A node that still sees the cause confirms its alert so often. */
  alertConfirmIntervalMs: 60_000,
  /** An alert that no node confirms for so long ends. */
  alertUnconfirmedMsMax: 300_000,
  alertRetryMs: 1000,
  /** Changes that wait for PostgreSQL. Past them everything is compared. */
  alertChangesMax: 10_000,

  // Copies of PostgreSQL's records. `payinference_changes_*` and `payinference_copies_complete` show them.
  /** A node that hears no notification looks for changes so often. */
  changesIntervalMs: 1000,
  /** A node that was away for longer compares everything. */
  changesKeptSeconds: 3 * 86_400,
  changesSweepIntervalMs: 60_000,
  /** How often a node checks that the database still has the history that it has read. */
  changeSourceIntervalMs: 10_000,
  /** How often a node writes its cursor where nothing changes. */
  changeCursorIntervalMs: 60_000,
  /** Records that are copied in one turn. Changes of other kinds come between two turns. */
  recordsCopiedAtOnce: 200,
  /** Policies are larger, and so a page has fewer. Their rules are compressed to a tenth or less. */
  policyPageRows: 50,
  policyPageStoredBytes: 256 * 1024,
  /** The comparison in the background. */
  recordsComparedPerSecond: 1000,
  comparisonPauseMs: 60_000,
  /** A start with nothing copied waits so long for the copies of a small database. */
  firstCopyPatienceMs: 2000,
  /** The pause before a failed read of changed records is repeated. */
  refreshRetryMs: 1000,

  // Memory of a decide worker. Developers see it.
  /** Merchants with their amounts and prices. */
  contextCacheBytesMax: 16 * 2 ** 20,
  /** Compiled contents of policies. */
  policyCacheBytesMax: 24 * 2 ** 20,
  /** Each of the two where people try a sample. */
  simulationCacheBytesMax: 2 * 2 ** 20,
  /** Workspaces whose view of health a worker keeps until the next second. */
  healthViewsMax: 4096,
  /** Health groups that a worker knows to be in the journal: half a minute of all segments, or all of a quiet hour. */
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
  /** Conjunctions that the linter makes of a rule, and steps that it takes for a policy. Past either it is silent. */
  lintTermsPerRuleMax: 256,
  lintStepsPerPolicyMax: 30_000,
  /** Decisions that a backtest reads, decodes and decides at a time. It holds twice as many. */
  backtestPageRows: 1000,
  backtestStatementTimeoutMs: 60_000,
  /** A client or a proxy takes a silent stream for dead. */
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
