-- running nodes: survive, since they know nothing of a limit, and set none for their reads.
--
-- RET: how long decisions, outcomes and documents are kept.

-- When decisions begin that the workspace of this transaction may still read, in Unix milliseconds; 0: all of them. The
-- transaction says its time and the service's limit as `<Unix milliseconds>/<days>`, where 0 days are no limit. The time
-- is the node's, which goes on evenly over a jump of the host's clock.
create function kept_since_ms() returns bigint language sql stable parallel safe as $$
  select coalesce((
    select greatest(0, split_part(said, '/', 1)::bigint
      - least(nullif(split_part(said, '/', 2)::integer, 0), w.retention_days)::bigint * 86400000)
    from nullif(current_setting('payinference.kept', true), '') as said
    left join workspaces w on w.workspace_id = tenant_workspace()
    where said is not null
  ), 0)
$$;

create function kept_since() returns uuid language sql stable parallel safe as $$
  select ulid_floor(to_timestamp(kept_since_ms() / 1000.0))
$$;

-- As kept_since_ms(), but 0 also for a workspace that is younger than its limit. Its reads need not look where its
-- decisions begin.
create function first_kept_ms() returns bigint language sql stable parallel safe as $$
  select case when extract(epoch from w.created_at) * 1000 < since then since else 0 end
  from kept_since_ms() as since left join workspaces w on w.workspace_id = tenant_workspace()
$$;

-- As kept_since_ms(), by the workspace's own limit alone. CH-12: ClickHouse may keep what is past the service's.
create function own_kept_since_ms() returns bigint language sql stable parallel safe as $$
  select coalesce((
    select greatest(0, split_part(said, '/', 1)::bigint - w.retention_days::bigint * 86400000)
    from nullif(current_setting('payinference.kept', true), '') as said
    join workspaces w on w.workspace_id = tenant_workspace()
  ), 0)
$$;

-- RET-4: what is older is hidden from every query of a tenant, whatever still lies on disk. A segment is found by its
-- decision alone.
do $$
declare
  guarded text;
begin
  foreach guarded in array array['decisions', 'outcomes', 'reviews', 'retried_decisions'] loop
    execute format('alter policy tenant on %I using (workspace_id = (select tenant_workspace())
      and decision_id >= (select kept_since()))', guarded);
  end loop;
end
$$;

-- RET-7: what is not in partitions leaves by these.
create index reviews_decision on reviews (decision_id);
create index unmatched_outcomes_decision on unmatched_outcomes (decision_id);

create index alerts_closed on alerts (closed_at) where closed_at is not null;

-- RET-9: the last run of any node that left nothing to do. Belongs to no workspace.
create table retention_runs (
  only_row boolean primary key default true check (only_row),
  finished_at timestamptz not null
);

-- RET-10: which rows have left for the archive. A part is noted in the transaction in which its rows leave. Belongs to no
-- workspace, since a part holds the rows of many.
create table archived_parts (
  week text not null, -- 2026_11_23
  part integer not null,
  row_count bigint not null,
  byte_count bigint not null,
  archived_at timestamptz not null default now(),
  primary key (week, part)
);

-- RET-13: marks the parts of this database, so that it replaces none of another one.
create table archive_identity (
  only_row boolean primary key default true check (only_row),
  archive_id uuid not null default gen_random_uuid()
);
insert into archive_identity default values;

-- RET-19: what the platform admin had erased: a workspace, or a merchant of one. A row stays for good, because it keeps
-- out what comes late. Belongs to no workspace: the one that it names is gone.
create table erasures (
  erasure_id uuid primary key,
  number bigint not null unique, -- 1, 2, …, in the order of their commits
  workspace_id uuid not null,
  merchant_id text, -- null: the whole workspace
  status text not null default 'queued', -- ERASURE_STATUSES of src/domain/vocabulary/vocabulary.ts
  requested_by uuid not null, -- the user's id
  proven_in uuid not null, -- the workspace whose audit log has the proof
  requested_at timestamptz not null default clock_timestamp(),
  begun_by xid8, -- a transaction after the one that asked
  finished_at timestamptz,
  counts jsonb not null default '{}', -- rows by table, of all attempts
  attempts integer not null default 0, -- that failed
  next_try_at timestamptz not null default now()
);
create unique index erasures_owner on erasures (workspace_id, merchant_id) nulls not distinct;
create index erasures_unfinished on erasures (number) where status <> 'done';

do $$
begin
  alter table erasures enable row level security;
  alter table erasures force row level security;
  execute format('create policy system on erasures to %I using (true) with check (true)', current_user);
  -- Tenants ask it when they register a merchant, and have no right to the table.
  execute format(
    'create function is_erased(owner uuid, merchant text) returns boolean
     language sql stable security definer set search_path = %I, pg_temp as $body$
       select exists (select from erasures
         where workspace_id = owner and (merchant_id is null or merchant_id = merchant))
     $body$', current_schema());
end
$$;

-- RET-22: as advance_journal() with three arguments, for a writer that knows the erasures up to a number. The position is
-- moved first, which begins the transaction for everybody to see. So an erasure that this one has not seen begins later,
-- and waits for its end.
create function advance_journal(node text, expected_position bigint, new_position bigint, known_erasures bigint)
returns void language plpgsql as $$
begin
  perform advance_journal(node, expected_position, new_position);
  if exists (select from erasures where number > known_erasures) then
    raise exception 'something was erased' using errcode = 'PJ004';
  end if;
end
$$;

-- CELL-7: a workspace that leaves for another cell, in the cell that it leaves, and one that came, where it came to
-- (src/features/moves). Folds leave out what a workspace that leaves has counted: those deltas are added where it goes.
create table workspace_moves (
  workspace_id uuid primary key,
  is_leaving boolean not null,
  step text not null, -- MOVE_STEPS of src/domain/vocabulary/vocabulary.ts
  cells text[] not null, -- CELL-11: of one that came: which cells have issued its keys and tokens
  deltas_through integer not null default 0, -- of one that came: up to which batch of moved_deltas its figures are whole
  changed_at timestamptz not null default clock_timestamp()
);

-- Which nodes know of a step: one that comes is admitted there, and of one that has moved nothing is left in the journal.
create table move_seen (
  workspace_id uuid not null,
  node_id text not null,
  step text not null,
  primary key (workspace_id, node_id, step)
);

-- Deltas of a workspace that has left, until the other cell has added them. A batch is added once, and then empty.
create table moved_deltas (
  workspace_id uuid not null,
  batch integer not null,
  deltas json not null, -- {table: [row, …]}
  primary key (workspace_id, batch)
);

create function leaving_workspaces() returns uuid[] language sql stable as $$
  select array(select workspace_id from workspace_moves where is_leaving)
$$;

-- CELL-8: nothing that is administered changes. A move that was broken off before the other cell decided holds nothing up
-- for longer than this.
create function stands_still(move workspace_moves) returns boolean language sql stable as $$
  select move.is_leaving and (move.step in ('switched', 'moved')
    or (move.step = 'frozen' and move.changed_at > clock_timestamp() - interval '15 seconds'))
$$;

-- A statement about the rows of all workspaces leaves these out: refuse_while_leaving() would fail it for everybody.
create function still_workspaces() returns uuid[] language sql stable as $$
  select array(select workspace_id from workspace_moves m where stands_still(m))
$$;

do $$
declare
  name text;
begin
  foreach name in array array['workspace_moves', 'move_seen', 'moved_deltas'] loop
    execute format('alter table %I enable row level security', name);
    execute format('alter table %I force row level security', name);
    execute format('create policy system on %I to %I using (true) with check (true)', name, current_user);
  end loop;
  -- CELL-8: what is administered stands still while the last of it is copied. Tenants have no right to the table. CELL-14:
  -- once the workspace has moved, rows may leave: it is erased, and sessions of people with another workspace end.
  execute format($function$
    create function refuse_while_leaving() returns trigger language plpgsql security definer set search_path = %I, pg_temp
    as $body$
    declare
      changed constant record := coalesce(new, old);
    begin
      if exists (
        select from workspace_moves m where workspace_id = changed.workspace_id and stands_still(m)
          and not (step = 'moved' and tg_op = 'DELETE')
      ) then
        raise exception 'the workspace moves to another cell' using errcode = 'PJ005';
      end if;
      return changed;
    end
    $body$
  $function$, current_schema());
  foreach name in array array['merchants', 'memberships', 'sessions', 'invitations', 'policies', 'pricing_contracts',
    'observed_prices', 'merchant_prices', 'webhook_secrets', 'webhook_events', 'observed_fees', 'provider_incidents',
    'provider_overrides', 'alert_acknowledgements', 'password_resets', 'saved_views', 'event_endpoints', 'exports',
    'reviews', 'audit_log', 'change_replies', 'api_keys'] loop
    execute format('create trigger stands_still_on_insert before insert on %I for each row
      execute function refuse_while_leaving()', name);
  end loop;
  foreach name in array array['merchants', 'memberships', 'sessions', 'invitations', 'policies', 'webhook_secrets',
    'provider_overrides', 'password_resets', 'saved_views', 'event_endpoints', 'api_keys'] loop
    execute format('create trigger stands_still_on_delete before delete on %I for each row
      execute function refuse_while_leaving()', name);
  end loop;
  foreach name in array array['merchants', 'invitations', 'policies', 'merchant_prices', 'webhook_secrets',
    'provider_incidents', 'provider_overrides', 'saved_views', 'exports', 'change_replies'] loop
    execute format('create trigger stands_still_on_update before update on %I for each row
      execute function refuse_while_leaving()', name);
  end loop;
end
$$;
-- Times of the last use go on: they are written for many workspaces at once.
create trigger stands_still_on_update before update of expires_at, revoked_at, replaced_by on api_keys
  for each row execute function refuse_while_leaving();
create trigger stands_still_on_update before update of role on memberships
  for each row execute function refuse_while_leaving();
create trigger stands_still_on_update before update of url, types, description, sealed, status on event_endpoints
  for each row execute function refuse_while_leaving();
create trigger stands_still_on_update
  before update of name, default_decision_mode, risk_block_threshold, retention_days, require_one_time_codes on workspaces
  for each row execute function refuse_while_leaving();
