-- running nodes: survive, since no earlier version knows the table. Until it stops, such a node asks nobody for a code.
--
-- ACC-14: the one-time codes of a person, who is in no workspace. The table is the service's alone, as passwords are.
create table one_time_codes (
  user_id uuid primary key references users on delete cascade,
  sealed bytea not null, -- the secret, encrypted (src/platform/node/secret-box.ts)
  created_at timestamptz not null,
  confirmed_at timestamptz, -- null: no code was shown yet, so none is asked for
  last_step integer not null default 0, -- of 30 s since 1970: the newest whose code was used
  recovery_hashes bytea[] not null default '{}' -- SHA-256 of those that are left
);

do $$
begin
  alter table one_time_codes enable row level security;
  alter table one_time_codes force row level security;
  execute format('create policy system on one_time_codes to %I using (true) with check (true)', current_user);
end
$$;
