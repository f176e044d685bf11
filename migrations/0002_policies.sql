create table policies (
  workspace_id uuid not null,
  policy_id uuid not null,
  merchant_id text not null,
  version_number integer not null check (version_number > 0), -- shown as v1, v2, …; per merchant
  name text not null,
  status smallint not null, -- POLICY_STATUSES
  default_provider text,
  rules json not null, -- json, not jsonb: read whole, and the author's key order is kept
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  primary key (workspace_id, policy_id),
  foreign key (workspace_id, merchant_id) references merchants
);
create unique index policies_version on policies (workspace_id, merchant_id, version_number);
-- POL-10: one live policy per merchant. 1 is `published`.
create unique index policies_published on policies (workspace_id, merchant_id) where status = 1;
