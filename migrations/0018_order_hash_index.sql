-- Look-ups by order are by equality alone: a hash index costs each decision half of what a btree over the same hash does
-- (bench/layouts.ts), more so the larger it is.
drop index decisions_order;
create index decisions_order on decisions
  using hash (hashtextextended(order_id, uuid_hash_extended(workspace_id, 0)));
