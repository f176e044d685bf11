-- running nodes: survive, since no earlier version knows the table.
--
-- AUTH-28: the identities at an identity provider by which people sign in. A person is in no workspace. The table is the
-- service's alone, as passwords are.
create table oidc_identities (
  issuer text not null,
  subject text not null,
  user_id uuid not null references users on delete cascade,
  linked_at timestamptz not null,
  primary key (issuer, subject),
  -- An address that a provider gives to somebody else later must not open its former holder's account.
  unique (user_id, issuer)
);

do $$
begin
  alter table oidc_identities enable row level security;
  alter table oidc_identities force row level security;
  execute format('create policy system on oidc_identities to %I using (true) with check (true)', current_user);
end
$$;
