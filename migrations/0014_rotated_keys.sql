-- running nodes: survive, since no earlier version reads or writes this column.
--
-- KEY-10: the key that took the place of a rotated one. Null: the key was not rotated.
alter table api_keys add column replaced_by uuid;
