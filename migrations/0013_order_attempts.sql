-- running nodes: survive, since no earlier version knows this table.
--
-- RTRY-17: attempts that orders had, for every node to count: a row for each transaction that stored some. Belongs to no
-- workspace, since a row is about many at once. The transaction leads the key, as in outcome_evidence: a reader that goes
-- on behind the last one it has seen misses none that commits later.
create table order_attempts (
  stored_by xid8 not null default pg_current_xact_id(),
  attempts_id bigint generated always as identity,
  stored_at timestamptz not null default now(),
  attempts bytea not null, -- for each attempt 16 bytes of its key and the 16 bytes of its decision's id
  primary key (stored_by, attempts_id)
);
create index order_attempts_stored_at on order_attempts (stored_at);
