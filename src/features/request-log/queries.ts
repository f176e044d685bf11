import { idFromHex, idToHex } from "../../domain/ids/ids.js";
import type { TenantConnection } from "../../platform/postgres/tenant-db.js";

/** The names of these keys by id. Deleted keys are missing. */
export async function findKeyNames(
  db: TenantConnection,
  workspaceId: string,
  keyIds: readonly string[],
): Promise<Map<string, string>> {
  const { rows } = await db.query<{ key_id: string; name: string }>(
    "select key_id, name from api_keys where workspace_id = $1 and key_id = any($2::uuid[])",
    [idToHex(workspaceId), keyIds.map(idToHex)],
  );
  return new Map(rows.map(({ key_id, name }) => [idFromHex("key", key_id), name]));
}
