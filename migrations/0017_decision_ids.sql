-- What decision ids are made from, so that every node knows a decision of any node by its id alone.

-- Ids of different nodes differ by the number of the node that made them.
alter table journal_positions add column node_number smallint unique;

-- The number of `node`, one of 0 to numbers - 1; asked again at each start, and now and then by a node that runs. One
-- that has not asked for a week may lose it to a new node, where no other number is left.
create function claim_node_number(node text, numbers integer) returns integer language plpgsql as $$
declare
  claimed integer;
begin
  perform pg_advisory_xact_lock(hashtextextended('claim_node_number', 0));
  insert into journal_positions (node_id) values (node)
  on conflict (node_id) do update set updated_at = now()
  returning node_number into claimed;
  if claimed is not null then
    return claimed;
  end if;
  select min(n) into claimed from generate_series(0, numbers - 1) as n
  where not exists (select from journal_positions where node_number = n);
  if claimed is null then
    update journal_positions set node_number = null
    where node_id = (
      select node_id from journal_positions
      where node_number is not null and updated_at < now() - interval '7 days'
      order by updated_at limit 1
    );
    select min(n) into claimed from generate_series(0, numbers - 1) as n
    where not exists (select from journal_positions where node_number = n);
  end if;
  if claimed is null then
    raise exception 'all % node numbers are in use', numbers using errcode = 'PJ002';
  end if;
  update journal_positions set node_number = claimed where node_id = node;
  return claimed;
end
$$;

-- Made by the first node that asks. Global: every node's.
create table decision_id_key (
  only_row boolean primary key default true check (only_row),
  secret bytea not null, -- behind decision ids where SECRET_KEY is unset
  fingerprint bytea not null -- of the key that decision ids are made with: a node with another one has another SECRET_KEY
);
