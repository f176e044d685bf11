import type { RecordKey } from "../../path/changes/copied-records.js";
import type { CopiedSecret } from "./queries/webhook-secret.js";
import { WEBHOOK_SECRET_PREFIX, webhookSecretKey, type Replica } from "../../path/replica/replica.js";
import type { RecordCopy } from "../../path/changes/record-copy.js";

export interface WebhookSecretCopyOptions {
  /** Those that there are. */
  load(records: readonly RecordKey[]): Promise<(RecordKey & { secrets: CopiedSecret[] })[]>;
  stored: RecordCopy["stored"];
  replica: Pick<Replica, "refresh" | "keysAfter" | "putCatalog">;
}

/** The copies of webhook secrets, sealed as they are stored, by route and workspace: a webhook names its route alone. */
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

/** `<provider>/<merchant_id>/<workspace_id>` */
function nameOf({ workspaceId, key }: RecordKey): string {
  return webhookSecretKey(key, workspaceId).slice(WEBHOOK_SECRET_PREFIX.length);
}
