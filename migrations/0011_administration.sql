-- What the dashboard administers and looks at: pins, alerts, usage and analytics.

-- PUT /v1/admin/provider-overrides/:provider, ALRT-6: the pins of a workspace on one provider, oldest first; of those
-- that cover a segment the last one holds.
create table provider_overrides (
  workspace_id uuid not null references workspaces,
  provider text not null,
  overrides json not null, -- [{state, score, payment_method, currency}]
  updated_at timestamptz not null default now(),
  primary key (workspace_id, provider)
);
create trigger provider_override_changed after insert or update or delete on provider_overrides
  for each row execute function note_change(5);

-- Opened and closed by changes of provider health. The nil workspace's alerts are everybody's: those of probed segments.
create table alerts (
  workspace_id uuid not null,
  alert_id uuid not null,
  mode smallint, -- MODES; null: of the probes, which are the same in both
  provider text not null,
  segment_key text not null,
  severity smallint not null, -- ALERT_SEVERITIES; rises while open
  reason_code text not null,
  opened_at timestamptz not null,
  closed_at timestamptz,
  confirmed_at timestamptz not null, -- when a node last said that it still holds; a workspace's own only
  primary key (workspace_id, alert_id)
);
-- All nodes see the same: one open alert per scope and segment.
create unique index alerts_open on alerts (workspace_id, mode, segment_key) nulls not distinct where closed_at is null;

create table alert_acknowledgements (
  workspace_id uuid not null references workspaces, -- whose; an alert of everybody is acknowledged by each
  alert_id uuid not null,
  acknowledged_by uuid not null,
  acknowledged_at timestamptz not null default now(),
  primary key (workspace_id, alert_id)
);

-- More rollups, folded with those of migrations/0006_rollups.sql. No release came before them, so there is nothing to
-- count again but the months. merchant_id '' is the whole workspace; those without the column know nothing else.
alter table rollup_hours
  add column o0 bigint not null default 0, add column o1 bigint not null default 0,
  add column o2 bigint not null default 0, add column o3 bigint not null default 0,
  add column o4 bigint not null default 0, add column o5 bigint not null default 0,
  add column o6 bigint not null default 0, add column o7 bigint not null default 0,
  add column o8 bigint not null default 0;

-- Months since the year 0 of an hour since 1970, UTC.
create function hour_month(hour integer) returns integer language sql immutable strict parallel safe as $$
  select (extract(year from at) * 12 + extract(month from at) - 1)::integer
  from (select timestamp '1970-01-01' + hour * interval '1 hour' as at) moment
$$;

create table rollup_months (
  workspace_id uuid not null,
  mode smallint not null, -- MODES
  merchant_id text not null,
  month integer not null, -- hour_month()
  enforced bigint not null,
  shadow bigint not null,
  with_outcome bigint not null,
  approved bigint not null,
  primary key (workspace_id, mode, merchant_id, month)
) with (fillfactor = 50);

create table rollup_provider_hours (
  workspace_id uuid not null,
  mode smallint not null, -- MODES
  hour integer not null,
  provider text not null, -- the primary one
  decisions bigint not null,
  primary key (workspace_id, mode, hour, provider)
) with (fillfactor = 80);

-- Rollups by hour that are also kept by day: how many hours of them stay. A range of 90 days begins within a day.
create function rollup_hours_kept() returns integer language sql immutable parallel safe as 'select 24 * 92';

-- As rollup_latencies.
create table rollup_latency_hours (
  workspace_id uuid not null,
  mode smallint not null, -- MODES
  hour integer not null,
  segment integer not null,
  counts bigint[] not null,
  primary key (workspace_id, mode, hour, segment)
) with (fillfactor = 50);
create index rollup_latency_hours_hour on rollup_latency_hours (hour);

create table rollup_latency_days (
  workspace_id uuid not null,
  mode smallint not null, -- MODES
  day integer not null, -- since 1970, UTC
  segment integer not null,
  counts bigint[] not null,
  primary key (workspace_id, mode, day, segment)
) with (fillfactor = 50);

-- No node folds between the count of what is folded and the function that goes on from it.
select pg_advisory_xact_lock(hashtextextended('fold_rollups', 0));
insert into rollup_months (workspace_id, mode, merchant_id, month, enforced, shadow, with_outcome, approved)
select workspace_id, mode, merchant_id, hour_month(hour), sum(a0 + a1 + a2 + a3 + a4 + a5 + a6),
  sum(s0 + s1 + s2 + s3 + s4 + s5 + s6), 0, 0
from rollup_hours
group by workspace_id, mode, merchant_id, hour_month(hour);

-- migrations/0006_rollups.sql has the first form; outcomes by hour, months, providers and latencies by hour and day are new.
create or replace function fold_rollups() returns void language plpgsql as $$
begin
  if not pg_try_advisory_xact_lock(hashtextextended('fold_rollups', 0)) then
    return;
  end if;
  delete from rollup_latency_hours where hour < id_hour(ulid_floor(now())) - rollup_hours_kept();
  with gone as materialized (
    delete from rollup_deltas returning *
  ), hours as (
    insert into rollup_hours (workspace_id, mode, merchant_id, hour,
      a0, a1, a2, a3, a4, a5, a6, s0, s1, s2, s3, s4, s5, s6, u0, u1, u2, u3, u4, u5, u6, shadow_outcomes,
      comparable, used_recommended, used_fallback, approved_followed, approved_diverged,
      o0, o1, o2, o3, o4, o5, o6, o7, o8)
    select workspace_id, mode, case when grouping(merchant_id) = 1 then '' else merchant_id end, hour,
      coalesce(sum(a0), 0), coalesce(sum(a1), 0), coalesce(sum(a2), 0), coalesce(sum(a3), 0), coalesce(sum(a4), 0),
      coalesce(sum(a5), 0), coalesce(sum(a6), 0), coalesce(sum(s0), 0), coalesce(sum(s1), 0), coalesce(sum(s2), 0),
      coalesce(sum(s3), 0), coalesce(sum(s4), 0), coalesce(sum(s5), 0), coalesce(sum(s6), 0), coalesce(sum(u0), 0),
      coalesce(sum(u1), 0), coalesce(sum(u2), 0), coalesce(sum(u3), 0), coalesce(sum(u4), 0), coalesce(sum(u5), 0),
      coalesce(sum(u6), 0), coalesce(sum(shadow_outcomes), 0), coalesce(sum(comparable), 0),
      coalesce(sum(used_recommended), 0), coalesce(sum(used_fallback), 0), coalesce(sum(approved_followed), 0),
      coalesce(sum(approved_diverged), 0),
      coalesce(sum(o0), 0), coalesce(sum(o1), 0), coalesce(sum(o2), 0), coalesce(sum(o3), 0), coalesce(sum(o4), 0),
      coalesce(sum(o5), 0), coalesce(sum(o6), 0), coalesce(sum(o7), 0), coalesce(sum(o8), 0)
    from gone
    group by grouping sets ((workspace_id, mode, hour, merchant_id), (workspace_id, mode, hour))
    on conflict (workspace_id, mode, merchant_id, hour) do update set
      a0 = rollup_hours.a0 + excluded.a0, a1 = rollup_hours.a1 + excluded.a1, a2 = rollup_hours.a2 + excluded.a2,
      a3 = rollup_hours.a3 + excluded.a3, a4 = rollup_hours.a4 + excluded.a4, a5 = rollup_hours.a5 + excluded.a5,
      a6 = rollup_hours.a6 + excluded.a6, s0 = rollup_hours.s0 + excluded.s0, s1 = rollup_hours.s1 + excluded.s1,
      s2 = rollup_hours.s2 + excluded.s2, s3 = rollup_hours.s3 + excluded.s3, s4 = rollup_hours.s4 + excluded.s4,
      s5 = rollup_hours.s5 + excluded.s5, s6 = rollup_hours.s6 + excluded.s6, u0 = rollup_hours.u0 + excluded.u0,
      u1 = rollup_hours.u1 + excluded.u1, u2 = rollup_hours.u2 + excluded.u2, u3 = rollup_hours.u3 + excluded.u3,
      u4 = rollup_hours.u4 + excluded.u4, u5 = rollup_hours.u5 + excluded.u5, u6 = rollup_hours.u6 + excluded.u6,
      shadow_outcomes = rollup_hours.shadow_outcomes + excluded.shadow_outcomes,
      comparable = rollup_hours.comparable + excluded.comparable,
      used_recommended = rollup_hours.used_recommended + excluded.used_recommended,
      used_fallback = rollup_hours.used_fallback + excluded.used_fallback,
      approved_followed = rollup_hours.approved_followed + excluded.approved_followed,
      approved_diverged = rollup_hours.approved_diverged + excluded.approved_diverged,
      o0 = rollup_hours.o0 + excluded.o0, o1 = rollup_hours.o1 + excluded.o1, o2 = rollup_hours.o2 + excluded.o2,
      o3 = rollup_hours.o3 + excluded.o3, o4 = rollup_hours.o4 + excluded.o4, o5 = rollup_hours.o5 + excluded.o5,
      o6 = rollup_hours.o6 + excluded.o6, o7 = rollup_hours.o7 + excluded.o7, o8 = rollup_hours.o8 + excluded.o8
  ), months as (
    insert into rollup_months (workspace_id, mode, merchant_id, month, enforced, shadow, with_outcome, approved)
    select workspace_id, mode, case when grouping(merchant_id) = 1 then '' else merchant_id end, month,
      sum(coalesce(a0, 0) + coalesce(a1, 0) + coalesce(a2, 0) + coalesce(a3, 0) + coalesce(a4, 0) + coalesce(a5, 0)
        + coalesce(a6, 0)),
      sum(coalesce(s0, 0) + coalesce(s1, 0) + coalesce(s2, 0) + coalesce(s3, 0) + coalesce(s4, 0) + coalesce(s5, 0)
        + coalesce(s6, 0)),
      sum(coalesce(o0, 0) + coalesce(o1, 0) + coalesce(o2, 0) + coalesce(o3, 0) + coalesce(o4, 0) + coalesce(o5, 0)
        + coalesce(o6, 0) + coalesce(o7, 0) + coalesce(o8, 0)),
      coalesce(sum(o0), 0)
    from (select *, hour_month(hour) as month from gone) dated
    group by grouping sets ((workspace_id, mode, month, merchant_id), (workspace_id, mode, month))
    on conflict (workspace_id, mode, merchant_id, month) do update set
      enforced = rollup_months.enforced + excluded.enforced, shadow = rollup_months.shadow + excluded.shadow,
      with_outcome = rollup_months.with_outcome + excluded.with_outcome,
      approved = rollup_months.approved + excluded.approved
  ), provider_hours as (
    insert into rollup_provider_hours (workspace_id, mode, hour, provider, decisions)
    select workspace_id, mode, hour, provider, sum(number)
    from gone, unnest(providers, provider_decisions) as counted (provider, number)
    group by workspace_id, mode, hour, provider
    on conflict (workspace_id, mode, hour, provider) do update set
      decisions = rollup_provider_hours.decisions + excluded.decisions
  ), hourly_latencies as materialized (
    select workspace_id, mode, hour, latency, count(*) as number
    from gone, unnest(latencies) as latency
    group by workspace_id, mode, hour, latency
  ), segments_of_hours as materialized (
    select workspace_id, mode, hour as hour, latency >> 6 as segment,
      array_agg(latency & 63) as positions, array_agg(number) as numbers
    from hourly_latencies
    -- Late decisions of older hours count in their day alone: nobody asks for their hour any more.
    where hour >= id_hour(ulid_floor(now())) - rollup_hours_kept()
    group by workspace_id, mode, hour, latency >> 6
  ), added_to_hours as (
    update rollup_latency_hours folded set counts = add_latencies(folded.counts, s.positions, s.numbers)
    from segments_of_hours s
    where folded.workspace_id = s.workspace_id and folded.mode = s.mode and folded.hour = s.hour
      and folded.segment = s.segment
    returning folded.workspace_id, folded.mode, folded.hour, folded.segment
  ), new_hours as (
    insert into rollup_latency_hours (workspace_id, mode, hour, segment, counts)
    select workspace_id, mode, hour, segment, add_latencies(array_fill(0::bigint, array[64]), positions, numbers)
    from segments_of_hours
    where (workspace_id, mode, hour, segment) not in (select workspace_id, mode, hour, segment from added_to_hours)
  ), segments_of_days as materialized (
    select workspace_id, mode, hour / 24 as day, latency >> 6 as segment,
      array_agg(latency & 63) as positions, array_agg(number) as numbers
    from hourly_latencies
    group by workspace_id, mode, hour / 24, latency >> 6
  ), added_to_days as (
    update rollup_latency_days folded set counts = add_latencies(folded.counts, s.positions, s.numbers)
    from segments_of_days s
    where folded.workspace_id = s.workspace_id and folded.mode = s.mode and folded.day = s.day
      and folded.segment = s.segment
    returning folded.workspace_id, folded.mode, folded.day, folded.segment
  ), new_days as (
    insert into rollup_latency_days (workspace_id, mode, day, segment, counts)
    select workspace_id, mode, day, segment, add_latencies(array_fill(0::bigint, array[64]), positions, numbers)
    from segments_of_days
    where (workspace_id, mode, day, segment) not in (select workspace_id, mode, day, segment from added_to_days)
  ), totals as (
    insert into rollup_totals (workspace_id, mode, merchant_id,
      a0, a1, a2, a3, a4, a5, a6, s0, s1, s2, s3, s4, s5, s6, u0, u1, u2, u3, u4, u5, u6, r0, r1, r2, r3, o0, o1, o2,
      o3, o4, o5, o6, o7, o8, latency_sum)
    select workspace_id, mode, case when grouping(merchant_id) = 1 then '' else merchant_id end,
      coalesce(sum(a0), 0), coalesce(sum(a1), 0), coalesce(sum(a2), 0), coalesce(sum(a3), 0), coalesce(sum(a4), 0),
      coalesce(sum(a5), 0), coalesce(sum(a6), 0), coalesce(sum(s0), 0), coalesce(sum(s1), 0), coalesce(sum(s2), 0),
      coalesce(sum(s3), 0), coalesce(sum(s4), 0), coalesce(sum(s5), 0), coalesce(sum(s6), 0), coalesce(sum(u0), 0),
      coalesce(sum(u1), 0), coalesce(sum(u2), 0), coalesce(sum(u3), 0), coalesce(sum(u4), 0), coalesce(sum(u5), 0),
      coalesce(sum(u6), 0), coalesce(sum(r0), 0), coalesce(sum(r1), 0), coalesce(sum(r2), 0), coalesce(sum(r3), 0),
      coalesce(sum(o0), 0), coalesce(sum(o1), 0), coalesce(sum(o2), 0), coalesce(sum(o3), 0), coalesce(sum(o4), 0),
      coalesce(sum(o5), 0), coalesce(sum(o6), 0), coalesce(sum(o7), 0), coalesce(sum(o8), 0),
      coalesce(sum(latency_sum), 0)
    from gone
    group by grouping sets ((workspace_id, mode, merchant_id), (workspace_id, mode))
    on conflict (workspace_id, mode, merchant_id) do update set
      a0 = rollup_totals.a0 + excluded.a0, a1 = rollup_totals.a1 + excluded.a1, a2 = rollup_totals.a2 + excluded.a2,
      a3 = rollup_totals.a3 + excluded.a3, a4 = rollup_totals.a4 + excluded.a4, a5 = rollup_totals.a5 + excluded.a5,
      a6 = rollup_totals.a6 + excluded.a6, s0 = rollup_totals.s0 + excluded.s0, s1 = rollup_totals.s1 + excluded.s1,
      s2 = rollup_totals.s2 + excluded.s2, s3 = rollup_totals.s3 + excluded.s3, s4 = rollup_totals.s4 + excluded.s4,
      s5 = rollup_totals.s5 + excluded.s5, s6 = rollup_totals.s6 + excluded.s6, u0 = rollup_totals.u0 + excluded.u0,
      u1 = rollup_totals.u1 + excluded.u1, u2 = rollup_totals.u2 + excluded.u2, u3 = rollup_totals.u3 + excluded.u3,
      u4 = rollup_totals.u4 + excluded.u4, u5 = rollup_totals.u5 + excluded.u5, u6 = rollup_totals.u6 + excluded.u6,
      r0 = rollup_totals.r0 + excluded.r0, r1 = rollup_totals.r1 + excluded.r1, r2 = rollup_totals.r2 + excluded.r2,
      r3 = rollup_totals.r3 + excluded.r3, o0 = rollup_totals.o0 + excluded.o0, o1 = rollup_totals.o1 + excluded.o1,
      o2 = rollup_totals.o2 + excluded.o2, o3 = rollup_totals.o3 + excluded.o3, o4 = rollup_totals.o4 + excluded.o4,
      o5 = rollup_totals.o5 + excluded.o5, o6 = rollup_totals.o6 + excluded.o6, o7 = rollup_totals.o7 + excluded.o7,
      o8 = rollup_totals.o8 + excluded.o8, latency_sum = rollup_totals.latency_sum + excluded.latency_sum
  ), of_providers as (
    insert into rollup_providers (workspace_id, mode, merchant_id, provider, decisions)
    select workspace_id, mode, case when grouping(merchant_id) = 1 then '' else merchant_id end, provider, sum(number)
    from gone, unnest(providers, provider_decisions) as counted (provider, number)
    group by grouping sets ((workspace_id, mode, provider, merchant_id), (workspace_id, mode, provider))
    on conflict (workspace_id, mode, merchant_id, provider) do update set
      decisions = rollup_providers.decisions + excluded.decisions
  ), of_latencies as (
    select workspace_id, mode, case when grouping(merchant_id) = 1 then '' else merchant_id end as merchant_id, latency, count(*) as number
    from gone, unnest(latencies) as latency
    group by grouping sets ((workspace_id, mode, latency, merchant_id), (workspace_id, mode, latency))
  ), of_segments as materialized (
    select workspace_id, mode, merchant_id, latency >> 6 as segment,
      array_agg(latency & 63) as positions, array_agg(number) as numbers
    from of_latencies
    group by workspace_id, mode, merchant_id, latency >> 6
  ), added as (
    -- Not by way of a conflict, which would need all 64 counts of both: most merchants add a few.
    update rollup_latencies folded set counts = add_latencies(folded.counts, s.positions, s.numbers)
    from of_segments s
    where folded.workspace_id = s.workspace_id and folded.mode = s.mode and folded.merchant_id = s.merchant_id
      and folded.segment = s.segment
    returning folded.workspace_id, folded.mode, folded.merchant_id, folded.segment
  )
  insert into rollup_latencies (workspace_id, mode, merchant_id, segment, counts)
  select workspace_id, mode, merchant_id, segment, add_latencies(array_fill(0::bigint, array[64]), positions, numbers)
  from of_segments
  where (workspace_id, mode, merchant_id, segment) not in (select workspace_id, mode, merchant_id, segment from added);
end
$$;
