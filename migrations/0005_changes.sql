-- What nodes keep copies of, and when it changed: a row a change, written by the transaction that makes it. A node reads
-- what has been committed since the snapshot it saw last (src/persistence/change-queries.ts), so that it misses no change,
-- whatever transactions commit in whatever order. Notifications carry nothing: they wake who listens.
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

-- Old changes are dropped. Who has not seen those of this transaction compares everything instead.
create table changes_dropped (
  changed_by xid8 not null
);

-- Argument: the kind. Tenants' statements change what nodes copy, and tenants have no right to this table: the function
-- runs as its owner.
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
      -- Statements, not one expression: each is read only for a table that has its columns.
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
create trigger workspace_changed after update of status, default_decision_mode, risk_block_threshold on workspaces
  for each row execute function note_change(0);
create trigger merchant_changed after insert or delete on merchants
  for each row execute function note_change(1);
-- 1 is `published`: a draft changes nothing that a node copies.
create trigger policy_created after insert on policies
  for each row when (new.status = 1) execute function note_change(2);
create trigger policy_changed after update on policies
  for each row when (old.status = 1 or new.status = 1) execute function note_change(2);
create trigger policy_deleted after delete on policies
  for each row when (old.status = 1) execute function note_change(2);
-- last_used_at is left out: it moves all the time and changes no grant. So is a new key, which no node knows yet.
create trigger api_key_changed
  after delete or update of public_id, mode, scopes, merchant_id, salt, secret_hash, expires_at, revoked_at
  on api_keys for each row execute function note_change(3);
