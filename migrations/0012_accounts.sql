-- ADM-6: the user of PLATFORM_ADMIN_EMAIL, who suspends and activates workspaces.
alter table users add column is_platform_admin boolean not null default false;

-- Signed in to this workspace: which of several a login leads to, and what the team list shows.
alter table memberships add column last_login_at timestamptz;
alter table users drop column last_login_at;

create index sessions_member on sessions (workspace_id, user_id);

-- Found by the hash of their token: 256 random bits need no salt. Kept after they were accepted, for the record.
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
-- Not unique, since the workspace is not known when a token comes in.
create index invitations_token on invitations (token_hash);
