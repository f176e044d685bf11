-- The outcome's id is the decision's own 128 bits: the same across upserts, and nothing to store.
alter table outcomes drop column outcome_id;

-- What a batch of outcomes is copied into, once per connection; emptied by the commit.
create function stage_outcomes() returns void language plpgsql as $$
begin
  if to_regclass('pg_temp.staged_outcomes') is null then
    create temp table staged_outcomes (
      position integer not null, -- in the batch: of several reports of one decision the last is stored
      workspace_id uuid not null,
      decision_id uuid not null,
      amount_minor bigint not null,
      reported_at_ms bigint not null,
      created_at_ms bigint,
      provider_latency_ms bigint not null,
      mode smallint not null,
      outcome smallint not null,
      technical_failure_type smallint,
      order_id text not null,
      provider_used text not null,
      provider_reason_code text,
      currency text not null
    ) on commit delete rows;
  end if;
end
$$;

-- A client may report any number of milliseconds that JSON can say.
alter table outcomes alter column provider_latency_ms type bigint;

-- Of the report that this one replaced; null where it is the first. RETURNING knows the old row only since PostgreSQL 18.
alter table outcomes
  add column replaced_outcome smallint, -- OUTCOMES
  add column replaced_provider text;

-- Stores the staged outcomes, a later report in place of an earlier one, and appends what that changes to rollup_deltas.
-- Nodes may drain in another order than they were reported to, so the time of the report decides, except that a report
-- always replaces what a rejected review recorded (contract §6). The decisions are stored already.
create function apply_outcomes() returns void language plpgsql
set enable_hashjoin = off set enable_mergejoin = off as $$
begin
  -- A review and an outcome of one held decision exclude each other by this lock. 3 is `hold`.
  perform from decisions d
  where d.action = 3
    and (d.workspace_id, d.mode, d.decision_id) in (select workspace_id, mode, decision_id from pg_temp.staged_outcomes)
  order by d.workspace_id, d.mode, d.decision_id
  for update;

  with latest as (
    select distinct on (workspace_id, mode, decision_id) *
    from pg_temp.staged_outcomes
    order by workspace_id, mode, decision_id, position desc
  ), stored as (
    insert into outcomes as o (workspace_id, decision_id, amount_minor, provider_latency_ms, mode, outcome,
      technical_failure_type, order_id, provider_used, provider_reason_code, currency, reported_at, created_at)
    select workspace_id, decision_id, amount_minor, provider_latency_ms, mode, outcome, technical_failure_type, order_id,
      provider_used, provider_reason_code, currency, to_timestamp(reported_at_ms / 1000.0), to_timestamp(created_at_ms / 1000.0)
    from latest
    on conflict (workspace_id, mode, decision_id) do update set
      amount_minor = excluded.amount_minor, provider_latency_ms = excluded.provider_latency_ms,
      outcome = excluded.outcome, technical_failure_type = excluded.technical_failure_type,
      order_id = excluded.order_id, provider_used = excluded.provider_used,
      provider_reason_code = excluded.provider_reason_code, currency = excluded.currency,
      reported_at = excluded.reported_at, created_at = excluded.created_at,
      replaced_outcome = o.outcome, replaced_provider = o.provider_used
    where excluded.reported_at >= o.reported_at or o.provider_used is null
    returning workspace_id, mode, decision_id, outcome, provider_used,
      replaced_outcome as old_outcome, replaced_provider as old_provider
  ), changed as (
    select s.workspace_id, s.mode, d.merchant_id, id_hour(s.decision_id) as hour, d.action, s.outcome, s.old_outcome,
      -- 0 is `enforce`, 1 `shadow`
      d.decision_mode = 0 and s.old_outcome is null and not (d.action = 3 and exists (
        select from reviews r where r.workspace_id = s.workspace_id and r.mode = s.mode and r.decision_id = s.decision_id
      )) as queued,
      d.decision_mode = 1 and s.old_outcome is null as shadow_first,
      d.decision_mode = 1 and d.primary_provider is not null as comparable,
      coalesce(s.provider_used = d.primary_provider, false) as recommended,
      coalesce(s.provider_used = d.fallback_provider, false) as fallback,
      coalesce(s.old_provider = d.primary_provider, false) as old_recommended,
      coalesce(s.old_provider = d.fallback_provider, false) as old_fallback
    from stored s
    join decisions d on d.workspace_id = s.workspace_id and d.mode = s.mode and d.decision_id = s.decision_id
  )
  insert into rollup_deltas (workspace_id, mode, merchant_id, hour,
    u0, u1, u2, u3, u4, u5, u6,
    shadow_outcomes, comparable, used_recommended, used_fallback, approved_followed, approved_diverged,
    o0, o1, o2, o3, o4, o5, o6, o7, o8)
  select workspace_id, mode, merchant_id, hour,
    -(count(*) filter (where queued and action = 0)), -(count(*) filter (where queued and action = 1)),
    -(count(*) filter (where queued and action = 2)), -(count(*) filter (where queued and action = 3)),
    -(count(*) filter (where queued and action = 4)), -(count(*) filter (where queued and action = 5)),
    -(count(*) filter (where queued and action = 6)),
    count(*) filter (where shadow_first),
    count(*) filter (where comparable and old_outcome is null),
    count(*) filter (where comparable and recommended) - count(*) filter (where comparable and old_recommended),
    count(*) filter (where comparable and fallback) - count(*) filter (where comparable and old_fallback),
    -- 0 is `approved`
    count(*) filter (where comparable and outcome = 0 and (recommended or fallback))
      - count(*) filter (where comparable and old_outcome = 0 and (old_recommended or old_fallback)),
    count(*) filter (where comparable and outcome = 0 and not (recommended or fallback))
      - count(*) filter (where comparable and old_outcome = 0 and not (old_recommended or old_fallback)),
    count(*) filter (where outcome = 0) - count(*) filter (where old_outcome = 0),
    count(*) filter (where outcome = 1) - count(*) filter (where old_outcome = 1),
    count(*) filter (where outcome = 2) - count(*) filter (where old_outcome = 2),
    count(*) filter (where outcome = 3) - count(*) filter (where old_outcome = 3),
    count(*) filter (where outcome = 4) - count(*) filter (where old_outcome = 4),
    count(*) filter (where outcome = 5) - count(*) filter (where old_outcome = 5),
    count(*) filter (where outcome = 6) - count(*) filter (where old_outcome = 6),
    count(*) filter (where outcome = 7) - count(*) filter (where old_outcome = 7),
    count(*) filter (where outcome = 8) - count(*) filter (where old_outcome = 8)
  from changed
  group by workspace_id, mode, merchant_id, hour;
end
$$;
