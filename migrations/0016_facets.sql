-- running nodes: breaking, since they would store decisions that nobody counts by facet.
--
-- LOG-21: exact counts by merchant, currency, country, payment method, card network and primary provider. A facet is one
-- combination of these values that a workspace has had.
--
-- Most decisions of a batch have facets of their own, so a row for each facet and hour would cost more than the decision.
-- docs/decisions/0089-facets-are-counted-in-blocks.md has what that costs. Instead the counts of all facets of an hour are
-- one value, which src/path/writer/copy/facet-block.ts reads and writes. Writers append what they change to
-- facet_deltas, as in 0006_rollups.sql. A fold by one node at a time adds it to the facet blocks. A reader adds what is left.

create table facets (
  workspace_id uuid not null,
  facet_id integer not null, -- from 0
  merchant_id text not null,
  currency text not null,
  country text not null, -- '' is none
  payment_method smallint not null, -- PAYMENT_METHODS
  card_network smallint not null, -- CARD_NETWORKS; -1 is none
  provider text not null, -- the primary one; '' is none
  primary key (workspace_id, facet_id),
  unique (workspace_id, merchant_id, currency, country, payment_method, card_network, provider)
);

-- Partitioned for the reason that 0006_rollups.sql gives.
create table facet_deltas (
  workspace_id uuid not null,
  mode smallint not null, -- MODES
  hour integer not null, -- hours since 1970, of the decision
  -- src/path/writer/copy/facet-deltas.ts has the form of both texts.
  decided text, -- decisions that were made
  followed text -- what outcomes and reviews change
) partition by list (mode);
create table facet_deltas_rows partition of facet_deltas default
with (toast_tuple_target = 8160); -- texts stay in the row
-- To compress a text that is removed soon costs more than to write it.
alter table facet_deltas_rows alter column decided set storage external, alter column followed set storage external;

create table facet_blocks (
  workspace_id uuid not null,
  mode smallint not null, -- MODES
  level smallint not null, -- 0 hour, 1 day, 2 month, UTC
  period integer not null, -- hours or days since 1970, or hour_month()
  decided bytea not null, -- enforce and shadow decisions by action
  unresolved bytea not null, -- enforce decisions by action with neither outcome nor review
  outcomes bytea not null, -- stored outcomes
  primary key (workspace_id, mode, level, period)
);
alter table facet_blocks
  alter column decided set storage external,
  alter column unresolved set storage external,
  alter column outcomes set storage external;

do $$
declare
  guarded record;
begin
  for guarded in
    select * from (values ('facets', 'select'), ('facet_deltas', 'select, insert'), ('facet_blocks', 'select'))
      as t (name, privileges)
  loop
    execute format('alter table %I enable row level security', guarded.name);
    execute format('alter table %I force row level security', guarded.name);
    execute format('create policy system on %I to %I using (true) with check (true)', guarded.name, current_user);
    execute format(
      'create policy tenant on %I to payinference_tenant using (workspace_id = (select tenant_workspace()))', guarded.name);
    execute format('grant %s on %I to payinference_tenant', guarded.privileges, guarded.name);
  end loop;
end
$$;

-- A facet as the deltas name it. Nothing of it holds a comma, a bar or a semicolon.
create function facet_text(merchant_id text, currency text, country text, payment_method smallint, card_network smallint,
  provider text) returns text language sql stable parallel safe as $$
  select concat(merchant_id, ',', currency, ',', country, ',', payment_method, ',', card_network, ',', provider)
$$;

-- Counts everything that is stored anew. The writers stand still while it runs.
create function recount_facets() returns void language plpgsql as $$
begin
  delete from facet_deltas;
  delete from facet_blocks;
  insert into facet_deltas (workspace_id, mode, hour, decided)
  select workspace_id, mode, hour, string_agg(concat(facet, '|', decision_mode, ',', action, ',', decisions), ';')
  from (
    select workspace_id, mode, id_hour(decision_id) as hour,
      facet_text(merchant_id, currency, country, payment_method, card_network, primary_provider) as facet,
      decision_mode, action, count(*) as decisions
    from decisions
    group by 1, 2, 3, 4, 5, 6
  ) counted
  group by workspace_id, mode, hour;
  insert into facet_deltas (workspace_id, mode, hour, followed)
  select d.workspace_id, d.mode, id_hour(d.decision_id), string_agg(concat(
    facet_text(d.merchant_id, d.currency, d.country, d.payment_method, d.card_network, d.primary_provider), '|',
    d.action, ',', o.outcome, ',,', (d.decision_mode = 0)::integer), ';')
  from decisions d
  left join outcomes o using (workspace_id, mode, decision_id)
  left join reviews r using (workspace_id, mode, decision_id)
  where o.decision_id is not null or r.decision_id is not null
  group by 1, 2, 3;
end
$$;
select recount_facets();
