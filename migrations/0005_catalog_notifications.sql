-- Tells every node, in the transaction that changes it, that what decisions are made from has changed. The payload
-- is the table's name. last_used_at is left out: it moves all the time and changes no grant.
create function notify_catalog() returns trigger language plpgsql as $$
begin
  perform pg_notify('payinference_catalog', tg_table_name);
  return null;
end
$$;

create trigger workspaces_changed after insert or update or delete on workspaces
  for each statement execute function notify_catalog();
create trigger merchants_changed after insert or update or delete on merchants
  for each statement execute function notify_catalog();
create trigger policies_changed after insert or update or delete on policies
  for each statement execute function notify_catalog();
create trigger api_keys_changed
  after insert or delete or update of public_id, mode, scopes, merchant_id, salt, secret_hash, expires_at, revoked_at
  on api_keys for each statement execute function notify_catalog();
