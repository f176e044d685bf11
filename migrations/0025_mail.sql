-- running nodes: survive, since no earlier version knows these tables, and a user without a proven address is as before.
--
-- MAIL: letters that wait to be sent, and the tokens by which a person shows that an address is theirs. A letter is
-- stored in the transaction of what it tells (docs/decisions/0102-mail-leaves-through-an-outbox.md).

alter table users add column email_verified_at timestamptz;

create table mails (
  mail_id uuid primary key,
  workspace_id uuid references workspaces on delete cascade, -- null: about a person and no workspace
  kind text not null, -- MAIL_KINDS in src/features/mail/queries/mail-tuning.ts
  recipient text not null,
  author uuid, -- the user who had it sent; null: the recipient
  sealed bytea, -- the token, encrypted (src/platform/node/secret-box.ts); null once nobody sends it any more
  status text not null default 'waiting' check (status in ('waiting', 'sent', 'failed')),
  attempts integer not null default 0,
  next_try_at timestamptz not null default now(),
  expires_at timestamptz not null, -- of its token
  created_at timestamptz not null default now(),
  finished_at timestamptz,
  check (status = 'waiting' or sealed is null)
);
create index mails_due on mails (next_try_at) where status = 'waiting';
create index mails_finished on mails (finished_at) where status <> 'waiting';
-- ACC-30: an address that is asked for again and again has one letter that waits.
create unique index mails_forgotten on mails (lower(recipient))
  where status = 'waiting' and kind = 'forgotten_password';

-- ACC-28, ACC-31: a token is found by its hash, as sessions are. A person has one of each purpose.
create table email_tokens (
  user_id uuid not null references users on delete cascade,
  purpose text not null check (purpose in ('password_reset', 'address_proof')),
  token_hash bytea not null check (length(token_hash) = 32), -- SHA-256
  email text not null, -- the address that has the token; it ends when the person gives that address up
  created_at timestamptz not null,
  expires_at timestamptz not null,
  primary key (user_id, purpose)
);
-- Not unique, since a token comes in without its person.
create index email_tokens_hash on email_tokens (token_hash);

do $$
declare
  guarded record;
begin
  for guarded in select * from (values ('mails'), ('email_tokens')) as t (name) loop
    execute format('alter table %I enable row level security', guarded.name);
    execute format('alter table %I force row level security', guarded.name);
    execute format('create policy system on %I to %I using (true) with check (true)', guarded.name, current_user);
  end loop;
end
$$;
-- An invitation and its letter are stored in one transaction of the tenant's, which reads no letter.
create policy tenant on mails for insert to payinference_tenant
  with check (workspace_id = (select tenant_workspace()));
grant insert on mails to payinference_tenant;
