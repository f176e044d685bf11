-- running nodes: survive, since an insert without the new columns gets an id and no origin.
--
-- AUTH-20: a person sees their sessions and ends each by its id. The id is no part of the token or its hash. It is random,
-- and in the same form as all ids.
alter table sessions add column session_id uuid not null default gen_random_uuid();
alter table sessions add column address text; -- where the person signed in; null: before this version
alter table sessions add column device text; -- browser and system, in words of our own; null: unknown
-- A person's sessions are found over all of their workspaces.
create index sessions_user on sessions (user_id, session_id);
