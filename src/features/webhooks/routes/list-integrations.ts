import {
  hasMoreOf,
  orWhole,
  PAGE_PARAMETERS,
  readPageSize,
  readTextCursor,
} from "../../../platform/http/page-query.js";
import { LIMITS } from "../../../domain/vocabulary/limits.js";
import { Query } from "../../../platform/http/query.js";
import type { ListedRows, ListPage } from "../../../platform/postgres/list-page.js";
import { merchantCursorSchema, merchantIdSchema } from "../../../platform/wire/scalars.js";
import type { IntegrationListBody } from "../wire/integration-response-schema.js";
import type { Integration } from "../queries/webhook-secret.js";
import type { SessionRoute } from "../../../path/front/route.js";

const MERCHANT_ID = new RegExp(merchantCursorSchema.pattern);

/**
 * GET /v1/integrations lists merchants with every provider and whether webhooks can arrive. It never shows a secret.
 */
export function listIntegrationsRoute(
  list: (
    workspaceId: string,
    page: ListPage & { merchantId: string | null },
  ) => Promise<ListedRows<Integration> | "unavailable">,
  /**
   * HOOK-16: a webhook that names no workspace is tried with the secrets of the oldest `webhookRouteWorkspacesMax`
   * workspaces. True if more workspaces than that have a secret for the route.
   */
  isCrowded: (provider: string, merchantId: string) => boolean,
): SessionRoute {
  return {
    method: "GET",
    path: "/v1/integrations",
    access: { roles: ["owner", "admin", "developer"] },
    bodyBytesMax: null,
    query: [...PAGE_PARAMETERS, "merchant_id"],
    async handle(exchange, { workspaceId }) {
      const query = new Query(exchange.head.query);
      const asked = { pageSize: readPageSize(query), cursor: readTextCursor(query, MERCHANT_ID) };
      const merchantId = query.matching("merchant_id", merchantIdSchema);
      if (query.issues.length > 0) return exchange.fail({ kind: "invalid", issues: query.issues });
      const page = { ...orWhole(asked, query, LIMITS.wholeIntegrationsMerchantsMax), merchantId };
      const found = await list(workspaceId, page);
      if (found === "unavailable") {
        return exchange.fail({ kind: "unavailable", message: "Integrations cannot be read right now" });
      }
      exchange.send(
        200,
        JSON.stringify({
          integrations: found.rows.map(({ provider, merchantId, rotatedAt, lastEventAt }) => ({
            provider,
            merchant_id: merchantId,
            webhook_path: `/v1/provider-webhooks/${provider}/${merchantId}`,
            has_secret: rotatedAt !== null,
            rotated_at: rotatedAt?.toISOString() ?? null,
            last_event_at: lastEventAt?.toISOString() ?? null,
            ...(rotatedAt !== null && isCrowded(provider, merchantId)
              ? { needs_workspace_header: true as const }
              : {}),
          })),
          ...hasMoreOf(page, found.hasMore),
        } satisfies IntegrationListBody),
      );
    },
  };
}
