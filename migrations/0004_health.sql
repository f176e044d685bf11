-- Both tables are global: probes are the same for every workspace.

-- The current snapshot of each probed segment.
create table provider_health (
  segment_key text primary key, -- <provider>:<payment_method>:<currency>
  snapshot json not null, -- HLTH-2 to HLTH-5
  updated_at timestamptz not null default now()
);

-- What decisions saw, once per content: a decision's document names it by hash, so that it can be replayed.
create table health_views (
  content_hash bytea primary key check (length(content_hash) = 32), -- SHA-256 of content
  content bytea not null,
  first_seen_at timestamptz not null default now()
);

-- RISK-13: per node a sketch of the amounts it decided on; readers merge the nodes'.
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
