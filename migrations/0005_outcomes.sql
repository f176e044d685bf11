-- running nodes: survive, since no earlier version knows these tables.
--
-- How reported outcomes are stored: staged, joined with their decisions, counted, and kept aside where a decision is not
-- there yet.

-- Reports that were answered 200 and have no decision to be stored with. The decision is still in another node's journal,
-- or lost with that node's disk, or its id was invented so well that it passed. match_kept_outcomes() tries them again.
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

-- What outcomes say about providers, for every node to learn from: a row for each transaction that stored some. Belongs to
-- no workspace, since a row is about many at once. The transaction leads the key: a reader that goes on behind the last
-- one it has seen misses none that commits later.
create table outcome_evidence (
  stored_by xid8 not null default pg_current_xact_id(),
  evidence_id bigint generated always as identity,
  stored_at timestamptz not null default now(),
  -- [[workspace_id, mode, provider, payment_method, currency, outcome, technical_failure_type, attempted at (seconds
  -- since 1970), latency bin (src/domain/statistics/latency-histogram.ts), how many, reason code of a soft decline, country,
  -- card network or null], …]
  evidence json not null,
  primary key (stored_by, evidence_id)
);
create index outcome_evidence_stored_at on outcome_evidence (stored_at);

-- The table that a batch of outcomes is copied into: one per connection, emptied by the commit.
create function stage_outcomes() returns void language plpgsql as $$
begin
  if to_regclass('pg_temp.staged_outcomes') is null then
    create temp table staged_outcomes (
      position integer not null, -- in the batch: the last of several reports of one decision is stored
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

-- Stores the staged outcomes, a later report in place of an earlier one, and appends what that changes to rollup_deltas.
-- Nodes may drain in another order than they were reported to, so the time of the report decides. REV-5 is the exception:
-- a report always replaces what a rejected review recorded. Reports without a decision are kept aside.
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
    -- CELL-9: what counts of a workspace that comes from another cell is not all here yet.
    or s.workspace_id = any (array(select workspace_id from workspace_moves where step = 'arriving'))
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
      -- 1 is `soft_declined`: the only outcome whose code says whether it counts against the provider.
      case when outcome = 1 then provider_reason_code end as decline_code,
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
      -- A payment counts once: by its first report that says something about the provider. 6 `blocked` and what follows say
      -- nothing about it.
      s.outcome < 6 and (s.old_outcome is null or s.old_outcome >= 6) as is_sample,
      d.payment_method, d.country, d.card_network, s.provider_used, s.currency, s.technical_failure_type, s.decline_code, s.provider_latency_ms,
      s.attempted_at, d.currency as decision_currency, d.primary_provider
    from stored s
    join decisions d on d.workspace_id = s.workspace_id and d.mode = s.mode and d.decision_id = s.decision_id
  ), samples as (
    select workspace_id, mode, provider_used, payment_method, currency, country, card_network, outcome,
      technical_failure_type, decline_code,
      floor(extract(epoch from attempted_at))::bigint as attempted_at,
      -- 255 bins from 1 ms to 120 s, all of one width on a logarithmic scale.
      least(floor(ln(greatest(provider_latency_ms, 1)) * 255 / ln(120000)), 255)::integer as latency_bin,
      count(*) as outcomes
    from changed
    where is_sample and attempted_at > now() - interval '15 minutes'
    group by 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12
  ), learnt as (
    insert into outcome_evidence (evidence)
    select json_agg(json_build_array(workspace_id, mode, provider_used, payment_method, currency, outcome,
      technical_failure_type, attempted_at, latency_bin, outcomes, decline_code, country, card_network))
    from samples having count(*) > 0
  ), of_facets as (
    insert into facet_deltas (workspace_id, mode, hour, followed)
    select workspace_id, mode, hour, string_agg(concat(
      facet_text(merchant_id, decision_currency, country, payment_method, card_network, primary_provider), '|',
      action, ',', outcome, ',', old_outcome, ',', queued::integer), ';')
    from changed
    group by workspace_id, mode, hour
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

-- Puts an outcome of staged_outcomes, as JSON, back among those that wait for their decision; `old_for` is how long it
-- counts as waiting already.
create function keep_outcome(staged jsonb, old_for interval) returns void language sql as $$
  insert into unmatched_outcomes (workspace_id, mode, decision_id, amount_minor, reported_at_ms, created_at_ms,
    provider_latency_ms, outcome, technical_failure_type, order_id, provider_used, provider_reason_code, currency,
    merchant_scope, kept_at, next_try_at)
  select workspace_id, mode, decision_id, amount_minor, reported_at_ms, created_at_ms, provider_latency_ms, outcome,
    technical_failure_type, order_id, provider_used, provider_reason_code, currency, merchant_scope,
    now() - old_for, now() + old_for
  from jsonb_to_record(staged) as s (workspace_id uuid, mode smallint, decision_id uuid, amount_minor bigint,
    reported_at_ms bigint, created_at_ms bigint, provider_latency_ms bigint, outcome smallint,
    technical_failure_type smallint, order_id text, provider_used text, provider_reason_code text, currency text,
    merchant_scope text)
  on conflict do nothing
$$;

-- A kept outcome that is refused does not hold up the others: each is tried by itself, as a batch of the journal is.
-- `rows_own` and `servers` are SQLSTATE classes, see src/platform/postgres/refusal-kind.ts. An outcome that is refused for
-- any other reason goes on waiting, and is tried more and more seldom.
create function match_kept_singly(rows_own text[], servers text[]) returns void language plpgsql as $$
declare
  all_staged jsonb := (select jsonb_agg(to_jsonb(s)) from pg_temp.staged_outcomes s);
  staged jsonb;
  refusal text;
begin
  delete from pg_temp.staged_outcomes;
  for staged in select value from jsonb_array_elements(all_staged) loop
    begin
      insert into pg_temp.staged_outcomes select * from jsonb_populate_record(null::pg_temp.staged_outcomes, staged);
      perform apply_outcomes();
      perform count_retry_outcomes();
      delete from pg_temp.staged_outcomes;
    exception when others then
      if left(sqlstate, 2) = any (servers) then
        raise;
      end if;
      get stacked diagnostics refusal = message_text;
      if left(sqlstate, 2) = any (rows_own) then
        insert into set_aside (set_aside_id, workspace_id, mode, decision_id, kind, entry, statement, sql_state, message)
        values (new_ulid(), (staged->>'workspace_id')::uuid, (staged->>'mode')::smallint, (staged->>'decision_id')::uuid,
          'kept_outcome', convert_to(staged::text, 'UTF8'), 'apply_outcomes', sqlstate, left(refusal, 1000));
      else
        perform keep_outcome(staged, interval '2 minutes');
      end if;
    end;
  end loop;
end
$$;

-- Stores the kept outcomes whose decision has come. Answers how many are left, up to 10,000, and how long the oldest has
-- waited. A transaction that stored decisions or kept reports calls it afterwards: of two at once the later one sees both.
-- A report that has waited for long is tried more and more seldom.
create function match_kept_outcomes(rows_own text[], servers text[], out waiting bigint, out oldest_seconds float8)
language plpgsql as $$
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
    where (next_try_at <= now() or kept_at > now() - interval '2 minutes')
      and workspace_id <> all (array(select workspace_id from workspace_moves where step = 'arriving'))
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
    perform note_feedback(array_agg(workspace_id), array_agg(mode), array_agg(decision_id)) from pg_temp.staged_outcomes;
    begin
      perform apply_outcomes();
      perform count_retry_outcomes();
    exception when others then
      if left(sqlstate, 2) = any (servers) then
        raise;
      end if;
      perform match_kept_singly(rows_own, servers);
    end;
  end if;
  select count(*) into waiting from (select from unmatched_outcomes limit 10000) as counted;
  select coalesce(extract(epoch from now() - min(kept_at)), 0) into oldest_seconds from unmatched_outcomes;
end
$$;
