-- running nodes: survive, since they know nothing of a limit, and set none for their reads.
--
-- RET: how long decisions, outcomes and documents are kept.

-- When decisions begin that the workspace of this transaction may still read, in Unix milliseconds; 0: all of them. The
-- transaction says its time and the service's limit as `<Unix milliseconds>/<days>`, where 0 days are no limit. The time
-- is the node's, which goes on evenly over a jump of the host's clock.
create function kept_since_ms() returns bigint language sql stable parallel safe as $$
  select coalesce((
    select greatest(0, split_part(said, '/', 1)::bigint
      - least(nullif(split_part(said, '/', 2)::integer, 0), w.retention_days)::bigint * 86400000)
    from nullif(current_setting('payinference.kept', true), '') as said
    left join workspaces w on w.workspace_id = tenant_workspace()
    where said is not null
  ), 0)
$$;

create function kept_since() returns uuid language sql stable parallel safe as $$
  select ulid_floor(to_timestamp(kept_since_ms() / 1000.0))
$$;

-- As kept_since_ms(), but 0 also for a workspace that is younger than its limit. Its reads need not look where its
-- decisions begin.
create function first_kept_ms() returns bigint language sql stable parallel safe as $$
  select case when extract(epoch from w.created_at) * 1000 < since then since else 0 end
  from kept_since_ms() as since left join workspaces w on w.workspace_id = tenant_workspace()
$$;

-- As kept_since_ms(), by the workspace's own limit alone. CH-12: ClickHouse may keep what is past the service's.
create function own_kept_since_ms() returns bigint language sql stable parallel safe as $$
  select coalesce((
    select greatest(0, split_part(said, '/', 1)::bigint - w.retention_days::bigint * 86400000)
    from nullif(current_setting('payinference.kept', true), '') as said
    join workspaces w on w.workspace_id = tenant_workspace()
  ), 0)
$$;

-- RET-4: what is older is hidden from every query of a tenant, whatever still lies on disk. A segment is found by its
-- decision alone.
do $$
declare
  guarded text;
begin
  foreach guarded in array array['decisions', 'outcomes', 'reviews', 'retried_decisions'] loop
    execute format('alter policy tenant on %I using (workspace_id = (select tenant_workspace())
      and decision_id >= (select kept_since()))', guarded);
  end loop;
end
$$;

-- RET-7: what is not in partitions leaves by these.
create index reviews_decision on reviews (decision_id);
create index unmatched_outcomes_decision on unmatched_outcomes (decision_id);

create index alerts_closed on alerts (closed_at) where closed_at is not null;

-- RET-9: the last run of any node that left nothing to do. Belongs to no workspace.
create table retention_runs (
  only_row boolean primary key default true check (only_row),
  finished_at timestamptz not null
);

-- RET-10: which rows have left for the archive. A part is noted in the transaction in which its rows leave. Belongs to no
-- workspace, since a part holds the rows of many.
create table archived_parts (
  week text not null, -- 2026_11_23
  part integer not null,
  row_count bigint not null,
  byte_count bigint not null,
  archived_at timestamptz not null default now(),
  primary key (week, part)
);

-- RET-13: marks the parts of this database, so that it replaces none of another one.
create table archive_identity (
  only_row boolean primary key default true check (only_row),
  archive_id uuid not null default gen_random_uuid()
);
insert into archive_identity default values;
