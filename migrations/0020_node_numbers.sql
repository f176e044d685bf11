-- NODE-5: 256 numbers last for as many nodes as live, not for as many as came in a week.

-- What the node's journal held when it last confirmed its number; beyond `position` it owes the rest.
alter table journal_positions add column last_sequence bigint not null default 0;
-- The node ended in good order. It takes its number up again when it comes back, unless another node needed one.
alter table journal_positions add column number_given_back boolean not null default false;

drop function claim_node_number(text, integer);

-- The number of `node`, one of 0 to numbers - 1; confirmed every minute by a node that runs. Where all are given, one is
-- taken: first from a node that gave it back, then from one that was silent for ten minutes and owes nothing, at last
-- from one that was silent for a week, whose disk is lost.
create function claim_node_number(node text, numbers integer, sequence bigint) returns integer language plpgsql as $$
declare
  claimed integer;
begin
  perform pg_advisory_xact_lock(hashtextextended('claim_node_number', 0));
  insert into journal_positions (node_id, last_sequence) values (node, sequence)
  on conflict (node_id) do update
  set updated_at = now(), last_sequence = greatest(journal_positions.last_sequence, sequence), number_given_back = false
  returning node_number into claimed;
  if claimed is not null then
    return claimed;
  end if;
  select min(n) into claimed from generate_series(0, numbers - 1) as n
  where not exists (select from journal_positions where node_number = n);
  if claimed is null then
    with taken as (
      select node_id, node_number from journal_positions
      where node_number is not null and (
        number_given_back
        or (updated_at < now() - interval '10 minutes' and last_sequence <= position)
        or updated_at < now() - interval '7 days'
      )
      order by number_given_back desc, last_sequence <= position desc, updated_at limit 1
    )
    update journal_positions as p set node_number = null
    from taken where p.node_id = taken.node_id
    returning taken.node_number into claimed;
  end if;
  if claimed is null then
    raise exception 'all % node numbers are in use: each is a node''s that was seen in the last ten minutes, or owes what its journal holds; stop nodes that are not needed, and start this one again', numbers
    using errcode = 'PJ002';
  end if;
  update journal_positions set node_number = claimed where node_id = node;
  return claimed;
end
$$;
