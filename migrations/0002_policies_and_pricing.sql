-- running nodes: survive, since no earlier version knows these tables.
--
-- What a merchant has its decisions made by: policies and prices.

create table policies (
  workspace_id uuid not null,
  policy_id uuid not null,
  merchant_id text not null,
  version_number integer not null check (version_number > 0), -- shown as v1, v2, …; per merchant
  name text not null,
  status smallint not null, -- POLICY_STATUSES
  default_provider text,
  rules json not null, -- json, not jsonb: it is read whole, and the author's key order stays
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  primary key (workspace_id, policy_id),
  foreign key (workspace_id, merchant_id) references merchants
);
create unique index policies_version on policies (workspace_id, merchant_id, version_number);
-- POL-10: one live policy per merchant. 1 is `published`.
create unique index policies_published on policies (workspace_id, merchant_id) where status = 1;

-- PRICE-1: uploaded contracts. A row never changes, so any version of a merchant's prices can be put together again.
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
  rules json not null, -- json, not jsonb: it is read whole
  created_at timestamptz not null default now(),
  primary key (workspace_id, merchant_id, version_number),
  foreign key (workspace_id, merchant_id) references merchants,
  check (effective_to > effective_from)
);

-- What the fees of provider webhooks came to: a row for each time that it changed. A row never changes either.
create table observed_prices (
  workspace_id uuid not null,
  merchant_id text not null,
  version_number integer not null check (version_number > 0), -- per merchant
  prices json not null, -- ObservedPrice[] of src/domain/pricing/observed-price.ts
  created_at timestamptz not null default now(),
  primary key (workspace_id, merchant_id, version_number),
  foreign key (workspace_id, merchant_id) references merchants
);

-- Which versions of a merchant's prices are the newest: one row per merchant that has prices.
create table merchant_prices (
  workspace_id uuid not null,
  merchant_id text not null,
  contract_version integer not null default 0, -- 0: none
  observed_version integer not null default 0,
  primary key (workspace_id, merchant_id),
  foreign key (workspace_id, merchant_id) references merchants
);
