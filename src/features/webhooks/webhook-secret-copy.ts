import type { RecordKey } from "../../path/changes/copied-records.js";
import type { CopiedSecret } from "./queries/webhook-secret.js";
import type { WebhookKeysOptions } from "./webhook-secrets.js";
import { LIMITS } from "../../domain/vocabulary/limits.js";
import {
  WEBHOOK_SECRET_PREFIX,
  webhookSecretKey,
  workspaceKey,
  type Replica,
  type ReplicaWorkspace,
} from "../../path/replica/replica.js";
import type { RecordCopy } from "../../path/changes/record-copy.js";

export interface WebhookSecretCopyOptions {
  /** Loads the given records that exist. */
  load(records: readonly RecordKey[]): Promise<(RecordKey & { secrets: CopiedSecret[] })[]>;
  stored: RecordCopy["stored"];
  replica: Pick<Replica, "refresh" | "keysAfter" | "putCatalog">;
}

/**
 * Copies webhook secrets in their sealed form, by route and workspace. The route comes first, because a webhook may
 * name only its route.
 */
export function copyWebhookSecrets({ load, stored, replica }: WebhookSecretCopyOptions): RecordCopy {
  return {
    async copy(records) {
      const found = new Map((await load(records)).map((record) => [nameOf(record), record.secrets]));
      return replica.putCatalog(
        [],
        [...new Set(records.map(nameOf))].map((name) => {
          const secrets = found.get(name);
          return {
            key: WEBHOOK_SECRET_PREFIX + name,
            text: secrets === undefined ? null : JSON.stringify(secrets),
          };
        }),
      );
    },
    stored,
    held(after, limit) {
      replica.refresh();
      const names = replica.keysAfter(WEBHOOK_SECRET_PREFIX, after === null ? "" : nameOf(after), limit);
      return names.map((name) => {
        const at = name.lastIndexOf("/");
        return { workspaceId: name.slice(at + 1), key: name.slice(0, at) };
      });
    },
  };
}

/** Looks the copies up by route. */
export function heldSecrets(
  replica: Pick<Replica, "refresh" | "read" | "keysAfter">,
): Pick<WebhookKeysOptions, "held" | "isCrowded" | "routes"> {
  return {
    held(provider, merchantId, workspaceId) {
      replica.refresh();
      const route = `${provider}/${merchantId}`;
      // Ids are ordered by time, so these are the oldest workspaces, however many have registered the route.
      const workspaceIds =
        workspaceId === null
          ? replica.keysAfter(`${WEBHOOK_SECRET_PREFIX}${route}/`, "", LIMITS.webhookRouteWorkspacesMax)
          : [workspaceId];
      return workspaceIds.flatMap((id) => {
        const secrets = replica.read(webhookSecretKey(route, id));
        const workspace = replica.read(workspaceKey(id));
        if (secrets === undefined || workspace === undefined) return [];
        const { status } = JSON.parse(workspace) as ReplicaWorkspace;
        return { workspaceId: id, workspaceStatus: status, secrets: JSON.parse(secrets) as CopiedSecret[] };
      });
    },
    isCrowded(provider, merchantId) {
      replica.refresh();
      const prefix = `${WEBHOOK_SECRET_PREFIX}${provider}/${merchantId}/`;
      const max = LIMITS.webhookRouteWorkspacesMax;
      return replica.keysAfter(prefix, "", max + 1).length > max;
    },
    routes(limit) {
      replica.refresh();
      return replica.keysAfter(WEBHOOK_SECRET_PREFIX, "", limit).map((name) => {
        const at = name.indexOf("/");
        return { provider: name.slice(0, at), merchantId: name.slice(at + 1, name.lastIndexOf("/")) };
      });
    },
  };
}

/** Returns `<provider>/<merchant_id>/<workspace_id>`. */
function nameOf({ workspaceId, key }: RecordKey): string {
  return webhookSecretKey(key, workspaceId).slice(WEBHOOK_SECRET_PREFIX.length);
}
