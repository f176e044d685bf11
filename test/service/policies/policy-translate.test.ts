import assert from "node:assert/strict";
import { before, describe, it } from "node:test";
import { superviseTranslations } from "../../../src/features/policies/translate-thread.js";
import type { ApiKeyGrant } from "../../../src/path/access/grant.js";
import { createAdmission } from "../../../src/path/front/admission.js";
import { createPolicyValidator } from "../../../src/features/policies/wire/policy-validator.js";
import { policyTranslateRoute } from "../../../src/features/policies/routes/policy-translate.js";
import type { TranslationBody } from "../../../src/features/policies/wire/policy-trial-response-schema.js";
import { startHttpServer, type HttpServer } from "../../../src/path/front/server.js";
import { createFixedWindow } from "../../../src/path/access/rate-window.js";
import { LIMITS } from "../../../src/domain/vocabulary/limits.js";
import { TUNING } from "../../../src/domain/vocabulary/tuning.js";
import type { Scope } from "../../../src/domain/vocabulary/vocabulary.js";
import { createLogger } from "../../../src/platform/telemetry/logger.js";
import { createMetrics } from "../../../src/platform/telemetry/metrics.js";
import { compiled } from "../../support/service/actor-parts.js";
import { closeLater } from "../../support/closing.js";
import { PROVIDER_IDS } from "../../support/generators/arbitraries.js";
import { nextRequestId } from "../../support/service/request-ids.js";

/** The keys by their rights. The workspace has the merchants shop_1 and shop_2. */
const KEYS: Readonly<Record<string, { scopes: Scope[]; merchantScope: string | null }>> = {
  writer: { scopes: ["policy:write"], merchantScope: null },
  reader: { scopes: ["policy:read"], merchantScope: null },
  shop_1_writer: { scopes: ["policy:write"], merchantScope: "shop_1" },
};
const MERCHANTS = new Set(["ws_1/shop_1", "ws_1/shop_2"]);

function grantOf(key: string): ApiKeyGrant | "invalid_api_key" {
  const known = KEYS[key];
  if (known === undefined) return "invalid_api_key";
  return {
    actor: key,
    workspaceId: "ws_1",
    mode: "test",
    scopes: new Set(known.scopes),
    merchantScope: known.merchantScope,
    expiresAtMs: null,
    workspaceStatus: "active",
  };
}

let ids = 0;
const validator = createPolicyValidator({
  providers: PROVIDER_IDS,
  nextId: () => String(++ids).padStart(26, "0"),
});

let server: HttpServer;
before(async () => {
  const translations = superviseTranslations({
    file: compiled("service/workers/translate.js"),
    metrics: createMetrics(),
    log: createLogger("silent"),
  });
  closeLater(() => translations.stop());
  server = await startHttpServer({
    host: "127.0.0.1",
    port: 0,
    routes: [
      policyTranslateRoute({
        translate: (text) => translations.ask({ text, providers: PROVIDER_IDS }),
        validate: validator.validate,
        isMerchant: (workspaceId, merchantId) => MERCHANTS.has(`${workspaceId}/${merchantId}`),
      }),
    ],
    admitSession: () => assert.fail("no route here asks for a session"),
    admitAttempt: () => assert.fail("no route here counts attempts"),
    trustProxyHops: 0,
    admit: createAdmission({
      authenticate: grantOf,
      sourceOf: () => assert.fail("no key here is looked up"),
      admitSession: () => assert.fail("no request here comes with a session"),
      rateWindow: createFixedWindow(0),
      now: Date.now,
      onRateLimited: () => undefined,
    }),
    observerOf: () => () => undefined,
    nextRequestId,
    onHandlerError: (error) => assert.fail(String(error)),
  });
  closeLater(() => server.stop(1000));
});

async function post(body: unknown, key = "writer", contentType = "application/json") {
  const response = await fetch(`http://127.0.0.1:${server.port}/v1/policies/translate`, {
    method: "POST",
    headers: { "x-api-key": key, "content-type": contentType },
    body: typeof body === "string" ? body : JSON.stringify(body),
  });
  return { status: response.status, json: (await response.json()) as Record<string, unknown> };
}

const ask = (text: string, key?: string) => post({ merchant_id: "shop_1", text }, key);

describe("POST /v1/policies/translate", () => {
  it("TRANS-1: answers a draft policy, its warnings and whether it is valid", async () => {
    const { status, json } = await ask(
      "Block payments over 5000 USD from guests. Prefer red wine. Default to provider_3.",
    );
    assert.equal(status, 200);
    assert.deepEqual(json, {
      draft: {
        name: "Translated policy",
        default_provider: "provider_3",
        rules: [
          {
            rule_id: `rule_${"1".padStart(26, "0")}`,
            name: "Block over 5000 USD from guests",
            priority: 10,
            enabled: true,
            when: { amount_gt: 500_000, currency_in: ["USD"], customer_type_in: ["guest"] },
            then: { type: "block" },
          },
        ],
      },
      warnings: [
        {
          sentence_index: 1,
          code: "not_understood",
          message: "The sentence was not understood as a whole, so no rule was made of it",
        },
      ],
      valid: true,
    });
  });

  it("TRANS-1: answers with draft null and valid false when nothing was understood", async () => {
    for (const text of ["Be nice to everyone", ""]) {
      const { status, json } = await ask(text);
      assert.equal(status, 200);
      assert.deepEqual([json["draft"], json["valid"]], [null, false]);
      assert.equal((json["warnings"] as unknown[]).length, text === "" ? 0 : 1);
    }
  });

  it("answers with a draft that has only a default provider", async () => {
    const { json } = await ask("Default to provider_3");
    assert.deepEqual(json["draft"], { name: "Translated policy", default_provider: "provider_3", rules: [] });
  });

  it("POL-3: default_provider of a draft is null if no sentence names one", async () => {
    const { json } = await ask("Block guests");
    const draft = json["draft"] as { default_provider?: unknown };
    assert.equal(draft.default_provider, null);
    assert.ok(validator.validate(draft).ok, "what was answered can be sent back");
  });

  it("answers with valid false and the draft if strict validation refuses it", async () => {
    const { status, json } = await ask("Block guests and add reason code SDK_FALLBACK_USED");
    assert.deepEqual([status, json["valid"]], [200, false]);
    assert.equal((json["draft"] as TranslationBody["draft"])?.rules.length, 1);
  });

  for (const [name, body, path, code] of [
    ["an unknown field", { merchant_id: "shop_1", text: "x", lang: "en" }, "lang", "unrecognized_keys"],
    ["a missing text", { merchant_id: "shop_1" }, "text", "invalid_type"],
    ["a text that is none", { merchant_id: "shop_1", text: 5 }, "text", "invalid_type"],
    ["a missing merchant_id", { text: "x" }, "merchant_id", "invalid_type"],
    ["a malformed merchant_id", { merchant_id: "a b", text: "x" }, "merchant_id", "invalid_string"],
    ["malformed JSON", "{", "", "invalid_json"],
  ] as const) {
    it(`answers ${name} with 400 validation_error`, async () => {
      const { status, json } = await post(body);
      assert.deepEqual([status, json["error"]], [400, "validation_error"]);
      const [issue] = json["issues"] as { path: string; code: string }[];
      assert.deepEqual([issue?.path, issue?.code], [path, code]);
    });
  }

  it("AUTH-12: requires policy:write", async () => {
    const { status, json } = await ask("Hold guests", "reader");
    assert.deepEqual([status, json["message"]], [403, "API key is missing scopes: policy:write"]);
  });

  it("answers 403 to another merchant's key, and for a merchant outside the workspace", async () => {
    const other = await post({ merchant_id: "shop_2", text: "Hold guests" }, "shop_1_writer");
    assert.deepEqual(
      [other.status, other.json["message"]],
      [403, "API key is scoped to a different merchant"],
    );
    const unknown = await post({ merchant_id: "shop_9", text: "Hold guests" });
    assert.deepEqual(
      [unknown.status, unknown.json["message"]],
      [403, "Merchant is not registered in this workspace"],
    );
    assert.equal((await ask("Hold guests", "shop_1_writer")).status, 200);
  });

  it("HTTP-18: accepts a body of up to 1 MiB and answers a larger one with 413", async () => {
    const frame = JSON.stringify({ merchant_id: "shop_1", text: "" }).length;
    const fits = await ask("x".repeat(LIMITS.largeBodyBytesMax - frame));
    assert.equal(fits.status, 200);
    const over = await ask("x".repeat(LIMITS.largeBodyBytesMax - frame + 1));
    assert.equal(over.status, 413);
  });

  it("answers other requests while it reads a long text", async () => {
    const order: string[] = [];
    const text = "Block payments from guests over 5000 USD in NG if never\n".repeat(200);
    // There are ten, because a single text may be done before a starved host sends the other request.
    const long = Promise.all(Array.from({ length: 10 }, () => ask(text))).then(() => order.push("long"));
    await new Promise((resolve) => setTimeout(resolve, 1));
    await post({}).then(() => order.push("other"));
    await long;
    assert.deepEqual(order, ["other", "long"]);
  });

  it("never echoes a word that it does not understand", async () => {
    const { json } = await ask("Block 4111111111111111; Hold payments from zorgon_secret");
    assert.ok(!/4111|zorgon/.test(JSON.stringify(json)), JSON.stringify(json));
  });
});

describe("OPS-9: translate: many texts at once", () => {
  it("accepts a burst of 64 with one key, and refuses long texts beyond the queue until there is room", async () => {
    const ordinary = "Block payments over 5000 USD from guests. Prefer provider_1 for visa cards in NG.";
    const burst = await Promise.all(Array.from({ length: 64 }, async () => (await ask(ordinary)).status));
    assert.deepEqual(new Set(burst), new Set([200]));

    // The first sentence takes long to translate, and the rest counts as waiting text. A larger body would wait in
    // another line.
    const slow = `Block payments from guests${", and if the risk score is over 80, hold".repeat(20)}\n`;
    const long = slow.padEnd(LIMITS.smallBodyBytesMax - 100, "x");
    const mayWait = Math.floor(TUNING.translationCharsWaitingMax / 2 / long.length);
    const flood = await Promise.all(
      Array.from({ length: 4 * mayWait }, async () => (await ask(long)).status),
    );
    assert.deepEqual(new Set(flood), new Set([200, 503]));
    assert.ok(flood.filter((status) => status === 200).length >= mayWait);
    assert.equal((await ask(ordinary)).status, 200);
  });
});
