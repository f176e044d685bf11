-- running nodes: survive, since no earlier version knows these tables.
--
-- Rollups make totals, aggregates, analytics and the shadow report exact at a constant cost.
--
-- A transaction that writes decisions, outcomes or reviews also appends what they change to rollup_deltas, one row for
-- each merchant and hour it touched. fold_rollups() adds the deltas up into the tables below and removes them, in one
-- statement. A reader adds the deltas that are left to the folded rows, in one snapshot, and so is always exact. And no
-- two writers, of one node or several, ever wait for each other's rows.
--
-- Columns, all counts of decisions, in the order of the lists in src/domain/vocabulary/vocabulary.ts:
--   a0..a6 enforce decisions by action · s0..s6 shadow decisions by action
--   u0..u6 enforce decisions by action with neither outcome nor review
--   r0..r3 by risk band · o0..o8 by stored outcome · latency_sum in units of 10 µs
--   shadow_outcomes shadow decisions with an outcome · comparable those of them with a route
--   used_recommended, used_fallback those executed on the recommended provider, on the fallback
--   approved_followed, approved_diverged approved on either of the two, on another provider
-- merchant_id '' (no merchant has it) is the whole workspace. hour: hours since 1970, of the decision.

-- Partitioned although it has one partition: row-level security guards the parent, and COPY, which refuses a guarded
-- table, fills the partition by name.
create table rollup_deltas (
  workspace_id uuid not null,
  mode smallint not null, -- MODES
  merchant_id text not null,
  hour integer not null,
  -- Null is nothing.
  a0 integer, a1 integer, a2 integer, a3 integer, a4 integer, a5 integer, a6 integer, s0 integer, s1 integer,
  s2 integer, s3 integer, s4 integer, s5 integer, s6 integer,
  u0 integer, u1 integer, u2 integer, u3 integer, u4 integer, u5 integer, u6 integer,
  shadow_outcomes integer, comparable integer, used_recommended integer, used_fallback integer,
  approved_followed integer, approved_diverged integer,
  r0 integer, r1 integer, r2 integer, r3 integer, o0 integer, o1 integer, o2 integer, o3 integer, o4 integer,
  o5 integer, o6 integer, o7 integer, o8 integer,
  latency_sum bigint,
  providers text[], -- primary providers, each once
  provider_decisions integer[], -- the number of decisions of each
  latencies integer[] -- one per decision, in units of 10 µs
) partition by list (mode);
create table rollup_deltas_rows partition of rollup_deltas default
with (toast_tuple_target = 8160); -- arrays stay in the row: a writer ends a row before its latencies reach half a page

create table rollup_hours (
  workspace_id uuid not null,
  mode smallint not null, -- MODES
  merchant_id text not null,
  hour integer not null,
  a0 bigint not null, a1 bigint not null, a2 bigint not null, a3 bigint not null, a4 bigint not null,
  a5 bigint not null, a6 bigint not null, s0 bigint not null, s1 bigint not null, s2 bigint not null,
  s3 bigint not null, s4 bigint not null, s5 bigint not null, s6 bigint not null,
  u0 bigint not null, u1 bigint not null, u2 bigint not null, u3 bigint not null, u4 bigint not null,
  u5 bigint not null, u6 bigint not null,
  shadow_outcomes bigint not null, comparable bigint not null, used_recommended bigint not null,
  used_fallback bigint not null, approved_followed bigint not null, approved_diverged bigint not null,
  o0 bigint not null default 0, o1 bigint not null default 0, o2 bigint not null default 0,
  o3 bigint not null default 0, o4 bigint not null default 0, o5 bigint not null default 0,
  o6 bigint not null default 0, o7 bigint not null default 0, o8 bigint not null default 0,
  primary key (workspace_id, mode, merchant_id, hour)
) with (fillfactor = 80);

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

create table rollup_totals (
  workspace_id uuid not null,
  mode smallint not null, -- MODES
  merchant_id text not null,
  a0 bigint not null, a1 bigint not null, a2 bigint not null, a3 bigint not null, a4 bigint not null,
  a5 bigint not null, a6 bigint not null, s0 bigint not null, s1 bigint not null, s2 bigint not null,
  s3 bigint not null, s4 bigint not null, s5 bigint not null, s6 bigint not null,
  u0 bigint not null, u1 bigint not null, u2 bigint not null, u3 bigint not null, u4 bigint not null,
  u5 bigint not null, u6 bigint not null,
  r0 bigint not null, r1 bigint not null, r2 bigint not null, r3 bigint not null, o0 bigint not null,
  o1 bigint not null, o2 bigint not null, o3 bigint not null, o4 bigint not null, o5 bigint not null,
  o6 bigint not null, o7 bigint not null, o8 bigint not null, latency_sum bigint not null,
  primary key (workspace_id, mode, merchant_id)
) with (fillfactor = 50);

create table rollup_providers (
  workspace_id uuid not null,
  mode smallint not null, -- MODES
  merchant_id text not null,
  provider text not null,
  decisions bigint not null,
  primary key (workspace_id, mode, merchant_id, provider)
) with (fillfactor = 50);

-- The exact distribution of decision_latency_ms: counts[1 + n] decisions took 64·segment + n units of 10 µs.
create table rollup_latencies (
  workspace_id uuid not null,
  mode smallint not null, -- MODES
  merchant_id text not null,
  segment integer not null,
  counts bigint[] not null,
  primary key (workspace_id, mode, merchant_id, segment)
) with (fillfactor = 50);

-- As rollup_latencies, by hour and by day.
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

-- How many hours are kept of what is also kept by day. A range of 90 days may begin within a day.
create function rollup_hours_kept() returns integer language sql immutable parallel safe as 'select 24 * 92';

-- Months since the year 0 of an hour since 1970, UTC.
create function hour_month(hour integer) returns integer language sql immutable strict parallel safe as $$
  select (extract(year from at) * 12 + extract(month from at) - 1)::integer
  from (select timestamp '1970-01-01' + hour * interval '1 hour' as at) moment
$$;

create function add_latencies(counts bigint[], positions integer[], numbers bigint[]) returns bigint[]
language plpgsql immutable strict parallel safe as $$
begin
  for i in 1 .. array_length(positions, 1) loop
    counts[1 + positions[i]] := counts[1 + positions[i]] + numbers[i];
  end loop;
  return counts;
end
$$;

-- Adds the deltas to the folded rows and removes them. One at a time over all nodes; a second one has nothing to do.
create function fold_rollups() returns void language plpgsql as $$
begin
  if not pg_try_advisory_xact_lock(hashtextextended('fold_rollups', 0)) then
    return;
  end if;
  delete from rollup_latency_hours where hour < id_hour(ulid_floor(now())) - rollup_hours_kept();
  with gone as materialized (
    delete from rollup_deltas where workspace_id <> all ((select leaving_workspaces())::uuid[]) returning *
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
    -- A late decision of an older hour counts in its day alone: nobody asks for that hour any more.
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
    select workspace_id, mode, case when grouping(merchant_id) = 1 then '' else merchant_id end as merchant_id,
      latency, count(*) as number
    from gone, unnest(latencies) as latency
    group by grouping sets ((workspace_id, mode, latency, merchant_id), (workspace_id, mode, latency))
  ), of_segments as materialized (
    select workspace_id, mode, merchant_id, latency >> 6 as segment,
      array_agg(latency & 63) as positions, array_agg(number) as numbers
    from of_latencies
    group by workspace_id, mode, merchant_id, latency >> 6
  ), added as (
    -- An upsert would need all 64 counts of both rows, and most merchants add a few.
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
