-- SET-14: what a workspace keeps has limits, and beyond them the oldest of what is over leaves: archived policies that no
-- decision names, and revoked keys.
grant delete on policies, api_keys to payinference_tenant;
