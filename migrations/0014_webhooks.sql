-- Signing secrets of provider webhooks, encrypted (HOOK-14, src/auth/secret-box.ts). The newest is the current one.
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
create trigger webhook_secret_changed after insert or update or delete on webhook_secrets
  for each row execute function note_change(6);

-- Every accepted webhook, by its id: what makes a second delivery a duplicate.
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

-- The fees of payment.fee_assessed, what observed prices are fitted to. fee_id is a ULID: newest last.
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
