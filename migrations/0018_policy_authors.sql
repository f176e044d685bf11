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

-- The audit log knows it of the versions from before. The content of these policies stays, so no node copies them again.
alter table policies disable trigger policy_changed;
with told as (
  select workspace_id, audit_id, actor, resource, metadata,
    action in ('policy.published', 'policy.rolled_back') as published,
    to_timestamp(('x' || substr(replace(audit_id::text, '-', ''), 1, 12))::bit(48)::bigint / 1000.0) as told_at
  from audit_log where action in ('policy.created', 'policy.published', 'policy.rolled_back')
), creations as (
  select distinct on (workspace_id, resource) * from told order by workspace_id, resource, audit_id
), publications as (
  select distinct on (workspace_id, resource) * from told where published
  order by workspace_id, resource, audit_id desc
), archivals as (
  select distinct on (workspace_id, metadata ->> 'merchant_id', metadata ->> 'archived_version')
    told.*, metadata ->> 'merchant_id' as merchant_id, metadata ->> 'archived_version' as version
  from told where metadata ->> 'archived_version' is not null
  order by workspace_id, metadata ->> 'merchant_id', metadata ->> 'archived_version', audit_id desc
)
update policies set
  author = creations.actor,
  -- 1 is `published`, 2 `archived`. A change of the status is the last one of its version.
  published_at = coalesce(publications.told_at, case stored.status when 1 then stored.updated_at end),
  published_by = publications.actor,
  archived_at = case stored.status when 2 then stored.updated_at end,
  archived_by = case stored.status when 2 then archivals.actor end
from (select *, id_text('pol', policy_id) as resource, 'v' || version_number as version from policies) stored
left join creations on creations.workspace_id = stored.workspace_id and creations.resource = stored.resource
left join publications
  on publications.workspace_id = stored.workspace_id and publications.resource = stored.resource
left join archivals
  on archivals.workspace_id = stored.workspace_id and archivals.merchant_id = stored.merchant_id
  and archivals.version = stored.version
where policies.workspace_id = stored.workspace_id and policies.policy_id = stored.policy_id;
alter table policies enable trigger policy_changed;
