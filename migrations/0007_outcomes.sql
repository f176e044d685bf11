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
      currency text not null,
      merchant_scope text -- the one merchant that the reporter may act for
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

-- Reports that were answered 200 and find no decision to be stored with: it is still in another node's journal, is lost
-- with that node's disk, or its id was made up so well that it passed. match_kept_outcomes() tries them again.
create table unmatched_outcomes (
  workspace_id uuid not null,
  mode smallint not null, -- MODES
  decision_id uuid not null,
  amount_minor bigint not null,
  reported_at_ms bigint not null,
  created_at_ms bigint,
  provider_latency_ms bigint not null,
  outcome smallint not null, -- OUTCOMES
  technical_failure_type smallint, -- TECHNICAL_FAILURE_TYPES
  order_id text not null,
  provider_used text not null,
  provider_reason_code text,
  currency text not null,
  merchant_scope text,
  kept_at timestamptz not null default now(),
  next_try_at timestamptz not null default now(),
  primary key (workspace_id, mode, decision_id)
);
create index unmatched_outcomes_next_try on unmatched_outcomes (next_try_at);
create index unmatched_outcomes_kept on unmatched_outcomes (kept_at);

-- What outcomes say about providers, for every node to learn from: a row for each transaction that stored some. Global:
-- of many workspaces at once. A row's transaction comes first, so that a reader which goes on behind the last one it has
-- seen misses none that commits later.
create table outcome_evidence (
  stored_by xid8 not null default pg_current_xact_id(),
  evidence_id bigint generated always as identity,
  stored_at timestamptz not null default now(),
  -- [[workspace_id, mode, provider, payment_method, currency, outcome, technical_failure_type, attempted at (seconds
  -- since 1970), latency bin (src/health/latency-histogram.ts), how many], …]
  evidence json not null,
  primary key (stored_by, evidence_id)
);
create index outcome_evidence_stored_at on outcome_evidence (stored_at);

-- Stores the staged outcomes, a later report in place of an earlier one, and appends what that changes to rollup_deltas.
-- Nodes may drain in another order than they were reported to, so the time of the report decides, except that a report
-- always replaces what a rejected review recorded (REV-5). Those without a decision are kept aside.
create function apply_outcomes() returns void language plpgsql
set enable_hashjoin = off set enable_mergejoin = off as $$
begin
  with unmatched as (
    delete from pg_temp.staged_outcomes s
    where not exists (
      select from decisions d
      where d.workspace_id = s.workspace_id and d.mode = s.mode and d.decision_id = s.decision_id
        and d.order_id = s.order_id and (s.merchant_scope is null or s.merchant_scope = d.merchant_id)
    )
    returning s.*
  )
  insert into unmatched_outcomes as u (workspace_id, mode, decision_id, amount_minor, reported_at_ms, created_at_ms,
    provider_latency_ms, outcome, technical_failure_type, order_id, provider_used, provider_reason_code, currency,
    merchant_scope)
  select distinct on (workspace_id, mode, decision_id) workspace_id, mode, decision_id, amount_minor, reported_at_ms,
    created_at_ms, provider_latency_ms, outcome, technical_failure_type, order_id, provider_used, provider_reason_code,
    currency, merchant_scope
  from unmatched
  order by workspace_id, mode, decision_id, position desc
  on conflict (workspace_id, mode, decision_id) do update set
    amount_minor = excluded.amount_minor, reported_at_ms = excluded.reported_at_ms,
    created_at_ms = excluded.created_at_ms, provider_latency_ms = excluded.provider_latency_ms,
    outcome = excluded.outcome, technical_failure_type = excluded.technical_failure_type,
    order_id = excluded.order_id, provider_used = excluded.provider_used,
    provider_reason_code = excluded.provider_reason_code, currency = excluded.currency,
    merchant_scope = excluded.merchant_scope, next_try_at = excluded.next_try_at
  where excluded.reported_at_ms >= u.reported_at_ms;

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
    returning workspace_id, mode, decision_id, outcome, provider_used, currency, technical_failure_type,
      provider_latency_ms, coalesce(created_at, reported_at) as attempted_at,
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
      coalesce(s.old_provider = d.fallback_provider, false) as old_fallback,
      -- Of a payment the first report counts that says something about its provider: 6 `blocked` and what follows do not.
      s.outcome < 6 and (s.old_outcome is null or s.old_outcome >= 6) as is_sample, d.payment_method, s.provider_used, s.currency, s.technical_failure_type,
      s.provider_latency_ms, s.attempted_at
    from stored s
    join decisions d on d.workspace_id = s.workspace_id and d.mode = s.mode and d.decision_id = s.decision_id
  ), samples as (
    select workspace_id, mode, provider_used, payment_method, currency, outcome, technical_failure_type,
      floor(extract(epoch from attempted_at))::bigint as attempted_at,
      -- 255 bins from 1 ms to 120 s, of the same width on a logarithmic scale.
      least(floor(ln(greatest(provider_latency_ms, 1)) * 255 / ln(120000)), 255)::integer as latency_bin,
      count(*) as outcomes
    from changed
    where is_sample and attempted_at > now() - interval '15 minutes'
    group by 1, 2, 3, 4, 5, 6, 7, 8, 9
  ), learnt as (
    insert into outcome_evidence (evidence)
    select json_agg(json_build_array(workspace_id, mode, provider_used, payment_method, currency, outcome,
      technical_failure_type, attempted_at, latency_bin, outcomes))
    from samples having count(*) > 0
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

-- Stores those whose decision has come, and answers how many are left, up to 10,000, and how long the oldest has waited.
-- Whoever has stored decisions or kept reports calls it afterwards: of two nodes that do so at once the later one sees
-- both. Those that have waited for long are tried more and more seldom.
create function match_kept_outcomes(out waiting bigint, out oldest_seconds float8) language plpgsql as $$
declare
  matched integer;
begin
  waiting := 0;
  oldest_seconds := 0;
  if not exists (select from unmatched_outcomes) then
    return;
  end if;
  perform pg_advisory_xact_lock(hashtextextended('match_kept_outcomes', 0));
  perform stage_outcomes();
  with due as materialized (
    select workspace_id, mode, decision_id from unmatched_outcomes
    where next_try_at <= now() or kept_at > now() - interval '2 minutes'
    order by next_try_at limit 1000
  ), found as (
    delete from unmatched_outcomes u using due
    where u.workspace_id = due.workspace_id and u.mode = due.mode and u.decision_id = due.decision_id
      and exists (
        select from decisions d
        where d.workspace_id = u.workspace_id and d.mode = u.mode and d.decision_id = u.decision_id
          and d.order_id = u.order_id and (u.merchant_scope is null or u.merchant_scope = d.merchant_id)
      )
    returning u.*
  )
  insert into pg_temp.staged_outcomes (position, workspace_id, decision_id, amount_minor, reported_at_ms, created_at_ms,
    provider_latency_ms, mode, outcome, technical_failure_type, order_id, provider_used, provider_reason_code, currency,
    merchant_scope)
  select 0, workspace_id, decision_id, amount_minor, reported_at_ms, created_at_ms, provider_latency_ms, mode, outcome,
    technical_failure_type, order_id, provider_used, provider_reason_code, currency, merchant_scope
  from found;
  get diagnostics matched = row_count;
  update unmatched_outcomes set next_try_at = now() + least(now() - kept_at, interval '1 hour')
  where next_try_at <= now();
  if matched > 0 then
    perform apply_outcomes();
    perform count_retry_outcomes();
  end if;
  select count(*) into waiting from (select from unmatched_outcomes limit 10000) as counted;
  select coalesce(extract(epoch from now() - min(kept_at)), 0) into oldest_seconds from unmatched_outcomes;
end
$$;
