-- running nodes: survive, since they call add_event as before. Nodes of this version tell everybody what they add.
--
-- EVT-15: an alert that every workspace sees was added for each endpoint in the transaction of the alert. With 100,000
-- workspaces that is one transaction of 100,000 rows, and the nodes' alerts wait for it. Now the transaction adds one row.
-- The thread that sends events tells a page of endpoints of it at a time (src/features/events/queries/fan-out.ts).

-- Belongs to no workspace: what is told to every workspace.
create table event_fan_outs (
  -- The order of the row's transactions where these wait for each other, as those of one alert do.
  position bigint primary key generated always as identity,
  event_id uuid not null,
  type text not null, -- EVENT_TYPES
  subject text not null,
  body text not null,
  told_at timestamptz not null, -- an endpoint that was added later is not told
  -- All endpoints up to this one have been told.
  told_workspace_id uuid not null default '00000000-0000-0000-0000-000000000000',
  told_endpoint_id uuid not null default '00000000-0000-0000-0000-000000000000'
);

-- For everybody the look-up does not ask who listens: that would read the endpoints of all workspaces.
create or replace function has_listener(owner uuid, of_type text) returns boolean language plpgsql stable as $$
begin
  if owner = '00000000-0000-0000-0000-000000000000' then
    return exists (select from event_endpoints);
  end if;
  return exists (
    select from event_endpoints where workspace_id = owner and status = 'enabled' and of_type = any(types));
end
$$;

create or replace function add_event(owner uuid, of_type text, of_subject text, data json) returns void
language plpgsql as $$
declare
  told_id uuid := new_ulid();
  told_at timestamptz := clock_timestamp();
  told_body text := json_build_object('type', of_type, 'timestamp', time_text(told_at), 'data', data);
begin
  if owner = '00000000-0000-0000-0000-000000000000' then
    insert into event_fan_outs (event_id, type, subject, body, told_at)
    values (told_id, of_type, of_subject, told_body, told_at);
  else
    -- An endpoint that is deleted meanwhile is left out, and does not refuse the change.
    insert into event_deliveries (workspace_id, endpoint_id, delivery_id, event_id, type, subject, body)
    select e.workspace_id, e.endpoint_id, new_ulid(), told_id, of_type, of_subject, told_body
    from event_endpoints e
    where e.workspace_id = owner and e.status = 'enabled' and of_type = any(e.types)
    for key share of e;
  end if;
end
$$;
