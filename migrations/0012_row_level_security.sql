-- running nodes: survive, since no earlier version knows these tables.
--
-- TEN-3, tenancy a second time: the server refuses what a query with a forgotten workspace clause would let through.
-- Queries of tenants run as payinference_tenant, with the workspace set for the transaction. The owner of the tables
-- drains, folds, authenticates and administers the platform. src/platform/postgres/tenant-role.ts makes the role.

-- Without a workspace it is null, which equals no row's. After a transaction that set it, PostgreSQL leaves ''.
create function tenant_workspace() returns uuid language sql stable parallel safe as $$
  select nullif(current_setting('payinference.workspace_id', true), '')::uuid
$$;

-- These tables hold tenants' rows. Partitions are not named, because nobody but the owner has any right to them.
-- Privileges: r select, i insert, u update, d delete.
do $$
declare
  guarded record;
begin
  for guarded in
    select * from (values
      ('workspaces', 'ru'), ('merchants', 'riu'), ('memberships', 'rud'), ('sessions', 'rd'), ('invitations', 'rid'),
      -- SET-14: what a workspace keeps has limits. Beyond them its oldest archived policies and revoked keys are deleted.
      ('api_keys', 'riud'), ('policies', 'riud'),
      ('changes', ''), ('audit_log', 'ri'), ('learnt_health', ''), ('provider_overrides', 'riud'),
      ('alerts', 'r'), ('alert_acknowledgements', 'ri'),
      ('decisions', 'r'), ('decision_segments', 'r'), ('outcomes', 'ri'), ('unmatched_outcomes', ''), ('reviews', 'ri'),
      ('set_aside', 'r'), -- a read of a decision looks whether it waits there
      ('rollup_deltas', 'ri'), ('rollup_hours', 'r'), ('rollup_totals', 'r'), ('rollup_providers', 'r'),
      ('rollup_latencies', 'r'), ('rollup_months', 'r'), ('rollup_provider_hours', 'r'),
      ('rollup_latency_hours', 'r'), ('rollup_latency_days', 'r'), ('merchant_amounts', ''),
      ('retried_decisions', 'r'), ('rollup_costs', 'r'), ('rollup_cost_deltas', 'r'), ('rollup_retries', 'r'),
      ('rollup_retry_deltas', 'r'),
      ('pricing_contracts', 'ri'), ('observed_prices', 'ri'), ('merchant_prices', 'riu'),
      ('webhook_secrets', 'riud'), ('webhook_events', 'ri'), ('observed_fees', 'rid'), ('provider_incidents', 'riu')
    ) as t (name, privileges)
  loop
    execute format('alter table %I enable row level security', guarded.name);
    -- For the owner too: only the policy below lets the owner through.
    execute format('alter table %I force row level security', guarded.name);
    execute format('create policy system on %I to %I using (true) with check (true)', guarded.name, current_user);
    -- A subquery is evaluated once per statement, and its value can be looked up in an index.
    execute format(
      'create policy tenant on %I to payinference_tenant using (workspace_id = (select tenant_workspace()))', guarded.name);
    if guarded.privileges like '%r%' then execute format('grant select on %I to payinference_tenant', guarded.name); end if;
    if guarded.privileges like '%i%' then execute format('grant insert on %I to payinference_tenant', guarded.name); end if;
    if guarded.privileges like '%u%' then execute format('grant update on %I to payinference_tenant', guarded.name); end if;
    if guarded.privileges like '%d%' then execute format('grant delete on %I to payinference_tenant', guarded.name); end if;
  end loop;
  -- RET-20: a merchant that is being erased is unknown at once.
  alter policy tenant on merchants
    using (workspace_id = (select tenant_workspace()) and erased_at is null);
  execute format('grant usage on schema %I to payinference_tenant', current_schema());

  -- People belong to no workspace, but a tenant sees its members. Replies to changes are the service's alone.
  for guarded in select * from (values ('users'), ('change_replies')) as t (name) loop
    execute format('alter table %I enable row level security', guarded.name);
    execute format('alter table %I force row level security', guarded.name);
    execute format('create policy system on %I to %I using (true) with check (true)', guarded.name, current_user);
  end loop;
end
$$;

create policy tenant on users for select to payinference_tenant using (
  exists (select from memberships m where m.workspace_id = (select tenant_workspace()) and m.user_id = users.user_id));
-- Never a password.
grant select (user_id, email, name) on users to payinference_tenant;

-- What the probes say concerns everybody: those alerts have the workspace of all zeros.
create policy everybody on alerts for select to payinference_tenant
  using (workspace_id = '00000000-0000-0000-0000-000000000000');

-- A review locks its decision, which takes the right to update one of its columns.
grant update (payment_method) on decisions to payinference_tenant;

-- Tables of no workspace that a tenant's reads need. A health view is found by the hash of its content.
grant select on health_views, rollup_beginnings to payinference_tenant;

do $$
begin
  -- An order's decisions, of the workspace that is set. A hash is not leakproof, so row-level security would keep the index
  -- decisions_order from being used. Here the workspace is part of the look-up instead.
  execute format(
    'create function order_decisions(of_mode smallint, of_order text) returns setof uuid
     language sql stable security definer rows 4 set search_path = %I, pg_temp as $body$
       select d.decision_id from decisions d
       where d.workspace_id = tenant_workspace() and d.mode = of_mode and d.order_id = of_order
         and hashtextextended(d.order_id, uuid_hash_extended(d.workspace_id, 0))
           = hashtextextended(of_order, uuid_hash_extended(tenant_workspace(), 0))
     $body$', current_schema());
  -- How many other workspaces have a secret for a route: a number, and nothing else about them.
  execute format(
    'create function other_workspaces_of_route(of_merchant text, of_provider text, at timestamptz) returns integer
     language sql stable security definer set search_path = %I, pg_temp as $body$
       select count(distinct workspace_id)::integer from webhook_secrets
       where merchant_id = of_merchant and provider = of_provider and workspace_id <> tenant_workspace()
         and (expires_at is null or expires_at > at)
     $body$', current_schema());
end
$$;
revoke execute on function order_decisions(smallint, text) from public;
grant execute on function order_decisions(smallint, text) to payinference_tenant;
revoke execute on function other_workspaces_of_route(text, text, timestamptz) from public;
grant execute on function other_workspaces_of_route(text, text, timestamptz) to payinference_tenant;
