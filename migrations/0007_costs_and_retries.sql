-- running nodes: survive, since no earlier version knows these tables.
--
-- What routing by cost saved and what retries recovered, counted as 0006_rollups.sql counts: a transaction of the writer
-- appends deltas, fold_costs_and_retries() adds them up, and a reader adds the deltas that are left.
-- hour: hours since 1970, of the decision. In the folded tables -1 is all of history, and -2 - n is the n-th day since
-- 1970 (UTC), by which longer windows are read. rollup_hours_kept() says how many hours are kept.
-- A table that COPY fills has its rows in a partition, for the reason that 0006_rollups.sql gives.

-- Since when each of the two is counted; null: since the first decision. Older decisions are in neither. Belongs to no
-- workspace: it is true of the whole database.
create table rollup_beginnings (
  name text primary key,
  began_at timestamptz
);
insert into rollup_beginnings (name) values ('costs'), ('retries');

-- COST-3: decisions whose primary provider has real pricing. A saving is what the other provider would have cost, less
-- what the primary one costs. It may be negative.
create table rollup_cost_deltas (
  workspace_id uuid not null,
  mode smallint not null, -- MODES
  hour integer not null,
  currency text not null,
  decision_mode smallint not null, -- DECISION_MODES
  decisions integer not null,
  cost_minor bigint not null,
  saved_dearest_minor bigint not null, -- against the dearest offered provider with real pricing
  first_decisions integer not null, -- decisions whose first offered provider has real pricing
  saved_first_minor bigint not null -- against that provider
) partition by list (mode);
create table rollup_cost_deltas_rows partition of rollup_cost_deltas default;

create table rollup_costs (
  workspace_id uuid not null,
  mode smallint not null, -- MODES
  hour integer not null,
  currency text not null,
  decision_mode smallint not null, -- DECISION_MODES
  decisions bigint not null,
  cost_minor numeric not null,
  saved_dearest_minor numeric not null,
  first_decisions bigint not null,
  saved_first_minor numeric not null,
  primary key (workspace_id, mode, hour, currency, decision_mode)
) with (fillfactor = 80);
create index rollup_costs_hour on rollup_costs (hour) where hour >= 0;

-- Decisions that were asked for with a previous_attempt, and the outcome that is counted for each. A report that replaces
-- another one takes its place in the counts.
create table retried_decisions (
  workspace_id uuid not null,
  mode smallint not null, -- MODES
  decision_id uuid not null,
  failed_provider text not null,
  failed_outcome smallint not null, -- OUTCOMES
  -- RTRY-19: what its outcome teaches: why the attempt before failed, and how many attempts there were. Null where
  -- attempts are not counted.
  code text,
  attempt smallint,
  counted_outcome smallint, -- OUTCOMES; null: none yet
  counted_provider text,
  primary key (workspace_id, mode, decision_id)
) partition by range (decision_id);

-- same_…: executed on the provider that had failed; other_…: on another one. approved: 0 of OUTCOMES.
create table rollup_retry_deltas (
  workspace_id uuid not null,
  mode smallint not null, -- MODES
  hour integer not null,
  provider text not null, -- the one that had failed
  outcome smallint not null, -- OUTCOMES: how it had failed
  decisions integer not null,
  same_outcomes integer not null default 0,
  same_approved integer not null default 0,
  other_outcomes integer not null default 0,
  other_approved integer not null default 0
) partition by list (mode);
create table rollup_retry_deltas_rows partition of rollup_retry_deltas default;

create table rollup_retries (
  workspace_id uuid not null,
  mode smallint not null, -- MODES
  hour integer not null,
  provider text not null,
  outcome smallint not null, -- OUTCOMES
  decisions bigint not null,
  same_outcomes bigint not null,
  same_approved bigint not null,
  other_outcomes bigint not null,
  other_approved bigint not null,
  primary key (workspace_id, mode, hour, provider, outcome)
) with (fillfactor = 80);
create index rollup_retries_hour on rollup_retries (hour) where hour >= 0;

-- Called behind apply_outcomes() in its transaction, which holds the row locks of the outcomes. A rejected review was
-- executed on no provider and is no retry. Answers what it counted, by how the attempt before had failed.
create function count_retry_outcomes()
returns table (failed_provider text, failed_outcome smallint, same_provider boolean, approved boolean, counted bigint)
language plpgsql
set enable_hashjoin = off set enable_mergejoin = off as $$
#variable_conflict use_column
begin
  return query with latest as (
    select r.workspace_id, r.mode, r.decision_id, o.outcome, o.provider_used,
      r.counted_outcome as old_outcome, r.counted_provider as old_provider,
      coalesce(o.created_at, o.reported_at) as attempted_at
    from (select distinct workspace_id, mode, decision_id from pg_temp.staged_outcomes) s
    join retried_decisions r on r.workspace_id = s.workspace_id and r.mode = s.mode and r.decision_id = s.decision_id
    join outcomes o on o.workspace_id = s.workspace_id and o.mode = s.mode and o.decision_id = s.decision_id
    where o.provider_used is not null
  ), moved as (
    update retried_decisions r set counted_outcome = l.outcome, counted_provider = l.provider_used
    from latest l
    where r.workspace_id = l.workspace_id and r.mode = l.mode and r.decision_id = l.decision_id
      and (l.old_outcome is distinct from l.outcome or l.old_provider is distinct from l.provider_used)
    returning r.workspace_id, r.mode, id_hour(r.decision_id) as hour, r.failed_provider, r.failed_outcome,
      l.outcome, l.provider_used = r.failed_provider as same,
      l.old_outcome, l.old_provider = r.failed_provider as old_same,
      r.code, r.attempt, l.provider_used, l.attempted_at
  ), recovered as (
    -- A retry teaches once, by the first report that says something of its provider (6 `blocked` and what follows do not).
    select workspace_id, mode, code, attempt, provider_used, outcome = 0 as approved,
      floor(extract(epoch from attempted_at))::bigint as attempted_at, count(*) as outcomes
    from moved
    where attempt is not null and outcome < 6 and (old_outcome is null or old_outcome >= 6)
      and attempted_at > now() - interval '15 minutes'
    group by 1, 2, 3, 4, 5, 6, 7
  ), learnt as (
    insert into outcome_evidence (evidence)
    select json_build_object('retries', json_agg(json_build_array(workspace_id, mode, code, attempt, provider_used, approved,
      attempted_at, outcomes)))
    from recovered having count(*) > 0
  ), deltas as (
    insert into rollup_retry_deltas (workspace_id, mode, hour, provider, outcome, decisions,
      same_outcomes, same_approved, other_outcomes, other_approved)
    select workspace_id, mode, hour, failed_provider, failed_outcome, 0,
      count(*) filter (where same) - count(*) filter (where old_same),
      count(*) filter (where same and outcome = 0) - count(*) filter (where old_same and old_outcome = 0),
      count(*) filter (where not same) - count(*) filter (where not old_same),
      count(*) filter (where not same and outcome = 0) - count(*) filter (where not old_same and old_outcome = 0)
    from moved
    group by workspace_id, mode, hour, failed_provider, failed_outcome
  )
  select failed_provider, failed_outcome, same, outcome = 0, count(*) from moved group by 1, 2, 3, 4;
end
$$;

-- Adds the deltas to the folded rows and removes them. One at a time over all nodes; a second one has nothing to do.
create function fold_costs_and_retries() returns void language plpgsql as $$
declare
  oldest_hour integer := id_hour(ulid_floor(now())) - rollup_hours_kept();
begin
  if not pg_try_advisory_xact_lock(hashtextextended('fold_costs_and_retries', 0)) then
    return;
  end if;
  delete from rollup_costs where hour >= 0 and hour < oldest_hour;
  delete from rollup_retries where hour >= 0 and hour < oldest_hour;

  with gone as materialized (
    delete from rollup_cost_deltas where workspace_id <> all ((select leaving_workspaces())::uuid[]) returning *, -2 - hour / 24 as day
  )
  insert into rollup_costs (workspace_id, mode, hour, currency, decision_mode, decisions, cost_minor,
    saved_dearest_minor, first_decisions, saved_first_minor)
  select workspace_id, mode, case 0 when grouping(hour) then hour when grouping(day) then day else -1 end, currency,
    decision_mode,
    sum(decisions), sum(cost_minor), sum(saved_dearest_minor), sum(first_decisions), sum(saved_first_minor)
  from gone
  group by workspace_id, mode, currency, decision_mode, grouping sets ((hour), (day), ())
  having grouping(hour) = 1 or hour >= oldest_hour
  on conflict (workspace_id, mode, hour, currency, decision_mode) do update set
    decisions = rollup_costs.decisions + excluded.decisions,
    cost_minor = rollup_costs.cost_minor + excluded.cost_minor,
    saved_dearest_minor = rollup_costs.saved_dearest_minor + excluded.saved_dearest_minor,
    first_decisions = rollup_costs.first_decisions + excluded.first_decisions,
    saved_first_minor = rollup_costs.saved_first_minor + excluded.saved_first_minor;

  with gone as materialized (
    delete from rollup_retry_deltas where workspace_id <> all ((select leaving_workspaces())::uuid[]) returning *, -2 - hour / 24 as day
  )
  insert into rollup_retries (workspace_id, mode, hour, provider, outcome, decisions, same_outcomes, same_approved,
    other_outcomes, other_approved)
  select workspace_id, mode, case 0 when grouping(hour) then hour when grouping(day) then day else -1 end, provider,
    outcome,
    sum(decisions), sum(same_outcomes), sum(same_approved), sum(other_outcomes), sum(other_approved)
  from gone
  group by workspace_id, mode, provider, outcome, grouping sets ((hour), (day), ())
  having grouping(hour) = 1 or hour >= oldest_hour
  on conflict (workspace_id, mode, hour, provider, outcome) do update set
    decisions = rollup_retries.decisions + excluded.decisions,
    same_outcomes = rollup_retries.same_outcomes + excluded.same_outcomes,
    same_approved = rollup_retries.same_approved + excluded.same_approved,
    other_outcomes = rollup_retries.other_outcomes + excluded.other_outcomes,
    other_approved = rollup_retries.other_approved + excluded.other_approved;
end
$$;
