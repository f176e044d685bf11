-- running nodes: survive, since no earlier version knows this table.
--
-- ACC-12: tokens by which a member sets a new password without the old one. A token is found by its hash, as sessions
-- are. A member has one at a time in a workspace; a newer one takes its place. The table is the service's alone, since
-- a password is of a person and not of a workspace.
create table password_resets (
  workspace_id uuid not null,
  user_id uuid not null,
  token_hash bytea not null check (length(token_hash) = 32), -- SHA-256
  requested_by uuid not null, -- the user's id
  created_at timestamptz not null,
  expires_at timestamptz not null,
  primary key (workspace_id, user_id),
  foreign key (workspace_id, user_id) references memberships on delete cascade
);
-- Not unique, since a token comes in without its workspace.
create index password_resets_token on password_resets (token_hash);

do $$
begin
  alter table password_resets enable row level security;
  alter table password_resets force row level security;
  execute format('create policy system on password_resets to %I using (true) with check (true)', current_user);
end
$$;
