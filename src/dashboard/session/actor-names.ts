import { useApiKeys } from "../api/api-keys.js";
import { useTeam } from "../api/team.js";
import { useHasRole } from "./session.js";

export interface ActorName {
  /** `usr_…` or `key_…` */
  actor: string;
  name: string;
}

interface ActorNames {
  /** All people and keys that are known at present: people first, then keys. */
  actors: readonly ActorName[];
  /** False while the first answers are on their way. Without them the page works but shows no names. */
  isReady: boolean;
  /** The name of `usr_…` or `key_…`. Null for an actor that no longer exists or that this person may not see. */
  nameOf(actor: string): string | null;
}

/** Maps actors to the names of the workspace's people and keys. */
export function useActorNames(): ActorNames {
  const team = useTeam();
  const maySeeKeys = useHasRole(["owner", "admin", "developer"]);
  const keys = useApiKeys(maySeeKeys);
  const names = new Map<string, string>();
  for (const { user_id, name, email } of team.data?.members ?? []) names.set(user_id, name ?? email);
  for (const { id, name } of keys.data?.api_keys ?? []) names.set(id, `key ${name}`);
  return {
    isReady: !team.isPending && !(maySeeKeys && keys.isPending),
    actors: Array.from(names, ([actor, name]) => ({ actor, name })),
    nameOf: (actor) => names.get(actor) ?? null,
  };
}
