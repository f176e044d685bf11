-- Until when all that each node has acknowledged is stored, so that another node that finds no decision knows whether
-- there is none or whether it is still in somebody's journal. By this database's own clock: the hosts' may differ.
alter table journal_positions
  -- Null: it has told nothing yet.
  add column settled_through timestamptz,
  add column stopped boolean not null default false; -- with everything stored
