-- Until when all that each node has acknowledged is stored, so that another node that finds no decision knows whether
-- there is none or whether it is still in somebody's journal. By this database's own clock: the hosts' may differ.
alter table journal_positions
  add column settled_through timestamptz not null default 'epoch',
  add column stopped boolean not null default false; -- with everything stored
