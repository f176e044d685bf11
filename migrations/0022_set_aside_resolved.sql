-- Records set aside are tried again or given up, by the platform's administrator.

-- The list of all tenants' records, newest first, and an id without its workspace.
create index set_aside_newest on set_aside (set_aside_id);

-- Takes a record out of those set aside, in the transaction that stores it; of two at once the second one waits here, and
-- finds nothing. What was reported of its decision is looked at soon, and not when it would have been its turn.
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

-- Stores an outcome that was refused when its decision had come. Where that is not there it waits for it once more.
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

-- Alerts of what is set aside: of no provider and no segment, and never closed for want of a node's word.
alter table alerts alter column provider drop not null, alter column segment_key drop not null;

-- DUR-11: an alert of its workspace stands while a record of it waits, and one of the platform while any does. The
-- platform's has a workspace of its own, which is nobody's. Deferred to the commit, where nothing else is waited for:
-- one transaction after the other looks at what is left, so that no record waits without an alert.
create function alert_of_set_aside() returns trigger language plpgsql as $$
declare
  platform constant uuid := 'ffffffff-ffff-ffff-ffff-ffffffffffff';
  nobody constant uuid := '00000000-0000-0000-0000-000000000000';
  owner uuid;
begin
  perform pg_advisory_xact_lock(hashtextextended('alert_of_set_aside', 0));
  if tg_op = 'INSERT' then
    owner := new.workspace_id;
  else
    owner := old.workspace_id;
  end if;
  -- 1 is `critical`
  insert into alerts (workspace_id, alert_id, severity, reason_code, opened_at, confirmed_at)
  select whose, new_ulid(), 1, 'RECORDS_SET_ASIDE', clock_timestamp(), 'infinity'
  from unnest(array[owner, platform]) as whose
  where whose <> nobody
    and case when whose = platform then exists (select from set_aside)
      else exists (select from set_aside where workspace_id = whose) end
  on conflict (workspace_id, mode, segment_key) where closed_at is null do nothing;
  update alerts set closed_at = greatest(opened_at, clock_timestamp())
  where workspace_id in (owner, platform) and mode is null and segment_key is null and closed_at is null
    and not case when workspace_id = platform then exists (select from set_aside)
      else exists (select from set_aside where set_aside.workspace_id = owner) end;
  return null;
end
$$;
create constraint trigger set_aside_changed after insert or delete on set_aside deferrable initially deferred
  for each row execute function alert_of_set_aside();
