-- running nodes: survive, since no earlier version knows these tables.
--
-- Webhooks of providers: their secrets, what came in, and what was learnt from it.

-- HOOK-14: signing secrets, encrypted (src/platform/node/secret-box.ts). The newest is the current one.
create table webhook_secrets (
  workspace_id uuid not null,
  merchant_id text not null,
  provider text not null,
  secret_id uuid not null,
  sealed bytea not null,
  created_at timestamptz not null,
  expires_at timestamptz, -- null: the current one; else 24 hours after the rotation that replaced it
  primary key (workspace_id, merchant_id, provider, secret_id),
  foreign key (workspace_id, merchant_id) references merchants
);
-- Whose secrets may have signed for a route: merchant_id is unique only inside a workspace.
create index webhook_secrets_route on webhook_secrets (merchant_id, provider);

-- Every accepted webhook, by its id: a second delivery is a duplicate by it.
create table webhook_events (
  workspace_id uuid not null,
  merchant_id text not null,
  provider text not null,
  webhook_id text not null,
  type text not null,
  occurred_at timestamptz not null, -- created_at of the body
  received_at timestamptz not null,
  data json, -- the known fields of known types; null for an unknown type, whose data may hold anything
  primary key (workspace_id, merchant_id, provider, webhook_id),
  foreign key (workspace_id, merchant_id) references merchants
);
create index webhook_events_received on webhook_events (workspace_id, merchant_id, provider, received_at);
-- By age, over all workspaces: the lag of what came in last, and what is too old to be kept.
create index webhook_events_age on webhook_events (received_at);

-- The fees of payment.fee_assessed, to which observed prices are fitted. fee_id is a ULID: newest last.
create table observed_fees (
  workspace_id uuid not null,
  merchant_id text not null,
  fee_id uuid not null,
  provider text not null,
  payment_method smallint not null, -- PAYMENT_METHODS
  card_network smallint, -- CARD_NETWORKS
  country text,
  currency text not null,
  amount_minor bigint not null,
  fee_minor bigint not null,
  primary key (workspace_id, merchant_id, fee_id),
  foreign key (workspace_id, merchant_id) references merchants
);

-- HOOK-7, provider.incident_opened and provider.incident_closed: the newest word on each incident, whichever of the two
-- was delivered first. incident_id '' is the incident of a provider that names none.
create table provider_incidents (
  workspace_id uuid not null,
  merchant_id text not null,
  provider text not null,
  incident_id text not null,
  severity smallint not null, -- INCIDENT_SEVERITIES
  payment_method text, -- null: every method; an unknown name matches nothing
  currency text, -- null: every currency
  is_open boolean not null,
  changed_at timestamptz not null, -- created_at of the body, but no later than its receipt
  received_at timestamptz not null,
  primary key (workspace_id, merchant_id, provider, incident_id),
  foreign key (workspace_id, merchant_id) references merchants
);
create index provider_incidents_received on provider_incidents (received_at);
