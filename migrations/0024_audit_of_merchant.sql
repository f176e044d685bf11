-- running nodes: survive, since they name the columns that they write.
--
-- ADM-12: what changed at a merchant, without reading the whole log. A column and not an expression of `metadata`: under
-- row-level security only comparisons that leak nothing may use an index, and `->>` is none of them.

alter table audit_log add column merchant_id text generated always as (metadata ->> 'merchant_id') stored;
create index audit_log_of_merchant on audit_log (workspace_id, merchant_id, audit_id) where merchant_id is not null;
