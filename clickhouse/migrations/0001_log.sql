-- The decision log: a row for each decision of PostgreSQL, with its document, and the feedback that came after it.
--
-- A decision never changes, so its table is only appended to. An outcome is replaced by a later report, so the feedback
-- is in tables of its own, and the newest version of a key counts. Read those with FINAL.
-- docs/decisions/0106-the-log-has-a-second-home.md has the alternatives.
--
-- An id begins with its 48 bits of time. As a number it sorts as PostgreSQL sorts it; ClickHouse sorts a UUID by its
-- second half. Enum values are positions in the lists of src/domain/vocabulary/vocabulary.ts, as in PostgreSQL.

create table if not exists decisions (
  workspace_id UUID,
  mode UInt8, -- MODES
  decision_id UUID,
  created_at DateTime64(3, 'UTC')
    default fromUnixTimestamp64Milli(toInt64(bitShiftRight(toUInt128(decision_id), 80)), 'UTC'),
  decision_mode UInt8, -- DECISION_MODES
  action UInt8, -- ACTIONS
  risk_band UInt8, -- RISK_BANDS
  payment_method UInt8, -- PAYMENT_METHODS
  card_network Nullable(UInt8), -- CARD_NETWORKS
  country LowCardinality(Nullable(String)),
  currency LowCardinality(String),
  merchant_id LowCardinality(String),
  order_id String,
  primary_provider LowCardinality(Nullable(String)),
  fallback_provider LowCardinality(Nullable(String)),
  amount_minor Int64,
  latency_units Int32, -- decision_latency_ms in units of 10 µs
  cost_minor Nullable(Int64),
  cost_dearest_minor Nullable(Int64),
  cost_first_minor Nullable(Int64),
  document String codec(ZSTD(3)), -- byte for byte as PostgreSQL has it
  risk_score UInt8 materialized JSONExtractUInt(document, 'response', 'risk', 'score'),
  reason_codes Array(LowCardinality(String))
    materialized JSONExtract(document, 'response', 'reason_codes', 'Array(String)'),
  -- An order's id has no place in the sorting key. With this index a search for one reads a few thousand rows.
  index order_id order_id type bloom_filter(0.001) granularity 1
)
engine = ReplacingMergeTree
partition by toYYYYMM(created_at)
order by (workspace_id, mode, toUInt128(decision_id))
settings non_replicated_deduplication_window = 10000;

create table if not exists outcomes (
  workspace_id UUID,
  mode UInt8, -- MODES
  decision_id UUID,
  created_at DateTime64(3, 'UTC')
    default fromUnixTimestamp64Milli(toInt64(bitShiftRight(toUInt128(decision_id), 80)), 'UTC'), -- of the decision
  outcome UInt8, -- OUTCOMES
  technical_failure_type Nullable(UInt8), -- TECHNICAL_FAILURE_TYPES
  order_id String,
  provider_used LowCardinality(Nullable(String)),
  provider_reason_code LowCardinality(Nullable(String)),
  provider_latency_ms Nullable(Int64),
  amount_minor Nullable(Int64),
  currency LowCardinality(Nullable(String)),
  reported_at_us Int64, -- microseconds, as PostgreSQL counts
  attempted_at_us Nullable(Int64), -- as reported, for backfills
  version Int64 -- when PostgreSQL was read: the newest row of a decision counts
)
engine = ReplacingMergeTree(version)
partition by toYYYYMM(created_at)
order by (workspace_id, mode, toUInt128(decision_id))
settings non_replicated_deduplication_window = 10000;

create table if not exists reviews (
  workspace_id UUID,
  mode UInt8, -- MODES
  decision_id UUID,
  created_at DateTime64(3, 'UTC')
    default fromUnixTimestamp64Milli(toInt64(bitShiftRight(toUInt128(decision_id), 80)), 'UTC'), -- of the decision
  resolution UInt8, -- REVIEW_RESOLUTIONS
  note Nullable(String),
  resolved_by UUID,
  resolved_at_us Int64,
  version Int64
)
engine = ReplacingMergeTree(version)
partition by toYYYYMM(created_at)
order by (workspace_id, mode, toUInt128(decision_id))
settings non_replicated_deduplication_window = 10000;
