import assert from "node:assert/strict";
import { before, describe, it } from "node:test";
import { ask, bearer, newEmail, post, register, type Person } from "../../support/people/accounts.js";
import {
  decisionBody,
  send,
  startTestService,
  type Reply,
  type RunningService,
} from "../../support/service/service.js";
import { WEBHOOK_SECRET_KEY } from "../../support/service/webhooks.js";

const MAX = 3;

let service: RunningService;
let owner: Person;
before(async () => {
  service = await startTestService({
    AUTH_RATE_LIMIT_PER_MINUTE: "0",
    RATE_LIMIT_PER_MINUTE: "0",
    SECRET_KEY: WEBHOOK_SECRET_KEY,
    MERCHANTS_MAX: String(MAX),
    POLICIES_PER_MERCHANT_MAX: String(MAX),
    CONTRACTS_PER_MERCHANT_MAX: String(MAX),
    API_KEYS_MAX: String(MAX),
    INVITATIONS_MAX: String(MAX),
    WEBHOOK_SECRETS_MAX: String(MAX),
  });
  owner = await register(service);
});

const KEY = { name: "Key", mode: "test", scopes: ["policy:write", "policy:read", "decision:write"] };

async function refused(reply: Promise<Reply>, what: string): Promise<void> {
  const { status, json } = await reply;
  assert.deepEqual([status, json["message"]], [409, `Limit of ${MAX} ${what} reached`]);
}

const secretOf = (provider: string, merchantId = "demo_merchant") =>
  send(service, "PUT", `/v1/integrations/${provider}/webhook-secret`, {
    body: { merchant_id: merchantId },
    key: null,
    headers: bearer(owner.token),
  });

const policy = (person: Person, publish: boolean) =>
  post(
    service,
    "/v1/policies",
    { merchant_id: "demo_merchant", name: "Policy", rules: [], default_provider: "provider_1", publish },
    person.token,
  );

/** The versions that are kept, newest first. */
async function versionsOf(person: Person): Promise<unknown[]> {
  const { json } = await ask(service, "GET", "/v1/policies/demo_merchant", person.token);
  return (json["policies"] as Record<string, unknown>[]).map(({ version }) => version);
}

describe("SET-14: limits on a workspace's stored records", () => {
  it("API keys: the limit is exact under concurrency, and a revoked key makes room", async () => {
    const made = await Promise.all(
      Array.from({ length: 8 }, () => post(service, "/v1/api-keys", KEY, owner.token)),
    );
    assert.equal(made.filter(({ status }) => status === 201).length, MAX);
    await refused(post(service, "/v1/api-keys", KEY, owner.token), "API keys");
    const first = made.find(({ status }) => status === 201)?.json["api_key"] as { id: string };
    const revoked = await ask(service, "DELETE", `/v1/api-keys/${first.id}`, owner.token);
    assert.equal(revoked.status, 200, revoked.text);
    assert.equal((await post(service, "/v1/api-keys", KEY, owner.token)).status, 201);
  });

  it("merchants: the limit is exact under concurrency; a merchant that is already registered is reported as such", async () => {
    const made = await Promise.all(
      Array.from({ length: 6 }, (_, n) =>
        post(service, "/v1/admin/merchants", { merchant_id: `m${n}` }, owner.token),
      ),
    );
    // The registration had made one merchant.
    assert.equal(made.filter(({ status }) => status === 201).length, MAX - 1);
    await refused(post(service, "/v1/admin/merchants", { merchant_id: "another" }, owner.token), "merchants");
    const again = await post(service, "/v1/admin/merchants", { merchant_id: "demo_merchant" }, owner.token);
    assert.equal(again.json["message"], "Merchant is already registered");
  });

  it("pending invitations: an invitation that replaces another to the same address does not count again", async () => {
    const emails = Array.from({ length: MAX }, () => newEmail());
    const invite = (email: string) =>
      post(service, "/v1/team/invitations", { email, role: "analyst" }, owner.token);
    for (const email of emails) assert.equal((await invite(email)).status, 201);
    await refused(invite(newEmail()), "pending invitations");
    assert.equal((await invite(emails[0] as string)).status, 201);
  });

  it("contracts per merchant", async () => {
    const upload = () =>
      post(
        service,
        "/v1/pricing/rules",
        {
          merchant_id: "demo_merchant",
          contract_name: "Contract",
          effective_from: "2026-01-01T00:00:00.000Z",
          replace: true,
          rules: [
            {
              provider: "provider_1",
              payment_method: "card",
              currency: "USD",
              percentage_bps: 100,
              fixed_minor: 10,
            },
          ],
        },
        owner.token,
      );
    for (let i = 0; i < MAX; i++) {
      const uploaded = await upload();
      assert.equal(uploaded.status, 200, uploaded.text);
    }
    await refused(upload(), "contracts per merchant");
  });

  it("webhook secrets: a rotated secret does not count again", async () => {
    for (const provider of ["provider_1", "provider_2", "provider_3"]) {
      const set = await secretOf(provider);
      assert.equal(set.status, 200, set.text);
    }
    await refused(secretOf("provider_4"), "webhook secrets");
    assert.equal((await secretOf("provider_1")).status, 200);
  });

  it("POL-20: drafts stay, and beyond the limit they are refused, exactly under concurrency", async () => {
    const drafter = await register(service);
    const made = await Promise.all(Array.from({ length: 8 }, () => policy(drafter, false)));
    assert.equal(made.filter(({ status }) => status === 200).length, MAX);
    await refused(policy(drafter, true), "policies per merchant");
  });

  it("POL-20: the oldest archived version is deleted, unless a decision names it", async () => {
    const publisher = await register(service);
    for (let version = 1; version <= 5; version++) assert.equal((await policy(publisher, true)).status, 200);
    assert.deepEqual(await versionsOf(publisher), ["v5", "v4", "v3"]);

    const { json } = await post(service, "/v1/api-keys", KEY, publisher.token);
    const body = decisionBody();
    const decided = await send(service, "POST", "/v1/decision", { body, key: String(json["secret"]) });
    assert.equal(decided.status, 200, decided.text);
    // v5 is live. The two versions that were live a moment ago may still be named by decisions.
    await refused(policy(publisher, true), "policies per merchant");
    assert.deepEqual(await versionsOf(publisher), ["v5", "v4", "v3"]);
  });
});
