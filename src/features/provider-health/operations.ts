import type { Operations } from "../../platform/wire/operation.js";
import { providerHealthListSchema } from "./wire.js";

export const PROVIDER_HEALTH_OPERATIONS: Operations = {
  "GET /v1/provider-health": {
    operationId: "listProviderHealth",
    tag: "Provider health",
    summary: "Health snapshots as the workspace sees them",
    answers: { 200: { description: "One for each segment.", schema: providerHealthListSchema } },
  },
};
