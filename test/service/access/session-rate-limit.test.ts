import assert from "node:assert/strict";
import { before, describe, it } from "node:test";
import { ask, freshSession, register } from "../../support/people/accounts.js";
import { inOneMinute } from "../../support/waiting/one-minute.js";
import { eventually, send, startTestService, type RunningService } from "../../support/service/service.js";
import { createKey } from "../../support/people/tenants.js";

const LIMIT = 5;

let service: RunningService;
before(async () => {
  service = await startTestService({
    RATE_LIMIT_PER_MINUTE: String(LIMIT),
    AUTH_RATE_LIMIT_PER_MINUTE: "0",
    DEMO: "0",
    REGISTRATION: "open",
  });
  // Counted requests are not repeated, so another user's requests start the reader thread first.
  const other = await register(service);
  await eventually(async () => {
    const { token } = await freshSession(service, other);
    assert.equal((await ask(service, "GET", "/v1/decisions", token)).status, 200);
  });
});

describe("rate limit per API key or dashboard session; all endpoints share the window", () => {
  it("RATE-1: a session's requests to all endpoints count together, and separately from other sessions and keys", () =>
    inOneMinute(async () => {
      const owner = await register(service);
      const [other, key] = await Promise.all([
        freshSession(service, owner),
        createKey(service.pool, owner.workspaceId),
      ]);
      const paths = ["/v1/auth/me", "/v1/decisions", "/v1/team", "/v1/provider-health", "/v1/api-keys"];
      for (const path of paths)
        assert.equal((await ask(service, "GET", path, owner.token)).status, 200, path);
      for (const path of paths) {
        const { status, json } = await ask(service, "GET", path, owner.token);
        assert.deepEqual([status, json], [429, { error: "rate_limited", limit_per_minute: LIMIT }], path);
      }
      assert.equal((await ask(service, "GET", "/v1/auth/me", other.token)).status, 200);
      assert.equal((await send(service, "GET", "/v1/provider-health", { key })).status, 200);
    }));
});
