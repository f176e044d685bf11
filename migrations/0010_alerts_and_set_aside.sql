-- running nodes: survive, since no earlier version knows these tables.
--
-- What people must look after: alerts, and records that PostgreSQL refuses.

-- Alerts open and close by themselves. The workspace says who sees one: its own members, all zeros for everybody, all ones
-- for the platform's administrator.
create table alerts (
  workspace_id uuid not null,
  alert_id uuid not null,
  mode smallint, -- MODES; null: in both
  provider text, -- null, like segment_key: of no provider
  segment_key text,
  severity smallint not null, -- ALERT_SEVERITIES; rises while open
  reason_code text not null,
  opened_at timestamptz not null,
  closed_at timestamptz,
  confirmed_at timestamptz not null, -- when a node last said that it still holds
  kind smallint not null, -- ALRT-12: code of src/domain/vocabulary/alert-kinds.ts
  evidence jsonb, -- ALRT-18: the payments on which an alert of outcomes rests, as of its opening
  primary key (workspace_id, alert_id)
);
-- All nodes see the same, so one alert of a kind is open per workspace, mode and segment.
create unique index alerts_open on alerts (workspace_id, mode, segment_key, kind) nulls not distinct
where closed_at is null;

create table alert_acknowledgements (
  workspace_id uuid not null references workspaces, -- who acknowledged it; for an alert of everybody each workspace does
  alert_id uuid not null,
  acknowledged_by uuid not null,
  acknowledged_at timestamptz not null default now(),
  primary key (workspace_id, alert_id)
);

-- ALRT-14: which nodes have the cause of an alert of the platform's. Belongs to no workspace: a node serves all of them.
create table alert_nodes (
  kind smallint not null,
  node_id text not null,
  confirmed_at timestamptz not null, -- when the node last said so
  primary key (kind, node_id)
);

-- Records that were acknowledged and that PostgreSQL refuses for what they hold. One of them would keep all that wait
-- behind it from being stored. So the transaction that moves the journal's position past it keeps it here as it was.
create table set_aside (
  workspace_id uuid not null, -- nil: of no workspace
  set_aside_id uuid not null,
  mode smallint, -- MODES
  decision_id uuid,
  kind text not null, -- RecordKind of src/path/journal/batch-codec.ts; kept_outcome: of unmatched_outcomes
  node_id text, -- whose journal, and where in it; null: a kept outcome
  position bigint,
  entry bytea not null, -- a journal entry of this one record; a kept outcome as JSON
  statement text not null, -- the table that was filled, or the function that was called
  sql_state text not null,
  message text not null,
  set_aside_at timestamptz not null default now(),
  primary key (workspace_id, set_aside_id),
  unique (workspace_id, node_id, position)
);
create index set_aside_decision on set_aside (workspace_id, mode, decision_id);
-- The list of all workspaces' records, newest first, and the look-up of an id without its workspace.
create index set_aside_newest on set_aside (set_aside_id);

-- Takes a record out of those set aside, in the transaction that stores it. A second one at the same time waits here, and
-- finds nothing. What was reported of the record's decision is then looked at soon, without waiting for its turn.
create function take_set_aside(id uuid) returns bytea language plpgsql as $$
declare
  taken set_aside;
begin
  delete from set_aside where set_aside_id = id returning * into taken;
  if taken.set_aside_id is null then
    raise exception 'record % is not set aside', id using errcode = 'PJ003';
  end if;
  update unmatched_outcomes set next_try_at = now()
  where workspace_id = taken.workspace_id and mode = taken.mode and decision_id = taken.decision_id;
  return taken.entry;
end
$$;

-- Stores an outcome that was refused when its decision had come. If the decision is gone, the outcome waits for it again.
create function store_kept_outcome(id uuid) returns void language plpgsql as $$
declare
  staged jsonb := convert_from(take_set_aside(id), 'UTF8')::jsonb;
begin
  perform stage_outcomes();
  insert into pg_temp.staged_outcomes select * from jsonb_populate_record(null::pg_temp.staged_outcomes, staged);
  perform apply_outcomes();
  perform count_retry_outcomes();
end
$$;

-- DUR-11: a workspace's alert stands while a record of it waits, and the platform's while any record does. Deferred to
-- the commit, where nothing else is waited for: one transaction after the other looks at what is left, so that no record
-- waits without an alert.
create function alert_of_set_aside() returns trigger language plpgsql as $$
declare
  platform constant uuid := 'ffffffff-ffff-ffff-ffff-ffffffffffff';
  nobody constant uuid := '00000000-0000-0000-0000-000000000000';
  set_aside_kind constant smallint := 2;
  owner uuid;
begin
  perform pg_advisory_xact_lock(hashtextextended('alert_of_set_aside', 0));
  if tg_op = 'INSERT' then
    owner := new.workspace_id;
  else
    owner := old.workspace_id;
  end if;
  -- 1 is `critical`
  insert into alerts (workspace_id, kind, alert_id, severity, reason_code, opened_at, confirmed_at)
  select whose, set_aside_kind, new_ulid(), 1, 'RECORDS_SET_ASIDE', clock_timestamp(), clock_timestamp()
  from unnest(array[owner, platform]) as whose
  where whose <> nobody
    and case when whose = platform then exists (select from set_aside)
      else exists (select from set_aside where workspace_id = whose) end
  on conflict (workspace_id, mode, segment_key, kind) where closed_at is null do nothing;
  update alerts set closed_at = greatest(opened_at, clock_timestamp())
  where workspace_id in (owner, platform) and kind = set_aside_kind and closed_at is null
    and not case when workspace_id = platform then exists (select from set_aside)
      else exists (select from set_aside where set_aside.workspace_id = owner) end;
  return null;
end
$$;
create constraint trigger set_aside_changed after insert or delete on set_aside deferrable initially deferred
  for each row execute function alert_of_set_aside();
