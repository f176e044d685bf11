import assert from "node:assert/strict";
import { before, describe, it } from "node:test";
import { brotliCompressSync, deflateSync, gzipSync } from "node:zlib";
import { bearer, register } from "../../support/people/accounts.js";
import { openConnection, requestText } from "../../support/http/raw-http.js";
import {
  decisionBody,
  send,
  sendRead,
  type Reply,
  type RunningService,
} from "../../support/service/service.js";
import { platformAdmin, sharedTestService } from "../../support/service/shared-service.js";
import { secretOf, sendWebhook } from "../../support/service/webhooks.js";

interface Operation {
  security: Record<string, unknown>[];
  requestBody?: unknown;
}

const WEBHOOK = "POST /v1/provider-webhooks/{providerSlug}/{merchantId}";
const ENCODED = {
  statusCode: 415,
  message: "Send the body without content-encoding; only identity is read",
  error: "Unsupported Media Type",
};

let service: RunningService;
let token: string;
/**
 * The operations that may change something, as `METHOD /path` of the document. The document is made from the route
 * table.
 */
let operations: Map<string, Operation>;

before(async () => {
  service = await sharedTestService();
  ({ token } = await platformAdmin(service));
  const { json } = await send(service, "GET", "/openapi.json", { key: null });
  const paths = json["paths"] as Record<string, Record<string, Operation>>;
  operations = new Map(
    Object.entries(paths).flatMap(([path, item]) =>
      Object.entries(item)
        .filter(([method]) => method !== "get")
        .map(([method, operation]) => [`${method.toUpperCase()} ${path}`, operation]),
    ),
  );
  const body = { merchant_id: "demo_merchant", secret: secretOf("shop") };
  const headers = bearer((await register(service)).token);
  const path = "/v1/integrations/provider_1/webhook-secret";
  assert.equal((await send(service, "PUT", path, { body, key: null, headers })).status, 200);
});

/** Sends a body with these headers, with credentials that may use the endpoint. */
async function ask(name: string, headers: Readonly<Record<string, string>>): Promise<Reply> {
  const { security, requestBody } = operations.get(name) as Operation;
  const [method = "", pattern = ""] = name.split(" ");
  if (name === WEBHOOK) return sendWebhook(service, { merchantId: "demo_merchant", headers });
  const isKeys = security.some((requirement) => "apiKey" in requirement);
  return sendRead(service, method, pattern.replaceAll(/\{\w+\}/g, "none"), {
    ...(requestBody === undefined ? {} : { body: {} }),
    headers: { ...(isKeys || security.length === 0 ? {} : bearer(token)), ...headers },
    key: isKeys ? service.key : null,
  });
}

/** Sends a decision request as raw bytes. Resolves to the answer's status and body. */
async function decide(bytes: Uint8Array, headers: readonly (readonly [string, string])[]) {
  const connection = await openConnection(service.url);
  const head = [["x-api-key", service.key], ...headers, ["Content-Length", String(bytes.length)]] as const;
  connection.write(requestText("POST", "/v1/decision", head));
  connection.write(bytes);
  const { status, body } = await connection.reply();
  connection.destroy();
  return { status, json: JSON.parse(body) as Record<string, unknown> };
}

const VALID = Buffer.from(JSON.stringify(decisionBody()));
const JSON_TYPE = ["content-type", "application/json"] as const;

describe("a body with a content-encoding", () => {
  it("HTTP-20: is 415 on every endpoint that may change something, the plain one that claims it too", async () => {
    assert.ok(operations.size > 25, `only ${operations.size} operations`);
    for (const name of operations.keys()) {
      for (const coding of ["gzip", "br"]) {
        const { status, json } = await ask(name, { "content-encoding": coding });
        assert.deepEqual([status, json], [415, ENCODED], `${name} ${coding}`);
      }
    }
  });

  const compressed: [coding: string, bytes: Uint8Array][] = [
    ["gzip", gzipSync(VALID)],
    ["br", brotliCompressSync(VALID)],
    ["deflate", deflateSync(VALID)],
    ["GZIP", VALID],
    ["x-gzip", VALID],
    ["zstd", VALID],
    ["made-up", VALID],
    ["identity, gzip", VALID],
    ["gzip, identity", VALID],
  ];
  for (const [coding, bytes] of compressed) {
    it(`HTTP-20: refuses ${coding}`, async () => {
      const { status, json } = await decide(bytes, [JSON_TYPE, ["content-encoding", coding]]);
      assert.deepEqual([status, json], [415, ENCODED]);
    });
  }

  it("HTTP-20: refuses two header lines, one of which is identity", async () => {
    const lines = [JSON_TYPE, ["content-encoding", "identity"], ["content-encoding", "gzip"]] as const;
    assert.equal((await decide(VALID, lines)).status, 415);
  });

  for (const coding of ["identity", "Identity", "identity, identity", ""]) {
    it(`HTTP-20: accepts "${coding}"`, async () => {
      assert.equal((await decide(VALID, [JSON_TYPE, ["content-encoding", coding]])).status, 200);
    });
  }

  it("HTTP-20, HOOK-10: is refused on a webhook before the sender is known, with the same answer for all", async () => {
    const headers = { "content-encoding": "gzip", "webhook-signature": "v1,none" };
    for (const merchantId of ["demo_merchant", "nobody"]) {
      const { status, json } = await sendWebhook(service, { merchantId, headers });
      assert.deepEqual([status, json], [415, ENCODED]);
    }
  });

  it("HTTP-2: is refused only after the caller's rights are checked", async () => {
    const headers = { "content-encoding": "gzip" };
    const { status } = await send(service, "POST", "/v1/decision", { body: {}, key: null, headers });
    assert.equal(status, 401);
  });
});

describe("other headers that change the meaning of a body", () => {
  for (const type of [
    "application/json; charset=utf-16",
    "application/json; charset=iso-8859-1",
    'application/json; charset="latin1"',
    "application/json;CHARSET=UTF-32",
    "application/json; charset=utf-8; charset=utf-16",
    "application/json; charset=",
  ]) {
    it(`HTTP-21: refuses ${type}`, async () => {
      const { status, json } = await decide(VALID, [["content-type", type]]);
      assert.deepEqual([status, json["message"]], [415, "Send the body in UTF-8; no other charset is read"]);
    });
  }

  for (const type of ['application/json; charset="UTF-8"', "application/json; charset=US-ASCII"]) {
    it(`HTTP-21: accepts ${type}`, async () => {
      assert.equal((await decide(VALID, [["content-type", type]])).status, 200);
    });
  }

  it("HTTP-22: a partial body is 400", async () => {
    const { status, json } = await decide(VALID, [JSON_TYPE, ["content-range", "bytes 0-9/100"]]);
    assert.equal(status, 400);
    assert.deepEqual(json["issues"], [
      { path: "headers.content-range", code: "custom", message: "A body cannot be sent in parts" },
    ]);
  });
});
