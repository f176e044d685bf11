-- Ids are ULIDs stored as uuid: the same 128 bits, so uuid order is creation order (src/shared/ids.ts).
-- Enums are smallint: the position in the list of that name in src/shared/vocabulary.ts.
-- workspace_id leads every primary key, unique index and foreign key, so that it can be a distribution column.
-- Exceptions, which belong to no workspace: users (one person, several workspaces), and further on journal_positions,
-- provider_health and health_views, which belong to a node or to everybody, and changes, which are read in their order.

create table workspaces (
  workspace_id uuid primary key,
  name text not null,
  status smallint not null default 0, -- WORKSPACE_STATUSES
  default_decision_mode smallint, -- DECISION_MODES; null: enforce
  risk_block_threshold smallint check (risk_block_threshold between 0 and 100), -- null: the RISK_BLOCK_THRESHOLD setting
  created_at timestamptz not null default now()
);

create table merchants (
  workspace_id uuid not null references workspaces,
  merchant_id text not null,
  name text,
  created_at timestamptz not null default now(),
  primary key (workspace_id, merchant_id)
);

create table users (
  user_id uuid primary key,
  email text not null,
  name text,
  password_hash text not null,
  created_at timestamptz not null default now(),
  last_login_at timestamptz
);
-- Addresses are kept as given and compared without case.
create unique index users_email on users (lower(email));

create table memberships (
  workspace_id uuid not null references workspaces,
  user_id uuid not null references users,
  role smallint not null, -- ROLES
  created_at timestamptz not null default now(),
  primary key (workspace_id, user_id)
);
create index memberships_user on memberships (user_id);

create table api_keys (
  workspace_id uuid not null references workspaces,
  key_id uuid not null,
  public_id text not null, -- the part of the key that is no secret, by which it is found
  name text not null,
  mode smallint not null, -- MODES
  scopes smallint[] not null, -- SCOPES
  merchant_id text, -- null: every merchant of the workspace
  salt bytea not null,
  secret_hash bytea not null check (length(secret_hash) = 32), -- SHA-256 over salt and secret
  expires_at timestamptz,
  revoked_at timestamptz,
  last_used_at timestamptz,
  created_at timestamptz not null default now(),
  primary key (workspace_id, key_id),
  foreign key (workspace_id, merchant_id) references merchants
);
-- Not unique, since the workspace is not known when a key comes in: the hash decides between candidates.
create index api_keys_public_id on api_keys (public_id);

create table audit_log (
  workspace_id uuid not null references workspaces,
  audit_id uuid not null,
  actor text not null,
  action text not null,
  resource text not null,
  metadata jsonb not null default '{}',
  primary key (workspace_id, audit_id)
);
