-- running nodes: survive, since no earlier version knows these tables.
--
-- What is known of providers and of usual amounts, and what a workspace pins.

-- The current snapshot of each probed segment. Belongs to no workspace: probes are the same for all.
create table provider_health (
  segment_key text primary key, -- <provider>:<payment_method>:<currency>
  snapshot json not null, -- HLTH-2 to HLTH-5
  updated_at timestamptz not null default now()
);

-- The health that decisions saw, once per content, so that a decision can be made again. A decision's document names it
-- by half of a SHA-256, 22 characters. Belongs to no workspace: many decisions share one content.
create table health_views (
  content_hash bytea primary key check (length(content_hash) = 16), -- of the JSON
  content bytea not null, -- brotli over the JSON of src/domain/health/recorded-group.ts
  last_seen_at timestamptz not null default now() -- within two days: each node stores it once a day again
);
create index health_views_last_seen on health_views (last_seen_at);

-- ALRT-6, PUT /v1/admin/provider-overrides/:provider: the pins of a workspace on one provider, oldest first. Where several
-- cover a segment the last one holds.
create table provider_overrides (
  workspace_id uuid not null references workspaces,
  provider text not null,
  overrides json not null, -- [{state, score, payment_method, currency}]
  updated_at timestamptz not null default now(),
  primary key (workspace_id, provider)
);

-- RISK-13: per node a sketch of the amounts it decided on; readers merge the nodes' sketches.
create table merchant_amounts (
  workspace_id uuid not null,
  mode smallint not null, -- MODES
  merchant_id text not null,
  currency text not null,
  node_id text not null,
  decision_count bigint not null,
  sketch bytea not null,
  updated_at timestamptz not null default now(),
  primary key (workspace_id, mode, merchant_id, currency, node_id)
);
-- Each node looks once a minute for what changed lately: without an index it would read every merchant's amounts.
create index merchant_amounts_updated on merchant_amounts (updated_at);

-- What workspaces have learnt from outcomes, up to the cursor below, so that a start need not read the outcomes of days.
-- One of the nodes stores it; all nodes have learnt the same.
create table learnt_health (
  workspace_id uuid not null references workspaces,
  mode smallint not null, -- MODES
  learnt json not null, -- LearntView of src/path/prober/messages.ts, without the columns before
  primary key (workspace_id, mode)
);
-- One row: the transactions whose evidence (outcome_evidence) has gone into learnt_health.
create table learnt_health_cursor (
  only_row boolean primary key default true check (only_row),
  learnt_through pg_snapshot not null,
  stored_at timestamptz not null default now()
);
