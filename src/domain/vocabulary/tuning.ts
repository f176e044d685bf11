/**
 * The limits that operators and developers tune. A client notices them only as a 503 or a closed connection. Each name
 * ends with its unit, and each group says where its effects are visible. `limits.ts` beside this file has the limits
 * that a client can run into.
 */
export const TUNING = {
  // Peers that send or read badly. Such a peer sees its connection end. An operator sees memory that stays flat.
  /** How many bytes of an answered request's body are skipped, and for how long, before the connection is closed. */
  skippedBodyBytesMax: 32 * 1024 * 1024,
  skippedBodyMsMax: 10_000,
  /** Copies of answers that wait for slow readers. Above this, the longest-waiting reader's connection is closed. */
  keptAnswerBytesMax: 64 * 1024 * 1024,
  /** One in this many answers without a body closes its connection, because its peer may never read answers. */
  bodilessAnswersMax: 64,
  /** A body of more pieces, smaller than `bodyPieceBytesMin` on average, ends its connection: each costs a call. */
  bodyPiecesMax: 4096,
  bodyPieceBytesMin: 256,

  // Queues before the front thread. A full one answers 503 (OPS-13), and one workspace has at most half of a queue.
  /** All unfinished bodies over `smallBodyBytesMax`, summed. */
  unfinishedBodyBytesMax: 64 * 1024 * 1024,
  /** Bodies over `smallBodyBytesMax` that wait to be read, on all routes. */
  largeBodiesWaitingMax: 128,
  /** Characters of texts that wait for their translation. */
  translationCharsWaitingMax: 512 * 1024,
  /** A shorter text counts as this many characters, so that the number of short texts is bounded too. */
  translationCharsMin: 1024,
  /** Requests that create, list or publish policies or prices, and wait for a turn. */
  turnsWaitingMax: 1024,
  /** A turn that waits for PostgreSQL delays the next one by at most this. The pause between two has the same limit. */
  turnMsMax: 250,
  /** Expensive work runs for this long, and then leaves the front thread alone for the same time. */
  sliceMs: 2,
  /** The most requests that wait for a slice. One workspace gets half, about what a key may send in a minute. */
  slicesWaitingMax: 4096,
  /** Requests of all workspaces of a thread that wait for a connection to PostgreSQL. */
  connectionsAwaitedMax: 2048,

  // Reads of the log, on the reader thread. A client sees 503 past them (OPS-13).
  readerConnectionsMax: 5,
  /** The connections that one workspace's slow reads may use. At least one is left for other workspaces. */
  readerConnectionsOwnMax: 4,
  /** Reads sent to PostgreSQL, two for each connection: when one ends, the next is ready. */
  readsAtWorkMax: 10,
  readsAtWorkOwnMax: 8,
  /** Reads that wait, half of them for one workspace. `databaseReadTimeoutMs` suffices for about this many. */
  readsWaitingMax: 1024,
  /** If a workspace's oldest read has waited this long, its further reads are refused, because they would end late. */
  readWaitMsMax: 750,
  /** A read with less than this left of `databaseReadTimeoutMs` is refused, because it would end too late. */
  readAnswerMsMin: 250,
  /** The limit of a statement, a connection attempt and a connection check, so that DUR-5's 503 is sent within 2 s. */
  databaseReadTimeoutMs: 1500,
  /** How long a start waits for PostgreSQL. Then the node accepts requests without it, to be ready within 5 s. */
  databaseStartPatienceMs: 3000,

  // Dispatch of decisions: one Piscina task per event-loop turn. `payinference_decision_batch_requests` shows it.
  /** A batch of this many requests leaves at once. A smaller one leaves at the end of the event-loop turn. */
  batchRequestsReady: 32,
  batchRequestsMax: 128,
  tasksPerWorkerMax: 4,
  /** A batch of fewer requests waits for more while every worker is busy. */
  batchRequestsSmall: 16,
  /** How long a worker rests between small batches if `batchRestRequestsMin` requests are expected in that time. */
  batchRestMs: 0.25,
  batchRestRequestsMin: 2,
  /** Bytes of one task's answers in shared memory. Answers that do not fit, as in a full batch, leave as text. */
  taskPageBytes: 256 * 1024,

  // Overload (OPS-9): a client sees 503 at once. `payinference_overload_rejections_total` counts it.
  /** The most unanswered decisions that the node holds. */
  pendingRequestsMax: 2048,
  /** A burst of this many is held however long it waits, for example while a worker is being replaced. */
  pendingRequestsFree: 512,
  /** In overload, the node holds what it answers in `overloadedWaitMs`, but at least and at most these numbers. */
  pendingRequestsOverloadedMin: 32,
  pendingRequestsOverloadedMax: 256,
  /** Refusals take half of their 50 ms. With 10 here, half as many requests pass. With 22, refusals take 58 ms. */
  overloadedWaitMs: 12,
  answerRateWindowMs: 50,
  overloadMs: 1000,
  /** More than `pendingRequestsFree` requests are held only if the oldest has waited no longer than this. */
  pendingWaitMsMax: 10,

  // Threads that hang or die. An operator sees 503s and the log.
  /** A decision that no worker makes within this time gets 503. The merchant gives up long before. */
  decisionAnswerMsMax: 3000,
  /** A thread that takes longer to load and to open LMDB is ended. On two slow cores it takes a second. */
  lmdbLoadMsMax: 10_000,
  /** If no task ends for this long, none will ever end. The node's process exits. Its restart resumes the journal. */
  decisionStuckMs: 15_000,
  /** The nice value of writer, reader, passwords and PostgreSQL. Each gets a quarter of a contended core. */
  backgroundNice: 5,

  // Journal and writer. The gauges `payinference_journal_*` and `payinference_postgres_*` show their state.
  /** The shortest pause between two transactions, and the longest one if transactions are slow. */
  journalFlushIntervalMs: 50,
  journalFlushIntervalMsMax: 100,
  journalDrainRowsMax: 8000,
  /** Workers yield if the oldest record has waited `journalBehindMs`, until it waits less than `journalCaughtUpMs`. */
  journalBehindMs: 2000,
  journalCaughtUpMs: 500,
  journalSyncIntervalMs: 1000,
  /** OPS-5: how long PostgreSQL may answer and yet store no waiting record. */
  storedNothingMsMax: 30_000,
  storingWatchIntervalMs: 500,
  /** Free room on the disk of DATA_DIR, or a twentieth of a small disk. If less is free, decisions get 503. */
  diskReserveBytes: 64 * 2 ** 20,
  /** Stored replies on the disk. Above this the oldest are deleted before their hour ends: they are best-effort. */
  idempotentReplyBytesMax: 8 * 2 ** 30,
  /** RTRY-15: orders' attempts on the disk, for 7 million orders. Above this the oldest go before their 30 days end. */
  retryAttemptsBytesMax: 2 ** 30,
  /** The most pairs of merchant and currency whose amounts one node counts, half of them for one workspace. */
  amountSketchesMax: 20_000,
  amountRefreshIntervalMs: 60_000,
  /** How often a node looks for the decisions of outcomes that arrived before their decision. */
  keptOutcomesIntervalMs: 1000,

  // The cache that nodes share (CACHE_URL). `payinference_cache_*` shows its state.
  cacheConnectTimeoutMs: 1000,
  /** How long nodes wait for a node that claimed an idempotency key, in case it died while deciding. */
  idempotencyClaimMs: 2000,
  /** The most replies that a worker keeps in a cache outage and stores in the cache afterwards. Each takes 1.7 KB. */
  owedRepliesMax: 4096,
  owedRepliesAtOnce: 100,
  owedRepliesIntervalMs: 50,
  /** How often a request looks for a reply that another node is making. */
  idempotencyPollMs: 5,

  // Learning from outcomes and providers. An operator sees how old the health of a segment is.
  evidenceIntervalMs: 500,
  /** The first node of a database learns from outcomes up to this long before its start. */
  evidenceWindowSeconds: 300,
  /** How often one node stores what all have learnt. A start replays the outcomes since then. */
  learntSaveIntervalMs: 30_000,
  /** Another node takes over if nothing learnt has been stored for this long. */
  learntSaveTakeoverSeconds: 75,
  evidenceKeptSeconds: 1200,
  evidenceSweepIntervalMs: 60_000,
  /** RTRY-17: how often attempts stored by other nodes are read, and how long PostgreSQL keeps attempts: 31 days. */
  attemptsIntervalMs: 500,
  attemptsKeptSeconds: 31 * 24 * 3600,
  /** The longest that a start waits for the next page of attempts. */
  attemptsPatienceMs: 3000,
  attemptsDropIntervalMs: 3_600_000,
  attemptsSweepIntervalMs: 10_000,
  /** How many of the newest webhooks give the lag. A lag below `webhookLagSecondsMin` is ignored. */
  webhookLagEventsMax: 20_000,
  webhookLagWindowMs: 300_000,
  webhookLagSecondsMin: 30,
  incidentsShownMax: 10_000,
  providerReportsIntervalMs: 10_000,
  /** The shortest pause between two reads of provider reports, however many incidents arrive. */
  providerReportsSpacingMs: 250,
  /** Prices are fitted to this many of a merchant's newest fees. Older fees are deleted. */
  observedFeesFitted: 20_000,
  observedPriceIntervalMs: 1000,

  // Webhook secrets and events. An operator sees the size of the tables and the log line at the start.
  /** The most signing keys that a node holds decrypted. */
  webhookKeysOpenMax: 4096,
  /** The routes on which a start checks whether its SECRET_KEY decrypts their secrets. */
  webhookRoutesTried: 100,
  webhookSweepIntervalMs: 60_000,
  webhookSweepRowsMax: 10_000,

  // Events to endpoints. An operator sees deliveries that wait, and a developer the pauses between attempts (EVT-7).
  /** How often a node looks for due deliveries. */
  eventLookIntervalMs: 500,
  /** The endpoints that one node sends to at the same time, and how many of them may be failing ones. */
  eventEndpointsAtOnceMax: 64,
  eventFailingAtOnceMax: 16,
  /** The most consecutive deliveries to one endpoint before the next endpoint has its turn. */
  eventDeliveriesPerTurnMax: 20,
  /** How long an endpoint's lease keeps other nodes from sending to it. It exceeds the time of an attempt. */
  eventLeaseSeconds: 30,
  /** The most endpoints with waiting deliveries that one look reads. */
  eventEndpointsLookedAtMax: 2000,
  eventSweepIntervalMs: 60_000,
  eventSweepRowsMax: 10_000,
  /** Connections to PostgreSQL of the thread that sends events. */
  eventConnectionsMax: 4,

  // Ids and traces.
  /** How often a node renews its claim on its number. Another node can take a number that is not renewed for 10 min. */
  nodeNumberClaimIntervalMs: 60_000,
  /** The most new traces a second for requests that have no traceparent. */
  rootTracesPerSecondMax: 20,
  spansQueuedMax: 4096,
  spanExportIntervalMs: 1000,
  spanExportTimeoutMs: 1000,

  // Keys, sessions and passwords. `payinference_key_cache_requests_total` shows the cache.
  keyCacheEntriesMax: 50_000,
  unknownKeyCacheMs: 2000,
  /** The longest that a key with cached rights waits for its look-up. Then the cached rights apply. */
  keyLookupPatienceMs: 300,
  rateWindowEntriesMax: 200_000,
  /** `last_used_at` is written at most once per key in this time. */
  keyUseIntervalMs: 60_000,
  keyUseFlushMs: 1000,
  sessionTouchMs: 60_000,
  /** One Argon2 hash takes 6 to 12 ms of a core, more on a shared core, and 19 MiB. */
  passwordHashesAtOnceMax: 1,
  passwordHashesWaitingMax: 32,
  passwordWorkMsMax: 20,
  /** The share of all cores that password hashing gets while decisions are made. */
  passwordCpuShare: 0.01,

  // Alerts. The platform admin sees the alerts of nodes (ALRT-14).
  /** A node that still sees the cause confirms its alert at this interval. */
  alertConfirmIntervalMs: 60_000,
  /** An alert ends if no node confirms it for this long. */
  alertUnconfirmedMsMax: 300_000,
  alertRetryMs: 1000,
  /** Changes of alerts that wait for PostgreSQL. Above this, all alerts are compared with the stored ones. */
  alertChangesMax: 10_000,

  // Copies of PostgreSQL's records. `payinference_changes_*` and `payinference_copies_complete` show their state.
  /** How often a node looks for changes if it receives no notification. */
  changesIntervalMs: 1000,
  /** Changes are kept this long. A node that was away for longer compares all records. */
  changesKeptSeconds: 3 * 86_400,
  changesSweepIntervalMs: 60_000,
  /** How often a node checks that the database still contains the changes that the node has read. */
  changeSourceIntervalMs: 10_000,
  /** How often a node writes its cursor while nothing changes. */
  changeCursorIntervalMs: 60_000,
  /** The most records copied in one turn. Other copies that wait have their turn before the next records. */
  recordsCopiedAtOnce: 200,
  /** Policies are larger than other rows, so a page has fewer. Their rules compress to a tenth or less. */
  policyPageRows: 50,
  policyPageStoredBytes: 256 * 1024,
  /** How fast the comparison in the background reads, and its pause after each pass. */
  recordsComparedPerSecond: 1000,
  comparisonPauseMs: 60_000,
  /** How long a start without copies waits for the copies of a small database. */
  firstCopyPatienceMs: 2000,
  /** The pause before a failed read of changed records is repeated. */
  refreshRetryMs: 1000,

  // Memory of a decide worker. Developers see it.
  /** Cached contexts: merchants with their amounts and prices. */
  contextCacheBytesMax: 16 * 2 ** 20,
  /** Cached compiled contents of policies. */
  policyCacheBytesMax: 24 * 2 ** 20,
  /** The size of each of the two caches for the requests of simulations. */
  simulationCacheBytesMax: 2 * 2 ** 20,
  /** The most workspaces whose health view a worker keeps until the next second. */
  healthViewsMax: 4096,
  /** The health groups that a worker remembers as journalled. They suffice for half a minute, or for a quiet hour. */
  healthGroupsRememberedMax: 1024,

  // Memory of the reads. Developers see it.
  aggregateCacheEntriesMax: 1000,
  reasonCodesRememberedMax: 50_000,
  /** The cache of decoded document blocks: about 150 full ones, or a thousand short ones. */
  segmentCacheBytes: 16 * 2 ** 20,
  /** The cache of decision-log rows in their shown form: about 10,000 rows. */
  rowTextCacheChars: 8_000_000,
  /** The cache of policy versions compiled to explain decisions. A version can have 1 MiB. */
  explainedPoliciesMax: 32,

  // Policies under trial. A developer sees a backtest's progress, and a linter without warnings.
  /** The most conjunctions of a rule, and the most steps for a policy. Above either, the linter reports nothing. */
  lintTermsPerRuleMax: 256,
  lintStepsPerPolicyMax: 30_000,
  /** The decisions that a backtest reads, decodes and decides at a time. It holds twice as many in memory. */
  backtestPageRows: 1000,
  backtestStatementTimeoutMs: 60_000,
  /** The silence after which a stream sends a heartbeat, so that no client or proxy takes the stream for dead. */
  streamHeartbeatMs: 2000,
  /** The most errors of one validation that are read. */
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
  throw new RangeError("idempotencyClaimMs must be less than decisionAnswerMsMax: waits outlive claims");
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
