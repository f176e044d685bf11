import { pageParameters } from "../../platform/wire/parameters.js";
import { idSchema } from "../../platform/wire/scalars.js";
import type { Operations } from "../../platform/wire/operation.js";
import {
  apiKeyListSchema,
  createdApiKeySchema,
  revokedApiKeySchema,
  rotatedApiKeySchema,
} from "./wire/api-key-response-schema.js";
import { newApiKeySchema, rotationSchema } from "./wire/api-key-schema.js";

const keyId = { id: { schema: { type: "string" }, description: "Of a key; not its secret." } } as const;

export const API_KEY_OPERATIONS: Operations = {
  "GET /v1/api-keys": {
    operationId: "listApiKeys",
    tag: "API keys",
    summary: "The workspace's keys",
    description: "Never a secret.",
    query: pageParameters(idSchema("key"), "key", "Keys"),
    answers: {
      200: { description: "One page, newest first, revoked ones included.", schema: apiKeyListSchema },
    },
  },
  "POST /v1/api-keys": {
    operationId: "createApiKey",
    tag: "API keys",
    summary: "Create a key",
    body: newApiKeySchema,
    answers: { 201: { description: "With its secret, for the only time.", schema: createdApiKeySchema } },
    refuses: { 403: "The workspace has no such merchant.", 409: "The workspace has as many keys as it can." },
  },
  "POST /v1/api-keys/:id/rotate": {
    operationId: "rotateApiKey",
    tag: "API keys",
    summary: "Replace a key by a new one",
    description:
      "The new key has the name, mode, scopes, merchant and expiry of the old one. Both work until the overlap ends. The old one then stops on every node.",
    path: keyId,
    body: rotationSchema,
    answers: { 201: { description: "With the new secret, for the only time.", schema: rotatedApiKeySchema } },
    refuses: {
      404: "Unknown, or of another workspace.",
      409: "Revoked, expired or rotated already, or as many rotated keys still work as may.",
    },
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
