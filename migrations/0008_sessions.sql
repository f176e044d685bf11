-- Dashboard sessions, contract §3. Found by the hash of their token: 256 random bits need no salt.
create table sessions (
  token_hash bytea primary key check (length(token_hash) = 32), -- SHA-256
  workspace_id uuid not null,
  user_id uuid not null,
  created_at timestamptz not null default now(),
  last_used_at timestamptz not null default now(),
  foreign key (workspace_id, user_id) references memberships on delete cascade
);
create index sessions_user on sessions (workspace_id, user_id);
