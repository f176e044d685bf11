import assert from "node:assert/strict";
import { before, describe, it } from "node:test";
import type { Route } from "../../../src/path/front/route.js";
import { register } from "../../support/people/accounts.js";
import { composedRoutes } from "../../support/service/composed-routes.js";
import { send, type RunningService } from "../../support/service/service.js";
import { platformAdmin, sharedTestService } from "../../support/service/shared-service.js";
import { createKey } from "../../support/people/tenants.js";
import { sendWebhook } from "../../support/service/webhooks.js";

const SMALL = 16 * 1024;
const LARGE = 1024 * 1024;

interface Row {
  bytesMax: number;
  by: "nobody" | "key" | "session" | "platform";
  /** The status for a body within the limit that has an unknown field. Default: 400. */
  fits?: 404;
}

/** HTTP-17 and HTTP-18: the largest body of each route. */
const ROWS: Readonly<Record<string, Row>> = {
  "POST /v1/decision": { bytesMax: SMALL, by: "key" },
  "POST /v1/outcomes": { bytesMax: SMALL, by: "key" },
  "POST /v1/decisions/:decisionId/review": { bytesMax: SMALL, by: "session" },
  "POST /v1/decisions/reviews": { bytesMax: SMALL, by: "session" },
  "POST /v1/auth/register": { bytesMax: SMALL, by: "nobody" },
  "POST /v1/auth/login": { bytesMax: SMALL, by: "nobody" },
  "POST /v1/auth/accept-invitation": { bytesMax: SMALL, by: "nobody" },
  "POST /v1/auth/reset-password": { bytesMax: SMALL, by: "nobody" },
  "POST /v1/auth/forgot-password": { bytesMax: SMALL, by: "nobody" },
  "POST /v1/auth/email/prove": { bytesMax: SMALL, by: "nobody" },
  "POST /v1/auth/change-password": { bytesMax: SMALL, by: "session" },
  "POST /v1/auth/one-time-codes": { bytesMax: SMALL, by: "session" },
  "POST /v1/auth/one-time-codes/confirm": { bytesMax: SMALL, by: "session" },
  "POST /v1/auth/one-time-codes/disable": { bytesMax: SMALL, by: "session" },
  // No identity provider is set. The route reports that after reading the body.
  "POST /v1/auth/oidc/one-time-code": { bytesMax: SMALL, by: "nobody", fits: 404 },
  "POST /v1/saved-views": { bytesMax: SMALL, by: "session" },
  "PATCH /v1/saved-views/:id": { bytesMax: SMALL, by: "session" },
  "POST /v1/api-keys": { bytesMax: SMALL, by: "session" },
  "POST /v1/exports": { bytesMax: SMALL, by: "session" },
  "POST /v1/event-endpoints": { bytesMax: SMALL, by: "session" },
  "PATCH /v1/event-endpoints/:id": { bytesMax: SMALL, by: "session" },
  "POST /v1/api-keys/:id/rotate": { bytesMax: SMALL, by: "session" },
  "POST /v1/team/invitations": { bytesMax: SMALL, by: "session" },
  "PATCH /v1/team/:userId": { bytesMax: SMALL, by: "session" },
  "PATCH /v1/admin/workspace": { bytesMax: SMALL, by: "session" },
  "POST /v1/admin/merchants": { bytesMax: SMALL, by: "session" },
  "POST /v1/admin/accounts/release": { bytesMax: SMALL, by: "platform" },
  "POST /v1/admin/erasures": { bytesMax: SMALL, by: "platform" },
  "POST /v1/admin/set-aside/:id/discard": { bytesMax: SMALL, by: "platform" },
  "PUT /v1/admin/provider-overrides/:provider": { bytesMax: SMALL, by: "session" },
  "PUT /v1/integrations/:provider/webhook-secret": { bytesMax: SMALL, by: "session" },
  "POST /v1/policies": { bytesMax: LARGE, by: "key" },
  "POST /v1/policies/translate": { bytesMax: LARGE, by: "key" },
  "POST /v1/policies/simulate": { bytesMax: LARGE, by: "key" },
  "POST /v1/policies/backtest": { bytesMax: LARGE, by: "key" },
  "POST /v1/pricing/rules": { bytesMax: LARGE, by: "key" },
};
const WEBHOOKS = "POST /v1/provider-webhooks/:providerSlug/:merchantId";

const TOO_LARGE = { statusCode: 413, error: "Payload Too Large" };

let service: RunningService;
let composed: readonly Route[];
let credentials: Record<Row["by"], { key: string | null; headers: Record<string, string> }>;
before(async () => {
  composed = await composedRoutes();
  service = await sharedTestService();
  const owner = await register(service);
  const admin = await platformAdmin(service);
  credentials = {
    nobody: { key: null, headers: {} },
    key: { key: await createKey(service.pool, owner.workspaceId), headers: {} },
    session: { key: null, headers: { authorization: `Bearer ${owner.token}` } },
    platform: { key: null, headers: { authorization: `Bearer ${admin.token}` } },
  };
});

describe("body limits of every route that accepts a body", () => {
  for (const [endpoint, { bytesMax, by, fits: status = 400 }] of Object.entries(ROWS)) {
    const [method = "", path = ""] = endpoint.split(" ");
    it(`HTTP-17: ${endpoint}: ${bytesMax / 1024} KiB`, async () => {
      const ask = (bytes: number) =>
        send(service, method, path.replace(/:\w+/, "provider_1"), {
          body: '{"unknown":1}'.padEnd(bytes),
          ...credentials[by],
          headers: { "content-type": "application/json", ...credentials[by].headers },
        });
      const fits = await ask(bytesMax);
      // The body was read, because its unknown field is refused.
      assert.equal(fits.status, status, fits.text);
      const tooLarge = await ask(bytesMax + 1);
      const { message, ...rest } = tooLarge.json;
      assert.deepEqual([tooLarge.status, rest], [413, TOO_LARGE]);
      assert.equal(typeof message, "string");
    });
  }

  it(`${WEBHOOKS}: ${LARGE / 1024} KiB`, async () => {
    // No secret has signed this webhook. A body that fits is read and then refused.
    assert.equal((await sendWebhook(service, { body: "{}".padEnd(LARGE) })).status, 401);
    assert.equal((await sendWebhook(service, { body: "{}".padEnd(LARGE + 1) })).status, 413);
  });

  it("no other route accepts a body", () => {
    const found = composed
      .filter((route) => ("bodyBytesMax" in route ? route.bodyBytesMax !== null : route.method !== "GET"))
      .map(({ method, path }) => `${method} ${path}`);
    assert.deepEqual(found.toSorted(), [...Object.keys(ROWS), WEBHOOKS].toSorted());
  });
});
