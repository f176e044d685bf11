-- running nodes: survive, since no earlier version knows this table.
--
-- ANA-10: what people keep of a page's filters. A view goes with its person's membership.

create table saved_views (
  workspace_id uuid not null references workspaces,
  view_id uuid not null,
  owner uuid not null, -- the user's id
  name text not null,
  page text not null, -- VIEWED_PAGES of src/domain/vocabulary/vocabulary.ts
  query text not null, -- of the page's address
  is_shared boolean not null,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  primary key (workspace_id, view_id),
  foreign key (workspace_id, owner) references memberships on delete cascade
);
create index saved_views_of_owner on saved_views (workspace_id, owner, view_id);

-- TEN-3, as in 0012_row_level_security.sql.
alter table saved_views enable row level security;
alter table saved_views force row level security;
do $$
begin
  execute format('create policy system on saved_views to %I using (true) with check (true)', current_user);
end
$$;
create policy tenant on saved_views to payinference_tenant using (workspace_id = (select tenant_workspace()));
grant select, insert, update, delete on saved_views to payinference_tenant;
