-- Dashboard sessions, AUTH-19. Found by the hash of their token: 256 random bits need no salt.
create table sessions (
  workspace_id uuid not null,
  token_hash bytea not null check (length(token_hash) = 32), -- SHA-256
  user_id uuid not null,
  created_at timestamptz not null default now(),
  last_used_at timestamptz not null default now(),
  primary key (workspace_id, token_hash),
  foreign key (workspace_id, user_id) references memberships on delete cascade
);
-- Not unique, since the workspace is not known when a token comes in.
create index sessions_token on sessions (token_hash);
