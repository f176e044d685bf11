import assert from "node:assert/strict";
import { before, describe, it } from "node:test";
import { newEmail, PASSWORD, post, register } from "../../support/people/accounts.js";
import { inOneMinute } from "../../support/waiting/one-minute.js";
import { openConnection, requestText } from "../../support/http/raw-http.js";
import { send, startTestService, type RunningService } from "../../support/service/service.js";
import { sharedTestService } from "../../support/service/shared-service.js";

const LIMITED = { error: "rate_limited", limit_per_minute: 10 };
const BODIES = {
  "/v1/auth/login": { email: "nobody@example.com", password: PASSWORD },
  "/v1/auth/register": {},
  "/v1/auth/accept-invitation": { token: "x", name: "N", password: PASSWORD },
  "/v1/auth/reset-password": { token: "x", new_password: PASSWORD },
} as const;

describe("10 attempts per minute per source address for login and registration", () => {
  let service: RunningService;
  before(async () => {
    service = await startTestService({ TRUST_PROXY_HOPS: "1" });
  });

  it("RATE-3: login, registration, invitations and resets of passwords share the attempts; the eleventh is 429 with any body", () =>
    inOneMinute(async () => {
      const from = { "x-forwarded-for": "198.51.100.1" };
      const attempt = (path: keyof typeof BODIES, headers: Record<string, string> = from) =>
        send(service, "POST", path, { body: BODIES[path], key: null, headers });
      const paths = Object.keys(BODIES) as (keyof typeof BODIES)[];
      const statuses: number[] = [];
      for (let i = 0; i < 10; i++)
        statuses.push((await attempt(paths[i % paths.length] as keyof typeof BODIES)).status);
      assert.deepEqual(statuses, [401, 400, 404, 404, 401, 400, 404, 404, 401, 400]);
      for (const path of paths) {
        const reply = await attempt(path);
        assert.deepEqual([reply.status, reply.json], [429, LIMITED], path);
        assert.equal(reply.headers.get("retry-after"), null);
      }
      // Another address still works, and so do other endpoints from this address.
      assert.equal((await attempt("/v1/auth/login", { "x-forwarded-for": "198.51.100.2" })).status, 401);
      assert.equal((await send(service, "GET", "/health", { headers: from, key: null })).status, 200);
    }));

  it("RATE-3, RATE-8: all addresses of one IPv6 /64 share the attempts", () =>
    inOneMinute(async () => {
      const statuses: number[] = [];
      for (let i = 0; i < 12; i++) {
        const headers = { "x-forwarded-for": `2001:db8:5:5::${i.toString(16)}:1` };
        const body = { email: newEmail(), password: PASSWORD };
        statuses.push((await send(service, "POST", "/v1/auth/login", { body, key: null, headers })).status);
      }
      assert.deepEqual(statuses, [...Array.from({ length: 10 }, () => 401), 429, 429]);
      const headers = { "x-forwarded-for": "2001:db8:5:6::1" };
      const body = { email: newEmail(), password: PASSWORD };
      assert.equal((await send(service, "POST", "/v1/auth/login", { body, key: null, headers })).status, 401);
    }));

  it("RATE-10: one account has 10 failures a minute, wherever they come from; its living session is not touched", () =>
    inOneMinute(async () => {
      const person = await register(service);
      let sources = 0;
      const guess = (email: string, password: string, headers: Record<string, string> = {}) => {
        const from = { "x-forwarded-for": `198.51.100.${20 + sources++}`, ...headers };
        const body = { email, password };
        return send(service, "POST", "/v1/auth/login", { body, key: null, headers: from });
      };
      const nobody = newEmail();
      for (const email of [person.email, nobody]) {
        const guesses = await Promise.all(Array.from({ length: 25 }, () => guess(email, "a wrong password")));
        const statuses = guesses.map(({ status }) => status).toSorted((a, b) => a - b);
        assert.deepEqual(
          statuses,
          Array.from({ length: 25 }, (_, i) => (i < 10 ? 401 : 429)),
          "whether anybody has the address",
        );
      }
      const refused = await guess(person.email.toUpperCase(), PASSWORD);
      assert.deepEqual([refused.status, refused.json], [429, LIMITED]);
      const session = { authorization: `Bearer ${person.token}` };
      const me = await send(service, "GET", "/v1/auth/me", { key: null, headers: session });
      assert.equal(me.status, 200);
      // The holder of a session may still sign in again, for example to another workspace.
      assert.equal((await guess(person.email, PASSWORD, session)).status, 200);
    }));

  it("RATE-6: TRUST_PROXY_HOPS counts from the right over all x-forwarded-for lines", () =>
    inOneMinute(async () => {
      const status = async (lines: readonly string[]): Promise<number> => {
        const connection = await openConnection(service.url);
        const headers = lines.map((line): [string, string] => ["X-Forwarded-For", line]);
        headers.push(["Content-Type", "application/json"]);
        connection.write(requestText("POST", "/v1/auth/register", headers, "{}"));
        const reply = await connection.reply();
        connection.destroy();
        return reply.status;
      };
      // Entries that the caller puts to the left of the proxy's own entry change nothing.
      for (let i = 0; i < 10; i++) assert.equal(await status([`203.0.113.${i}`, "198.51.100.7"]), 400);
      assert.equal(await status(["192.0.2.1, 192.0.2.2", "192.0.2.3,198.51.100.7"]), 429);
      assert.equal(await status(["198.51.100.7"]), 429);
      assert.equal(await status(["198.51.100.7", "198.51.100.8"]), 400);
    }));
});

describe("RATE-3: AUTH_RATE_LIMIT_PER_MINUTE", () => {
  it("0 turns the limit off, and without trusted proxies x-forwarded-for is ignored", () =>
    inOneMinute(async () => {
      const [off, direct] = await Promise.all([
        sharedTestService(),
        startTestService({ AUTH_RATE_LIMIT_PER_MINUTE: "2" }),
      ]);
      const path = "/v1/auth/register";
      for (let i = 0; i < 15; i++) assert.equal((await post(off, path, {})).status, 400);
      const statuses: number[] = [];
      for (let i = 0; i < 3; i++) {
        const headers = { "x-forwarded-for": `203.0.113.${i}` };
        statuses.push((await send(direct, "POST", path, { body: {}, key: null, headers })).status);
      }
      assert.deepEqual(statuses, [400, 400, 429]);
    }));
});

describe("OPS-9: Overload: passwords are checked one at a time, from a bounded queue", () => {
  it("a storm of logins is answered: 401, or 503 at once past the line", async () => {
    const service = await sharedTestService();
    const person = await register(service);
    const storm = await Promise.all(
      Array.from({ length: 120 }, (_, i) =>
        post(service, "/v1/auth/login", {
          email: i % 2 === 0 ? person.email : newEmail(),
          password: "a wrong password",
        }),
      ),
    );
    const statuses = new Set(storm.map(({ status }) => status));
    for (const status of statuses) assert.ok(status === 401 || status === 503, String(status));
    assert.ok(statuses.has(401));
    // A login that PostgreSQL delays is also answered 503, but with another message.
    const full = storm.find(
      ({ status, json }) =>
        status === 503 && json["message"] !== "Accounts cannot be read or changed right now",
    );
    if (full !== undefined) {
      assert.deepEqual(full.json, {
        statusCode: 503,
        message: "Too many passwords are being checked right now",
        error: "Service Unavailable",
      });
    }
    const right = { email: person.email, password: PASSWORD };
    assert.equal((await post(service, "/v1/auth/login", right)).status, 200);
  });
});
