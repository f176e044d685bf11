-- running nodes: survive, since they read and write the table as before.
--
-- ADM-12, ADM-13: a page of the audit log under one filter reads its own rows alone, newest first.

create index audit_log_actions on audit_log (workspace_id, action, audit_id);
create index audit_log_actors on audit_log (workspace_id, actor, audit_id);
-- By bytes: the beginning of an id is then a range.
create index audit_log_resources on audit_log (workspace_id, resource collate "C", audit_id);

-- ADM-12: what changed at a merchant, without reading the whole log. A column and not an expression of `metadata`: under
-- row-level security only comparisons that leak nothing may use an index, and `->>` is none of them.

alter table audit_log add column merchant_id text generated always as (metadata ->> 'merchant_id') stored;
create index audit_log_of_merchant on audit_log (workspace_id, merchant_id, audit_id) where merchant_id is not null;
