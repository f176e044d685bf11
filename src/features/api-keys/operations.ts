import type { Operations } from "../../platform/wire/operation.js";
import {
  apiKeyListSchema,
  createdApiKeySchema,
  revokedApiKeySchema,
} from "./wire/api-key-response-schema.js";
import { newApiKeySchema } from "./wire/api-key-schema.js";

const keyId = { id: { schema: { type: "string" }, description: "Of a key; not its secret." } } as const;

export const API_KEY_OPERATIONS: Operations = {
  "GET /v1/api-keys": {
    operationId: "listApiKeys",
    tag: "API keys",
    summary: "The workspace's keys",
    description: "Never a secret.",
    answers: { 200: { description: "Newest first, revoked ones included.", schema: apiKeyListSchema } },
  },
  "POST /v1/api-keys": {
    operationId: "createApiKey",
    tag: "API keys",
    summary: "Create a key",
    body: newApiKeySchema,
    answers: { 201: { description: "With its secret, for the only time.", schema: createdApiKeySchema } },
    refuses: { 403: "The workspace has no such merchant.", 409: "The workspace has as many keys as it can." },
  },
  "DELETE /v1/api-keys/:id": {
    operationId: "revokeApiKey",
    tag: "API keys",
    summary: "Revoke a key",
    description: "At once on this node, within 60 seconds on every other. Again answers the same.",
    path: keyId,
    answers: { 200: { description: "Revoked.", schema: revokedApiKeySchema } },
    refuses: { 404: "Unknown, or of another workspace." },
  },
};
