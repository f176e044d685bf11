import { useApiKeys } from "../../api/api-keys.js";
import { useTeam } from "../../api/team.js";

/** Maps `usr_…` and `key_…` to names. Null for somebody who is gone or for the platform's administrator. */
export function useActorNames(): (actor: string) => string | null {
  const team = useTeam();
  const keys = useApiKeys();
  const names = new Map<string, string>();
  for (const { user_id, name, email } of team.data?.members ?? []) names.set(user_id, name ?? email);
  for (const { id, name } of keys.data?.api_keys ?? []) names.set(id, `key ${name}`);
  return (actor) => names.get(actor) ?? null;
}
