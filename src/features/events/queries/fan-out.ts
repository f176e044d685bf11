import type { Queryable } from "../../../platform/postgres/pool.js";

/** EVT-15: the most endpoints that one transaction adds an event to. */
export const ENDPOINTS_PER_PAGE = 500;

/**
 * EVT-15: makes deliveries of the oldest event in `event_fan_outs` for the next page of endpoints. The same statement
 * stores the last endpoint of the page. Returns whether there may be more pages. Only one node at a time distributes events, oldest first. No
 * endpoint therefore gets the end of an alert before its beginning.
 */
export async function tellNextPage(db: Queryable): Promise<boolean> {
  const { rows } = await db.query<{ is_told: boolean }>({
    name: "tell_next_event_page",
    text: `with event as (
         select * from event_fan_outs
         where position = (select position from event_fan_outs order by position limit 1)
         for update skip locked),
       page as (
         select e.workspace_id, e.endpoint_id,
           e.status = 'enabled' and event.type = any(e.types) and e.created_at <= event.told_at as listens
         from event, lateral (
           select * from event_endpoints
           where (workspace_id, endpoint_id) > (event.told_workspace_id, event.told_endpoint_id)
           order by workspace_id, endpoint_id limit $1) e),
       listeners as (
         -- An endpoint that was deleted after the page was read is left out.
         select e.workspace_id, e.endpoint_id from page join event_endpoints e using (workspace_id, endpoint_id)
         where page.listens for key share of e),
       told as (
         insert into event_deliveries (workspace_id, endpoint_id, delivery_id, event_id, type, subject, body)
         select l.workspace_id, l.endpoint_id, new_ulid(), event.event_id, event.type, event.subject, event.body
         from event, listeners l),
       last as (
         select workspace_id, endpoint_id from page order by workspace_id desc, endpoint_id desc
         -- A page that is not full is the last one.
         limit case when (select count(*) from page) < $1 then 0 else 1 end),
       moved as (
         update event_fan_outs f set told_workspace_id = last.workspace_id, told_endpoint_id = last.endpoint_id
         from event, last where f.position = event.position),
       ended as (
         delete from event_fan_outs f using event
         where f.position = event.position and not exists (select from last))
       select true as is_told from event`,
    values: [ENDPOINTS_PER_PAGE],
  });
  return rows.length > 0;
}
