import type { IntegrationListBody } from "../wire/integration-response-schema.js";
import type { Integration } from "../queries/webhook-secret.js";
import type { SessionRoute } from "../../../path/front/route.js";

/**
 * GET /v1/integrations lists every merchant with every provider and whether webhooks can come in. It never shows a
 * secret.
 */
export function listIntegrationsRoute(
  list: (workspaceId: string) => Promise<Integration[] | "unavailable">,
  /** HOOK-16: true when more workspaces have a secret for the route than are tried without a named workspace. */
  isCrowded: (provider: string, merchantId: string) => boolean,
): SessionRoute {
  return {
    method: "GET",
    path: "/v1/integrations",
    access: { roles: ["owner", "admin", "developer"] },
    bodyBytesMax: null,
    async handle(exchange, { workspaceId }) {
      const integrations = await list(workspaceId);
      if (integrations === "unavailable") {
        return exchange.fail({ kind: "unavailable", message: "Integrations cannot be read right now" });
      }
      exchange.send(
        200,
        JSON.stringify({
          integrations: integrations.map(({ provider, merchantId, rotatedAt, lastEventAt }) => ({
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
        } satisfies IntegrationListBody),
      );
    },
  };
}
