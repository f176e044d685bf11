-- running nodes: survive, since no earlier version knows these tables.
--
-- What the database knows of each node: how far its journal is stored, and which number its decision ids carry.

-- Belongs to no workspace: a node serves all of them.
create table journal_positions (
  node_id text primary key,
  position bigint not null default 0, -- up to where the node's journal is in this database
  updated_at timestamptz not null default now(),
  node_number smallint unique, -- tells ids of different nodes apart
  last_sequence bigint not null default 0, -- the end of its journal when it last confirmed its number; it owes the rest
  -- The node ended in good order. It takes its number up again when it comes back, unless another node needed one.
  number_given_back boolean not null default false
);

-- Exactly once: the position moves in the transaction that writes the rows, and only from where the writer thinks it is.
-- A second writer waits for the first one's row lock, then finds the position moved.
create function advance_journal(node text, expected_position bigint, new_position bigint) returns void language plpgsql as $$
begin
  update journal_positions set position = new_position, updated_at = now()
  where node_id = node and position = expected_position;
  if not found then
    raise exception 'journal position of % moved', node using errcode = 'PJ001';
  end if;
end
$$;

-- NODE-5: the number of `node`, one of 0 to numbers - 1. A running node confirms it every minute. Where all numbers are
-- given, one is taken: first from a node that gave it back, then from one that was silent for ten minutes and owes
-- nothing, at last from one that was silent for a week, whose disk is lost.
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

-- One row for all nodes, made by the first one that asks.
create table decision_id_key (
  only_row boolean primary key default true check (only_row),
  secret bytea not null, -- behind decision ids where SECRET_KEY is unset
  fingerprint bytea not null -- of the key that decision ids are made with: a node with another one has another SECRET_KEY
);

-- CH-2: what each transaction of a node's writer stored, until ClickHouse has it too. Written only with ANALYTICS_URL, in
-- that transaction. A batch names blocks of documents and the time of its decisions, by which the rows are found again.
-- Belongs to no workspace, since a batch has rows of many.
create table log_copy_batches (
  node_id text not null,
  through bigint not null, -- the node's journal up to here
  stored_at timestamptz not null default now(),
  decisions integer not null,
  oldest_ms bigint, -- Unix milliseconds of its first and its last decision; null without any
  newest_ms bigint,
  workspaces uuid[] not null, -- of each block
  segments uuid[] not null,
  outcome_workspaces uuid[] not null, -- of each reported outcome
  outcome_modes smallint[] not null, -- MODES
  outcomes uuid[] not null, -- the decisions' ids
  primary key (node_id, through)
);
create index log_copy_batches_stored on log_copy_batches (stored_at);

-- CH-21: what changed of decisions outside a batch, until ClickHouse has it too: reviews, with the outcomes that they
-- record, and outcomes that waited for their decisions. A note has the decisions of one transaction.
create table log_copy_feedback (
  note_id bigint generated always as identity primary key,
  stored_at timestamptz not null default now(),
  workspaces uuid[] not null, -- of each decision
  modes smallint[] not null, -- MODES
  decisions uuid[] not null
);
create index log_copy_feedback_stored on log_copy_feedback (stored_at);

-- How far ClickHouse has a node's journal. Another node goes on with the lane of a node that is gone.
create table log_copy_lanes (
  node_id text primary key,
  position bigint not null default 0,
  inserting_through bigint, -- CH-3: the range of an insert is fixed before it begins
  leased_by text not null,
  leased_until timestamptz not null
);

-- Notes nothing where the log has not been copied for a week: nobody would ever read the notes.
create function note_feedback(of_workspaces uuid[], of_modes smallint[], of_decisions uuid[]) returns void language sql as $$
  insert into log_copy_feedback (workspaces, modes, decisions)
  select of_workspaces, of_modes, of_decisions
  where exists (select from log_copy_lanes where leased_until > now() - interval '7 days')
    or exists (select from log_copy_batches where stored_at > now() - interval '7 days')
$$;
