-- running nodes: survive, since no earlier version reads or writes these columns. What they publish meanwhile names nobody.
--
-- POL-21: who wrote a version and why, who put it live and who archived it, when. Null: not yet, or not known.
alter table policies
  add column author text, -- usr_… or key_…, as in audit_log
  add column comment text,
  add column published_at timestamptz,
  add column published_by text,
  add column archived_at timestamptz,
  add column archived_by text;
