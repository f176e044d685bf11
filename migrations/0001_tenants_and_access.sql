-- running nodes: survive, since no earlier version knows these tables.
--
-- Workspaces, their merchants and their people, and what opens the API to a caller.
--
-- How the whole schema is written:
-- Ids are ULIDs stored as uuid. Both are 128 bits, so the order of uuids is the order of creation (src/domain/ids/ids.ts).
-- Enums are smallint: the position in the list of that name in src/domain/vocabulary/vocabulary.ts.
-- workspace_id leads every primary key, unique index and foreign key, so that it can be a distribution column.
-- Tables without it belong to no workspace. They hold people (users), nodes (journal_positions, alert_nodes), what every
-- workspace shares (provider_health, health_views, outcome_evidence, decision_id_key, rollup_beginnings), and changes,
-- which nodes read in order.

create table workspaces (
  workspace_id uuid primary key,
  name text not null,
  status smallint not null default 0, -- WORKSPACE_STATUSES
  default_decision_mode smallint, -- DECISION_MODES; null: enforce
  risk_block_threshold smallint check (risk_block_threshold between 0 and 100), -- null: the RISK_BLOCK_THRESHOLD setting
  retention_days integer check (retention_days >= 1), -- RET-3; null: the RETENTION_DAYS setting
  require_one_time_codes boolean not null default false, -- ACC-35
  created_at timestamptz not null default now()
);

create table merchants (
  workspace_id uuid not null references workspaces,
  merchant_id text not null,
  name text,
  created_at timestamptz not null default now(),
  erased_at timestamptz, -- RET-20: since when nothing knows it any more; its rows leave, and then this one
  primary key (workspace_id, merchant_id)
);

create table users (
  user_id uuid primary key,
  email text not null,
  name text,
  password_hash text not null,
  created_at timestamptz not null default now(),
  is_platform_admin boolean not null default false -- ADM-6: the user of PLATFORM_ADMIN_EMAIL
);
-- An address keeps the case in which it was given. Two addresses are the same if only their case differs.
create unique index users_email on users (lower(email));

create table memberships (
  workspace_id uuid not null references workspaces,
  user_id uuid not null references users,
  role smallint not null, -- ROLES
  created_at timestamptz not null default now(),
  last_login_at timestamptz, -- a login leads to the workspace with the newest one; the team list shows it
  primary key (workspace_id, user_id)
);
create index memberships_user on memberships (user_id);

create table api_keys (
  workspace_id uuid not null references workspaces,
  key_id uuid not null,
  public_id text not null, -- the part of the key that is no secret; a key is found by it
  cell text, -- CELL-1: the cell that the key names; null: none
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
  replaced_by uuid, -- KEY-10: the key that took the place of this one; null: it was not rotated
  primary key (workspace_id, key_id),
  foreign key (workspace_id, merchant_id) references merchants
);
-- Not unique, since a key comes in without its workspace. The hash decides between candidates.
create index api_keys_public_id on api_keys (public_id);

-- AUTH-19: sessions of the dashboard. A session is found by the hash of its token: 256 random bits need no salt.
create table sessions (
  workspace_id uuid not null,
  token_hash bytea not null check (length(token_hash) = 32), -- SHA-256
  user_id uuid not null,
  created_at timestamptz not null default now(),
  last_used_at timestamptz not null default now(),
  -- AUTH-20: a person ends a session by its id. It is no part of the token or its hash, and in the form of all ids.
  session_id uuid not null default gen_random_uuid(),
  address text, -- where the person signed in
  device text, -- browser and system, in words of our own; null: unknown
  has_second_factor boolean not null default false, -- AUTH-38: an identity provider asked for several factors
  primary key (workspace_id, token_hash),
  foreign key (workspace_id, user_id) references memberships on delete cascade
);
-- Not unique, since a token comes in without its workspace.
create index sessions_token on sessions (token_hash);
create index sessions_member on sessions (workspace_id, user_id);
-- A person's sessions are found over all of their workspaces.
create index sessions_user on sessions (user_id, session_id);

-- Found by the hash of their token, as sessions are. An accepted invitation stays, for the record.
create table invitations (
  workspace_id uuid not null references workspaces,
  invitation_id uuid not null,
  email text not null,
  role smallint not null, -- ROLES
  token_hash bytea not null check (length(token_hash) = 32), -- SHA-256
  invited_by uuid not null, -- the user's id
  created_at timestamptz not null default now(),
  expires_at timestamptz not null,
  accepted_at timestamptz,
  primary key (workspace_id, invitation_id)
);
-- Not unique, since a token comes in without its workspace.
create index invitations_token on invitations (token_hash);

create table audit_log (
  workspace_id uuid not null references workspaces,
  audit_id uuid not null,
  actor text not null,
  action text not null,
  resource text not null,
  metadata jsonb not null default '{}',
  primary key (workspace_id, audit_id)
);

-- IDEM-10: replies to changes that were asked for with an Idempotency-Key. A reply is given again for an hour. It may hold
-- a secret that is shown once, so it is sealed with the caller's own key. The database keeps only a hash of that key.
create table change_replies (
  workspace_id uuid not null references workspaces on delete cascade,
  request_hash bytea not null, -- SHA-256 of the scope and the key
  body_hash bytea not null, -- SHA-256 of the first request's body
  reply bytea, -- sealed; null: not answered yet, or nobody knows what the change came to
  claimed_at timestamptz not null,
  primary key (workspace_id, request_hash)
);
create index change_replies_age on change_replies (claimed_at);
