-- Tenancy, the second time over (TEN-3): what a query's forgotten workspace clause would let through, the server
-- refuses. Tenant queries run as payinference_tenant, with the workspace set for the transaction; the owner of the tables
-- is who drains, folds, authenticates and administers the platform. src/persistence/tenant-role.ts makes the role.

-- Without a workspace it is null, and no row is its own. After a transaction that set it, PostgreSQL leaves ''.
create function tenant_workspace() returns uuid language sql stable parallel safe as $$
  select nullif(current_setting('payinference.workspace_id', true), '')::uuid
$$;

-- COPY refuses tables with row-level security, so the writer's go to a partition by name, as those of decisions do.
alter table rollup_deltas rename to rollup_deltas_rows;
create table rollup_deltas (like rollup_deltas_rows) partition by list (mode);
alter table rollup_deltas attach partition rollup_deltas_rows default;

-- Every table of tenants' rows: partitions are not named here, and nobody but the owner has any right to them.
-- Privileges: r select, i insert, u update, d delete.
do $$
declare
  guarded record;
begin
  for guarded in
    select * from (values
      ('workspaces', 'ru'), ('merchants', 'riu'), ('memberships', 'rud'), ('sessions', 'rd'), ('invitations', 'rid'),
      ('api_keys', 'riu'), ('changes', ''), ('audit_log', 'ri'), ('policies', 'riu'), ('provider_overrides', 'riud'),
      ('alerts', 'r'), ('alert_acknowledgements', 'ri'),
      ('decisions', 'r'), ('decision_segments', 'r'), ('outcomes', 'ri'), ('unmatched_outcomes', ''), ('reviews', 'ri'),
      ('rollup_deltas', 'ri'), ('rollup_hours', 'r'), ('rollup_totals', 'r'), ('rollup_providers', 'r'),
      ('rollup_latencies', 'r'), ('rollup_months', 'r'), ('rollup_provider_hours', 'r'),
      ('rollup_latency_hours', 'r'), ('rollup_latency_days', 'r'), ('merchant_amounts', ''),
      ('pricing_contracts', 'ri'), ('observed_prices', 'ri'), ('merchant_prices', 'riu'),
      ('webhook_secrets', 'riud'), ('webhook_events', 'ri'), ('observed_fees', 'rid')
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
  execute format('grant usage on schema %I to payinference_tenant', current_schema());

  -- People belong to no workspace, but whom a tenant sees is its members; never a password.
  alter table users enable row level security;
  alter table users force row level security;
  execute format('create policy system on users to %I using (true) with check (true)', current_user);
end
$$;

create policy tenant on users for select to payinference_tenant using (
  exists (select from memberships m where m.workspace_id = (select tenant_workspace()) and m.user_id = users.user_id));
grant select (user_id, email, name) on users to payinference_tenant;

-- What the probes say is everybody's: those alerts have the workspace of all zeros.
create policy everybody on alerts for select to payinference_tenant
  using (workspace_id = '00000000-0000-0000-0000-000000000000');

-- A review locks its decision, which takes the right to update one of its columns.
grant update (payment_method) on decisions to payinference_tenant;

-- Of no workspace: health as it was seen, by the hash of its content.
grant select on health_views to payinference_tenant;

-- An order's decisions, of the workspace that is set. A hash is not leakproof, so row-level security would keep the index
-- decisions_order from being used; here the workspace is part of the look-up instead.
do $$
begin
  execute format(
    'create function order_decisions(of_mode smallint, of_order text) returns setof uuid
     language sql stable security definer rows 4 set search_path = %I, pg_temp as $body$
       select d.decision_id from decisions d
       where d.workspace_id = tenant_workspace() and d.mode = of_mode and d.order_id = of_order
         and hashtextextended(d.order_id, uuid_hash_extended(d.workspace_id, 0))
           = hashtextextended(of_order, uuid_hash_extended(tenant_workspace(), 0))
     $body$', current_schema());
end
$$;
revoke execute on function order_decisions(smallint, text) from public;
grant execute on function order_decisions(smallint, text) to payinference_tenant;
