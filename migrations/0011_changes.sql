-- running nodes: survive, since no earlier version knows these tables.
--
-- NODE-1: the ordered feed of what nodes keep copies of. The transaction that changes a record adds a row here. A node
-- reads what has been committed since the snapshot that it saw last (src/path/changes/change-queries.ts), so it misses no
-- change, in whatever order transactions commit. Notifications carry nothing: they wake the listeners.

create table changes (
  changed_by xid8 not null default pg_current_xact_id(),
  change_id bigint generated always as identity, -- the version: a later change of a record has a higher one
  workspace_id uuid not null,
  kind smallint not null, -- CHANGE_KINDS
  key text not null, -- which record of that kind; '' where a workspace has one
  changed_at timestamptz not null default clock_timestamp(),
  primary key (changed_by, change_id)
);
create index changes_changed_at on changes (changed_at);

-- The transaction up to which old changes were dropped. A node that has not seen those compares everything instead.
create table changes_dropped (
  changed_by xid8 not null
);

-- Its argument is the kind. Statements of tenants change what nodes copy, and tenants have no right to the table of
-- changes: so the function runs as its owner.
do $$
begin
  execute format($function$
    create function note_change() returns trigger language plpgsql security definer set search_path = %I, pg_temp
    as $body$
    declare
      kind constant smallint := tg_argv[0];
      changed constant record := coalesce(new, old);
      changed_key text := '';
    begin
      -- Statements instead of one expression: each is read only for a table that has its columns.
      case
        when kind in (1, 2, 4) then changed_key := changed.merchant_id;
        when kind = 3 then changed_key := changed.public_id;
        when kind = 5 then changed_key := changed.provider;
        when kind = 6 then changed_key := changed.provider || '/' || changed.merchant_id;
        else null;
      end case;
      insert into changes (workspace_id, kind, key) values (changed.workspace_id, kind, changed_key);
      perform pg_notify('payinference_changes', '');
      return null;
    end
    $body$
  $function$, current_schema());
end
$$;

create trigger workspace_created after insert or delete on workspaces
  for each row execute function note_change(0);
create trigger workspace_changed after update of status, default_decision_mode, risk_block_threshold, retention_days on workspaces
  for each row execute function note_change(0);
create trigger merchant_changed after insert or delete or update of erased_at on merchants
  for each row execute function note_change(1);
-- 1 is `published`: a draft changes nothing that a node copies.
create trigger policy_created after insert on policies
  for each row when (new.status = 1) execute function note_change(2);
create trigger policy_changed after update on policies
  for each row when (old.status = 1 or new.status = 1) execute function note_change(2);
create trigger policy_deleted after delete on policies
  for each row when (old.status = 1) execute function note_change(2);
-- last_used_at is left out: it moves all the time and changes no grant. A new key is left out too: no node knows it yet.
create trigger api_key_changed
  after delete or update of public_id, mode, scopes, merchant_id, salt, secret_hash, expires_at, revoked_at
  on api_keys for each row execute function note_change(3);
create trigger merchant_prices_changed after insert or update or delete on merchant_prices
  for each row execute function note_change(4);
create trigger provider_override_changed after insert or update or delete on provider_overrides
  for each row execute function note_change(5);
create trigger webhook_secret_changed after insert or update or delete on webhook_secrets
  for each row execute function note_change(6);
create trigger provider_incident_changed after insert or update on provider_incidents
  for each row execute function note_change(7);
