-- Uploaded contracts, PRICE-1. A row never changes, so a version of a merchant's prices can be put together again.
create table pricing_contracts (
  workspace_id uuid not null,
  merchant_id text not null,
  version_number integer not null check (version_number > 0), -- per merchant, in the order of upload
  contract_id uuid not null,
  name text not null,
  effective_from timestamptz not null,
  effective_to timestamptz, -- null: without an end
  replaces_earlier boolean not null,
  rules_stored integer not null,
  rules json not null, -- json, not jsonb: read whole
  created_at timestamptz not null default now(),
  primary key (workspace_id, merchant_id, version_number),
  foreign key (workspace_id, merchant_id) references merchants,
  check (effective_to > effective_from)
);

-- What the fees of provider webhooks came to, each time that it changed. A row never changes either.
create table observed_prices (
  workspace_id uuid not null,
  merchant_id text not null,
  version_number integer not null check (version_number > 0), -- per merchant
  prices json not null, -- ObservedPrice[] of src/pricing/observed-price.ts
  created_at timestamptz not null default now(),
  primary key (workspace_id, merchant_id, version_number),
  foreign key (workspace_id, merchant_id) references merchants
);

-- One row per merchant that has prices: which versions are the newest. Every node copies what it has not yet.
create table merchant_prices (
  workspace_id uuid not null,
  merchant_id text not null,
  contract_version integer not null default 0, -- 0: none
  observed_version integer not null default 0,
  primary key (workspace_id, merchant_id),
  foreign key (workspace_id, merchant_id) references merchants
);
create trigger merchant_prices_changed after insert or update or delete on merchant_prices
  for each row execute function note_change(4);
