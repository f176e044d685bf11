import assert from "node:assert/strict";
import { before, describe, it } from "node:test";
import {
  eventually,
  send,
  startTestService,
  untilAnswered,
  type Reply,
  type RunningService,
} from "../../support/service/service.js";
import { signIn } from "../../support/people/feedback.js";
import { createWorkspace } from "../../support/people/tenants.js";
import {
  secretOf,
  sendWebhook,
  WEBHOOK_SECRET_KEY,
  type WebhookOptions,
} from "../../support/service/webhooks.js";

const OTHER_KEY = "fedcba9876543210fedcba9876543210";
const WRONG_KEY = "SECRET_KEY is not the one that stored webhook secrets were encrypted with";

/** Two workspaces have a merchant of the same name. Each has its own secret for the same route. */
const FIRST = { merchantId: "shop", secret: secretOf("first") };
const SECOND = { merchantId: "shop", secret: secretOf("second") };
const EXPIRED = { merchantId: "expired", secret: secretOf("expired") };

let service: RunningService;
/** Another node of the same database, with another SECRET_KEY. */
let wrong: RunningService;
let owners: string[];
before(async () => {
  service = await startTestService({ SECRET_KEY: WEBHOOK_SECRET_KEY, WEBHOOK_RATE_LIMIT_PER_MINUTE: "0" });
  owners = [];
  for (const _ of [1, 2]) {
    const workspace = await createWorkspace(service, { merchants: ["shop", "expired"] });
    owners.push((await signIn(service.pool, workspace, "owner")).token);
  }
});

async function set(
  at: RunningService,
  owner: string | undefined,
  merchantId: string,
  secret: string,
): Promise<void> {
  const { status, text } = await send(at, "PUT", "/v1/integrations/provider_1/webhook-secret", {
    body: { merchant_id: merchantId, secret },
    key: null,
    headers: { authorization: `Bearer ${owner}` },
  });
  assert.equal(status, 200, text);
}

const startWith = (secretKey: string): Promise<RunningService> =>
  startTestService({
    ...(secretKey === "" ? {} : { SECRET_KEY: secretKey }),
    DATABASE_URL: service.pool.options.connectionString as string,
    WEBHOOK_RATE_LIMIT_PER_MINUTE: "0",
    DEMO: "0",
  });

const deliver = (at: RunningService, options: WebhookOptions): Promise<Reply> => sendWebhook(at, options);

const logLines = (at: RunningService): string[] =>
  at
    .log()
    .split("\n")
    .filter((line) => line.includes("SECRET_KEY"));

describe("a start with another SECRET_KEY", () => {
  before(async () => {
    await set(service, owners[0], "shop", FIRST.secret);
    await set(service, owners[0], "expired", EXPIRED.secret);
    await service.pool.query(
      "update webhook_secrets set expires_at = now() + interval '1 second' where merchant_id = 'expired'",
    );
    assert.equal((await untilAnswered(() => deliver(service, FIRST))).status, 200);
    assert.deepEqual(logLines(service), []);
    wrong = await startWith(OTHER_KEY);
  });

  for (const [what, startNode] of [
    ["a wrong one", () => Promise.resolve(wrong)],
    ["none at all", () => startWith("")],
  ] as const) {
    it(`HOOK-15: ${what}: one line reports it, and a webhook whose secret it does not open is 503`, async () => {
      const node = await startNode();
      assert.equal(logLines(node).length, 1);
      const { level, msg, secrets } = JSON.parse(logLines(node)[0] ?? "") as Record<string, unknown>;
      assert.deepEqual([level, String(msg).startsWith(WRONG_KEY)], [50, true]);
      assert.ok(Number(secrets) >= 1);
      const { status, json } = await deliver(node, FIRST);
      assert.deepEqual(
        [status, json],
        [
          503,
          {
            statusCode: 503,
            message: "Webhooks of this route cannot be verified right now",
            error: "Service Unavailable",
          },
        ],
      );
      if (node !== wrong) assert.equal(await node.stop(), 0);
    });
  }

  it("HOOK-15: unknown routes, expired secrets and signatures that no secret could match stay 401", async () => {
    await eventually(async () => assert.equal((await deliver(wrong, EXPIRED)).status, 401));
    const refused: [what: string, options: WebhookOptions][] = [
      ["an unknown merchant", { ...FIRST, merchantId: "nobody" }],
      ["an unknown provider", { ...FIRST, provider: "provider_9" }],
      ["another route", { ...FIRST, provider: "provider_2" }],
      ["no signature", { ...FIRST, headers: { "webhook-signature": undefined } }],
      ["an old timestamp", { ...FIRST, timestamp: Math.floor(Date.now() / 1000) - 301 }],
    ];
    for (const [what, options] of refused) {
      const { status, json } = await deliver(wrong, options);
      assert.deepEqual([status, json["message"]], [401, "Invalid webhook signature"], what);
    }
  });

  it("HOOK-15: one secret that can be decrypted and verifies is enough, among those of several workspaces", async () => {
    await set(wrong, owners[1], "shop", SECOND.secret);
    assert.equal((await untilAnswered(() => deliver(wrong, SECOND))).status, 200);
    // The other workspace's secret may match, but this node cannot decrypt it.
    assert.equal((await deliver(wrong, FIRST)).status, 503);
    assert.equal((await deliver(wrong, { ...FIRST, secret: secretOf("guessed") })).status, 503);
    assert.equal(await wrong.stop(), 0);
  });

  it("a restart with the right key accepts the webhooks delivered meanwhile", async () => {
    const right = await startWith(WEBHOOK_SECRET_KEY);
    assert.equal((await deliver(right, FIRST)).status, 200);
    // The node with the right key cannot decrypt a record that was stored under the wrong key.
    assert.equal(logLines(right).length, 1);
    assert.equal((await deliver(right, SECOND)).status, 503);
    assert.equal(await right.stop(), 0);
  });
});
