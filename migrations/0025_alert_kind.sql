-- ALRT-12: an alert's kind is stored. Numbers are those of src/domain/vocabulary/alert-kinds.ts.
alter table alerts add column kind smallint;
update alerts set kind = case
  when provider is null then 2 -- set_aside
  when workspace_id = '00000000-0000-0000-0000-000000000000' then 0 -- provider_health
  else 1 -- workspace_health
end;
alter table alerts alter column kind set not null;

drop index alerts_open;
create unique index alerts_open on alerts (workspace_id, mode, segment_key, kind) nulls not distinct
where closed_at is null;

-- migrations/0022_set_aside_resolved.sql has the first form and its reasons; this one says the kind.
create or replace function alert_of_set_aside() returns trigger language plpgsql as $$
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

-- ALRT-14: which nodes have the cause of an alert of the platform's. Of no workspace: a node serves all of them.
create table alert_nodes (
  kind smallint not null,
  node_id text not null,
  confirmed_at timestamptz not null, -- when the node last said so
  primary key (kind, node_id)
);
