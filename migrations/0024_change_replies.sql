-- Replies to changes that were asked for with an Idempotency-Key, to be given again for an hour (IDEM-10). A reply may
-- hold a secret that is shown once: it is sealed with the caller's own key, of which only a hash is kept.
create table change_replies (
  workspace_id uuid not null references workspaces on delete cascade,
  request_hash bytea not null, -- SHA-256 of the scope and the key
  body_hash bytea not null, -- SHA-256 of the first request's body
  reply bytea, -- sealed; null: not answered yet, or nobody knows what the change came to
  claimed_at timestamptz not null,
  primary key (workspace_id, request_hash)
);
create index change_replies_age on change_replies (claimed_at);

alter table change_replies enable row level security;
alter table change_replies force row level security;
do $$
begin
  execute format('create policy system on change_replies to %I using (true) with check (true)', current_user);
end
$$;
