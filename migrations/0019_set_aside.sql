-- Records that were acknowledged and that PostgreSQL refuses for what they hold: one of them would keep all that wait
-- behind it from being stored. Each is kept as it was, by the transaction that moves the journal's position past it.
create table set_aside (
  workspace_id uuid not null, -- nil: of no workspace
  set_aside_id uuid not null,
  mode smallint, -- MODES
  decision_id uuid,
  kind text not null, -- of path/journal/batch-codec.ts; kept_outcome: of unmatched_outcomes
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

alter table set_aside enable row level security;
alter table set_aside force row level security;
do $$
begin
  execute format('create policy system on set_aside to %I using (true) with check (true)', current_user);
end
$$;
create policy tenant on set_aside to payinference_tenant using (workspace_id = (select tenant_workspace()));
-- A read of a decision looks whether it waits here.
grant select on set_aside to payinference_tenant;

-- The random part of an id that PostgreSQL makes, below the moment's ULID.
create function new_ulid() returns uuid language sql volatile as $$
  select (left(replace(ulid_floor(clock_timestamp())::text, '-', ''), 12)
    || right(replace(gen_random_uuid()::text, '-', ''), 20))::uuid
$$;

-- A kept outcome that is refused does not keep the others: each is tried by itself, as a batch of the journal is.
-- `rows_own` and `servers` are SQLSTATE classes, see src/platform/postgres/refusal-kind.ts. What is neither stays among
-- those that wait, and is tried more and more seldom.
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

-- migrations/0007_outcomes.sql has the first form, in which one outcome that is refused kept all of them.
drop function match_kept_outcomes();
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
