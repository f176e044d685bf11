-- running nodes: survive, since no earlier version knows these tables.
--
-- EXP: exports, and their files in pieces. The files are here and not on a node's disk, so every node serves them and a
-- node that dies takes none with it (docs/decisions/0094-exports-are-files-in-postgresql.md).

create table exports (
  workspace_id uuid not null references workspaces,
  export_id uuid not null,
  created_by uuid not null, -- the user's id
  kind text not null, -- EXPORT_KINDS of src/domain/vocabulary/vocabulary.ts
  format text not null, -- EXPORT_FORMATS
  mode smallint not null, -- MODES
  since timestamptz not null, -- included
  until timestamptz not null, -- excluded
  filters jsonb not null, -- as the body named them
  status text not null default 'queued', -- EXPORT_STATUSES
  rows bigint not null default 0, -- written so far
  total_rows bigint, -- null while it is not known
  bytes bigint not null default 0, -- stored so far, before compression
  sha256 bytea, -- of the whole file
  error text, -- EXPORT_ERRORS
  created_at timestamptz not null default now(),
  started_at timestamptz, -- of the last attempt
  finished_at timestamptz,
  expires_at timestamptz, -- when the file goes
  attempts integer not null default 0, -- also names the attempt that may write
  leased_by text, -- the node that makes it, and until when no other node does
  leased_until timestamptz,
  primary key (workspace_id, export_id)
);
-- A workspace has one export made at a time.
create unique index exports_running on exports (workspace_id) where status = 'running';
create index exports_unfinished on exports (workspace_id, export_id) where status in ('queued', 'running');
create index exports_expiring on exports (expires_at) where status in ('done', 'failed');
-- What is expired is deleted by age, over all workspaces.
create index exports_expired on exports (export_id) where status = 'expired';

create table export_chunks (
  workspace_id uuid not null,
  export_id uuid not null,
  raw_offset bigint not null, -- of its first byte in the file
  raw_bytes integer not null,
  content bytea not null, -- gzip of the bytes, and for Parquet the bytes themselves
  primary key (workspace_id, export_id, raw_offset),
  foreign key (workspace_id, export_id) references exports on delete cascade
);
-- It is compressed already.
alter table export_chunks alter column content set storage external;

-- TEN-3, as in 0012_row_level_security.sql.
do $$
declare
  guarded record;
begin
  for guarded in
    select * from (values ('exports', 'select, insert, delete'), ('export_chunks', 'select')) as t (name, privileges)
  loop
    execute format('alter table %I enable row level security', guarded.name);
    execute format('alter table %I force row level security', guarded.name);
    execute format('create policy system on %I to %I using (true) with check (true)', guarded.name, current_user);
    execute format(
      'create policy tenant on %I to payinference_tenant using (workspace_id = (select tenant_workspace()))', guarded.name);
    execute format('grant %s on %I to payinference_tenant', guarded.privileges, guarded.name);
  end loop;
end
$$;

-- EVT-12: the event is stored in the transaction that finishes the export.
create function tell_of_export() returns trigger language plpgsql as $$
begin
  if has_listener(new.workspace_id, 'export.ready') then
    perform add_event(new.workspace_id, 'export.ready', id_text('xpt', new.export_id), json_build_object(
      'export_id', id_text('xpt', new.export_id), 'kind', new.kind, 'format', new.format, 'mode', mode_text(new.mode),
      'rows', new.rows, 'bytes', new.bytes, 'finished_at', time_text(new.finished_at),
      'expires_at', time_text(new.expires_at)));
  end if;
  return null;
end
$$;
create trigger export_ready_told after update of status on exports
  for each row when (new.status = 'done' and old.status <> 'done') execute function tell_of_export();
