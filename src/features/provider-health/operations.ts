import type { Operations } from "../../platform/wire/operation.js";
import { detailParameter, providerHealthListSchema } from "./wire.js";

export const PROVIDER_HEALTH_OPERATIONS: Operations = {
  "GET /v1/provider-health": {
    operationId: "listProviderHealth",
    tag: "Provider health",
    summary: "Health snapshots as the workspace sees them",
    description:
      "With detail=segments each snapshot has what outcomes and probes say apart, and the deeper levels have rows of their own: each country, and each card network in it, that outcomes were reported for. Counts are weighted: failures fade with a half-life of 5 minutes, approvals of 6 hours.",
    query: {
      detail: { schema: detailParameter, description: "Shows the deeper levels, and what each source says." },
    },
    answers: { 200: { description: "One for each segment.", schema: providerHealthListSchema } },
  },
};
