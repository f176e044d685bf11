-- running nodes: survive, since no earlier version knows these tables, and all columns of other tables stay.
--
-- EVT: what happens in a workspace is told to its endpoints. The transaction that changes something also adds a row for
-- each endpoint that listens (an outbox). So an event is stored if and only if its change is.

create table event_endpoints (
  workspace_id uuid not null references workspaces,
  endpoint_id uuid not null,
  url text not null,
  types text[] not null, -- EVENT_TYPES of src/domain/vocabulary/event-types.ts
  description text,
  format text not null, -- EVENT_FORMATS
  sealed bytea not null, -- the signing secret, encrypted (src/platform/node/secret-box.ts)
  status text not null default 'enabled', -- EVENT_ENDPOINT_STATUSES
  created_at timestamptz not null default now(),
  failing_since timestamptz, -- when the first attempt failed since the last one that was accepted
  leased_by text, -- the node that sends, and until when no other node does
  leased_until timestamptz,
  primary key (workspace_id, endpoint_id)
);

create table event_deliveries (
  workspace_id uuid not null,
  endpoint_id uuid not null,
  delivery_id uuid not null,
  -- Transactions that tell of one subject wait for each other, so positions of a subject are in the order of its commits.
  position bigint generated always as identity,
  event_id uuid not null, -- the same at all endpoints, and in a redelivery
  type text not null,
  subject text not null, -- what the event is about: events of one subject are delivered in order
  body text not null,
  attempts integer not null default 0,
  next_try_at timestamptz default now(), -- null: nothing is left to do
  first_tried_at timestamptz,
  last_tried_at timestamptz,
  last_status smallint, -- of HTTP; null: no answer
  last_error text, -- DELIVERY_ERRORS; null: there was an answer
  delivered_at timestamptz,
  primary key (workspace_id, endpoint_id, delivery_id),
  foreign key (workspace_id, endpoint_id) references event_endpoints on delete cascade
);
create index event_deliveries_waiting on event_deliveries (workspace_id, endpoint_id, next_try_at)
where next_try_at is not null;
create index event_deliveries_subject on event_deliveries (workspace_id, endpoint_id, subject, position)
where next_try_at is not null;
create index event_deliveries_due on event_deliveries (next_try_at) where next_try_at is not null;
-- What is done is deleted by age, over all workspaces.
create index event_deliveries_done on event_deliveries (delivery_id) where next_try_at is null;

-- TEN-3, as in 0012_row_level_security.sql. Privileges: r select, i insert, u update, d delete.
do $$
declare
  guarded record;
begin
  for guarded in
    select * from (values ('event_endpoints', 'riud'), ('event_deliveries', 'ri')) as t (name, privileges)
  loop
    execute format('alter table %I enable row level security', guarded.name);
    execute format('alter table %I force row level security', guarded.name);
    execute format('create policy system on %I to %I using (true) with check (true)', guarded.name, current_user);
    execute format(
      'create policy tenant on %I to payinference_tenant using (workspace_id = (select tenant_workspace()))', guarded.name);
    execute format('grant select, insert on %I to payinference_tenant', guarded.name);
    if guarded.privileges like '%u%' then execute format('grant update on %I to payinference_tenant', guarded.name); end if;
    if guarded.privileges like '%d%' then execute format('grant delete on %I to payinference_tenant', guarded.name); end if;
  end loop;
end
$$;

-- An id as the API shows it: the 26 characters of src/domain/ids/ids.ts.
create function id_text(prefix text, id uuid) returns text language sql immutable strict parallel safe as $$
  select prefix || '_' || string_agg(
    substr('0123456789abcdefghjkmnpqrstvwxyz', substring(bits from 5 * place + 1 for 5)::bit(5)::integer + 1, 1), ''
    order by place)
  from (select B'00' || ('x' || replace(id::text, '-', ''))::bit(128) as bits) as all_bits, generate_series(0, 25) as place
$$;

-- FMT: ISO 8601, UTC, with milliseconds.
create function time_text(moment timestamptz) returns text language sql stable strict parallel safe as $$
  select to_char(moment at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')
$$;

-- MODES
create function mode_text(mode smallint) returns text language sql immutable parallel safe as $$
  select (array['test', 'live'])[mode + 1]
$$;

-- Whether an endpoint of the workspace listens. Where none does, an event costs this look-up. The workspace of all zeros is
-- everybody.
create function has_listener(owner uuid, of_type text) returns boolean language plpgsql stable as $$
begin
  if owner = '00000000-0000-0000-0000-000000000000' then
    return exists (select from event_endpoints where status = 'enabled' and of_type = any(types));
  end if;
  return exists (
    select from event_endpoints where workspace_id = owner and status = 'enabled' and of_type = any(types));
end
$$;

-- Two statements: one for both cases would read the endpoints of all workspaces, before PostgreSQL 16.
create function add_event(owner uuid, of_type text, of_subject text, data json) returns void language plpgsql as $$
declare
  told_id uuid := new_ulid();
  told_body text := json_build_object('type', of_type, 'timestamp', time_text(clock_timestamp()), 'data', data);
begin
  -- An endpoint that is deleted meanwhile is left out, and does not refuse the change.
  if owner = '00000000-0000-0000-0000-000000000000' then
    insert into event_deliveries (workspace_id, endpoint_id, delivery_id, event_id, type, subject, body)
    select e.workspace_id, e.endpoint_id, new_ulid(), told_id, of_type, of_subject, told_body
    from event_endpoints e
    where e.status = 'enabled' and of_type = any(e.types)
    for key share of e;
  else
    insert into event_deliveries (workspace_id, endpoint_id, delivery_id, event_id, type, subject, body)
    select e.workspace_id, e.endpoint_id, new_ulid(), told_id, of_type, of_subject, told_body
    from event_endpoints e
    where e.workspace_id = owner and e.status = 'enabled' and of_type = any(e.types)
    for key share of e;
  end if;
end
$$;

-- EVT-12: called by the writer in the transaction that stores the decisions.
create function add_held_events(owners uuid[], modes smallint[], ids uuid[]) returns void language plpgsql as $$
declare
  held decisions;
begin
  if not exists (
    select from event_endpoints
    where workspace_id = any(owners) and status = 'enabled' and 'decision.held' = any(types)) then
    return;
  end if;
  for held in
    select d.* from unnest(owners, modes, ids) as k (workspace_id, mode, decision_id)
    join decisions d using (workspace_id, mode, decision_id)
    where has_listener(k.workspace_id, 'decision.held')
    order by decision_id
  loop
    perform add_event(held.workspace_id, 'decision.held', id_text('dec', held.decision_id), json_build_object(
      'decision_id', id_text('dec', held.decision_id), 'mode', mode_text(held.mode), 'merchant_id', held.merchant_id,
      'order_id', held.order_id, 'amount', held.amount_minor, 'currency', held.currency,
      'primary_provider', held.primary_provider));
  end loop;
end
$$;

create function tell_of_review() returns trigger language plpgsql as $$
declare
  reviewed record;
begin
  if has_listener(new.workspace_id, 'decision.reviewed') then
    select merchant_id, order_id into reviewed from decisions
    where workspace_id = new.workspace_id and mode = new.mode and decision_id = new.decision_id;
    perform add_event(new.workspace_id, 'decision.reviewed', id_text('dec', new.decision_id), json_build_object(
      'decision_id', id_text('dec', new.decision_id), 'mode', mode_text(new.mode), 'merchant_id', reviewed.merchant_id,
      'order_id', reviewed.order_id, 'resolution', (array['approve', 'reject'])[new.resolution + 1], 'note', new.note,
      'resolved_by', id_text('usr', new.resolved_by), 'resolved_at', time_text(new.resolved_at)));
  end if;
  return null;
end
$$;
create trigger review_told after insert on reviews for each row execute function tell_of_review();

create function tell_of_policy() returns trigger language plpgsql as $$
begin
  if has_listener(new.workspace_id, 'policy.published') then
    perform add_event(new.workspace_id, 'policy.published', 'policy of ' || new.merchant_id, json_build_object(
      'policy_id', id_text('pol', new.policy_id), 'merchant_id', new.merchant_id, 'name', new.name,
      'version', 'v' || new.version_number));
  end if;
  return null;
end
$$;
-- 1 is `published`.
create trigger policy_created_told after insert on policies
  for each row when (new.status = 1) execute function tell_of_policy();
create trigger policy_published_told after update of status on policies
  for each row when (new.status = 1 and old.status <> 1) execute function tell_of_policy();

-- The argument is the type.
create function tell_of_api_key() returns trigger language plpgsql as $$
begin
  if has_listener(new.workspace_id, tg_argv[0]) then
    perform add_event(new.workspace_id, tg_argv[0], id_text('key', new.key_id), json_build_object(
      'api_key_id', id_text('key', new.key_id), 'name', new.name, 'mode', mode_text(new.mode),
      'merchant_id', new.merchant_id, 'expires_at', time_text(new.expires_at), 'revoked_at', time_text(new.revoked_at)));
  end if;
  return null;
end
$$;
create trigger api_key_created_told after insert on api_keys
  for each row execute function tell_of_api_key('key.created');
create trigger api_key_revoked_told after update of revoked_at on api_keys
  for each row when (old.revoked_at is null and new.revoked_at is not null) execute function tell_of_api_key('key.revoked');

-- ALERT_KIND_ROWS of src/domain/vocabulary/alert-kinds.ts by code. Null: a kind of a later version.
create function alert_kind_text(kind smallint) returns text language sql immutable parallel safe as $$
  select (array['provider_health', 'workspace_health', 'set_aside', 'clock', 'approval_drop', 'technical_failures', 'issuer',
    'event_endpoint', 'retention'])[kind + 1]
$$;

create function tell_of_alert() returns trigger language plpgsql as $$
begin
  if has_listener(new.workspace_id, tg_argv[0]) then
    perform add_event(new.workspace_id, tg_argv[0], id_text('alr', new.alert_id), json_build_object(
      'alert_id', id_text('alr', new.alert_id), 'kind', alert_kind_text(new.kind), 'mode', mode_text(new.mode),
      'severity', (array['warning', 'critical'])[new.severity + 1], 'provider', new.provider,
      'segment_key', new.segment_key, 'reason_code', new.reason_code, 'opened_at', time_text(new.opened_at),
      'closed_at', time_text(new.closed_at)));
  end if;
  return null;
end
$$;
create trigger alert_opened_told after insert on alerts
  for each row when (new.closed_at is null) execute function tell_of_alert('alert.opened');
create trigger alert_closed_told after update of closed_at on alerts
  for each row when (old.closed_at is null and new.closed_at is not null) execute function tell_of_alert('alert.closed');

-- EVT-8: the workspace's alert stands while an endpoint of it is disabled by failures. The function runs as its owner,
-- because a tenant who enables an endpoint again has no right to change alerts.
do $$
begin
  execute format($function$
    create function alert_of_event_endpoint() returns trigger language plpgsql security definer set search_path = %I, pg_temp
    as $body$
    declare
      owner constant uuid := coalesce(new.workspace_id, old.workspace_id);
      endpoint_kind constant smallint := 7;
    begin
      if exists (select from event_endpoints where workspace_id = owner and status = 'failed') then
        -- 0 is `warning`
        insert into alerts (workspace_id, kind, alert_id, severity, reason_code, opened_at, confirmed_at)
        values (owner, endpoint_kind, new_ulid(), 0, 'EVENT_ENDPOINT_DISABLED', clock_timestamp(), clock_timestamp())
        on conflict (workspace_id, mode, segment_key, kind) where closed_at is null do nothing;
      else
        update alerts set closed_at = greatest(opened_at, clock_timestamp())
        where workspace_id = owner and kind = endpoint_kind and closed_at is null;
      end if;
      return null;
    end
    $body$
  $function$, current_schema());
end
$$;
create trigger event_endpoint_failed after update of status on event_endpoints
  for each row when (old.status is distinct from new.status and 'failed' in (old.status, new.status))
  execute function alert_of_event_endpoint();
create trigger event_endpoint_deleted after delete on event_endpoints
  for each row when (old.status = 'failed') execute function alert_of_event_endpoint();
