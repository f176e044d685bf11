import assert from "node:assert/strict";
import { readdir } from "node:fs/promises";
import { get, request, type IncomingMessage } from "node:http";
import { before, describe, it } from "node:test";
import { brotliDecompressSync, gunzipSync } from "node:zlib";
import { fileURLToPath } from "node:url";
import { dashboardRoutes } from "../../../src/features/dashboard-files/routes.js";
import { loadStaticFiles } from "../../../src/platform/http/static-files.js";
import { openConnection, requestText, type RawReply } from "../../support/http/raw-http.js";
import { send, startTestService, type RunningService } from "../../support/service/service.js";
import { startPublicServer } from "../../support/service/public-server.js";

const ASSETS = fileURLToPath(new URL("../../../dashboard/assets", import.meta.url));

const SECURITY_HEADERS = {
  "content-security-policy":
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; font-src 'self'; connect-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'",
  "x-content-type-options": "nosniff",
  "referrer-policy": "no-referrer",
  "cross-origin-opener-policy": "same-origin",
  "cross-origin-resource-policy": "same-origin",
  "permissions-policy": "camera=(), geolocation=(), microphone=(), payment=(), usb=()",
};

let service: RunningService;
let script = "";
before(async () => {
  service = await startTestService();
  script = `/dashboard/assets/${(await readdir(ASSETS)).find((name) => /^index-.*\.js$/.test(name))}`;
});

/** Sends one request on its own connection. Nothing is added to it and nothing is decoded. */
async function ask(
  path: string,
  headers: readonly (readonly [string, string])[] = [],
  method = "GET",
): Promise<RawReply> {
  const connection = await openConnection(service.url);
  connection.write(requestText(method, path, headers));
  const reply = await connection.reply({ bodiless: method === "HEAD" });
  connection.destroy();
  return reply;
}

const headerOf = (reply: RawReply, name: string): string | undefined => reply.headers.get(name)?.[0];

describe("DASH-1: the dashboard at /dashboard is served by the service itself", () => {
  for (const path of [
    "/dashboard",
    "/dashboard/",
    "/dashboard/sign-in",
    "/dashboard/decisions/dec_1?mode=test",
  ]) {
    it(`${path} is the page, and browsers revalidate it each time`, async () => {
      const reply = await ask(path);
      assert.equal(reply.status, 200);
      assert.equal(headerOf(reply, "content-type"), "text/html; charset=utf-8");
      assert.equal(headerOf(reply, "cache-control"), "no-cache");
      assert.match(reply.body, /<div id="root"><\/div>/);
    });
  }

  it("its files are cached forever, because their names contain a hash of their content", async () => {
    const reply = await ask(script);
    assert.equal(reply.status, 200);
    assert.equal(headerOf(reply, "content-type"), "text/javascript; charset=utf-8");
    assert.equal(headerOf(reply, "cache-control"), "public, max-age=31536000, immutable");
  });

  it("every answer has each security header once, and a request id", async () => {
    for (const path of ["/dashboard", script]) {
      const { headers } = await ask(path, [["x-request-id", "abc"]]);
      for (const [name, value] of Object.entries(SECURITY_HEADERS)) {
        assert.deepEqual(headers.get(name), [value], `${path} ${name}`);
      }
      assert.deepEqual(headers.get("x-request-id"), ["abc"]);
      assert.equal(headers.has("server") || headers.has("uwebsockets"), false);
    }
  });

  it("the page contains no inline script or style, and names no other origin", async () => {
    const { body } = await ask("/dashboard");
    assert.doesNotMatch(body, /<script(?![^>]*\bsrc=)|<style|\bstyle=|\bon\w+=|https?:|["'(]\/\//);
  });

  it("sends an accepted encoding: brotli before gzip before none, and none for q=0", async () => {
    const plain = await fetch(service.url + script, { headers: { "accept-encoding": "identity" } });
    const text = await plain.text();
    assert.equal(plain.headers.get("content-encoding"), null);
    const cases = [
      { accept: "gzip, deflate, br", encoding: "br", decode: brotliDecompressSync },
      { accept: "gzip;q=1.0, br;q=0", encoding: "gzip", decode: gunzipSync },
      { accept: "br;q=0.0, gzip;q=0", encoding: null, decode: (bytes: Buffer) => bytes },
      { accept: "zstd", encoding: null, decode: (bytes: Buffer) => bytes },
    ];
    const etags = new Set<string | undefined>();
    for (const { accept, encoding, decode } of cases) {
      // The raw body, because fetch would decode it.
      const { bytes, headers } = await rawBytes(script, accept);
      assert.equal(headers.get("content-encoding")?.[0] ?? null, encoding, accept);
      assert.deepEqual(headers.get("vary"), ["accept-encoding"]);
      assert.equal(decode(bytes).toString("utf8"), text, accept);
      etags.add(headers.get("etag")?.[0]);
    }
    assert.equal(etags.size, 3, "each encoding has a tag of its own");
  });

  it("answers 304 without a body to a client that has the file", async () => {
    const etag = headerOf(await ask("/dashboard"), "etag") ?? "";
    assert.match(etag, /^"[\w-]{22}"$/);
    for (const given of [etag, `W/${etag}`, `"other", ${etag}`, "*"]) {
      const reply = await ask("/dashboard", [["if-none-match", given]]);
      assert.equal(reply.status, 304, given);
      assert.equal(reply.body, "");
      assert.equal(headerOf(reply, "etag"), etag);
      assert.equal(headerOf(reply, "content-type"), undefined);
    }
    assert.equal((await ask("/dashboard", [["if-none-match", '"other"']])).status, 200);
  });

  it("answers HEAD with the headers of GET, and keeps the connection", async () => {
    const connection = await openConnection(service.url);
    connection.write(requestText("HEAD", "/dashboard"));
    const head = await connection.reply({ bodiless: true });
    assert.equal(head.status, 200);
    connection.write(requestText("GET", "/dashboard"));
    const { body, headers } = await connection.reply();
    assert.equal(headerOf(head, "content-length"), String(Buffer.byteLength(body)));
    assert.deepEqual(headers.get("etag"), head.headers.get("etag"));
    connection.destroy();
  });

  for (const path of [
    "/dashboard/assets/missing-abcdef12.js",
    "/dashboard/assets/",
    "/dashboard/../../package.json",
    "/dashboard/%2e%2e/%2e%2e/package.json",
    "/dashboard/assets/..%2findex.html",
    "/dashboard/index.html.br",
  ]) {
    it(`${path} is the contract's 404`, async () => {
      const reply = await ask(path);
      assert.equal(reply.status, 404);
      assert.equal(headerOf(reply, "content-type"), "application/json; charset=utf-8");
      assert.equal((JSON.parse(reply.body) as { statusCode: number }).statusCode, 404);
    });
  }

  it("accepts no other method", async () => {
    const reply = await send(service, "POST", "/dashboard/sign-in", { body: {} });
    assert.equal(reply.status, 405);
    assert.equal(reply.headers.get("allow"), "GET, HEAD");
  });

  it("HTTP-1, SVC-15: / is no route for a request that does not ask for a page", async () => {
    assert.equal((await ask("/")).status, 404);
  });
});

describe("a file larger than a connection's buffer", () => {
  // The size is several times what the kernel buffers for a connection on the loopback.
  const bytes = Buffer.alloc(24 * 1024 * 1024, "0123456789abcdefghijklmnopqrstuvwxyz-_");
  const files = new Map([
    [
      "index.html",
      { contentType: "text/html", encodings: [{ encoding: null, etag: '"e"', bytes }] as const },
    ],
  ]);

  it("reaches a slow reader completely and in order, and delays nobody else", async () => {
    const statuses: number[] = [];
    const server = await startPublicServer(dashboardRoutes(files), (status) => statuses.push(status));
    const url = `http://127.0.0.1:${server.port}/dashboard`;
    const slow = await new Promise<IncomingMessage>((resolve) => get(url, resolve));
    const other = await fetch(url);
    assert.equal(Buffer.compare(Buffer.from(await other.arrayBuffer()), bytes), 0);
    assert.deepEqual(statuses, [200], "the first reader has not got all of it yet");
    const chunks: Buffer[] = [];
    for await (const chunk of slow) chunks.push(chunk as Buffer);
    assert.equal(Buffer.compare(Buffer.concat(chunks), bytes), 0);
    assert.deepEqual(statuses, [200, 200]);

    const gone = await new Promise<IncomingMessage>((resolve) => get(url, resolve));
    gone.destroy();
    await server.stop(5000);
  });
});

describe("a node whose page is not built", () => {
  it("reports that, and serves everything else", async () => {
    const files = await loadStaticFiles("/nonexistent/dashboard");
    const failures: unknown[] = [];
    for (const route of dashboardRoutes(files)) {
      if (route.path === "/") continue;
      const exchange = { head: {}, fail: (error: unknown) => failures.push(error) };
      await route.handle(exchange as never, ["/dashboard/sign-in"]);
    }
    const error = { kind: "not_found", message: "The dashboard is not built on this node" };
    assert.deepEqual(failures, [error, error]);
  });
});

/** `raw-http` reads bodies as text, so this reads the bytes. */
async function rawBytes(
  path: string,
  acceptEncoding: string,
): Promise<{ bytes: Buffer; headers: ReadonlyMap<string, string[]> }> {
  return new Promise((resolve, reject) => {
    request(service.url + path, { headers: { "accept-encoding": acceptEncoding } }, (response) => {
      const chunks: Buffer[] = [];
      response.on("data", (chunk: Buffer) => chunks.push(chunk));
      response.on("end", () => {
        const headers = Object.entries(response.headersDistinct).map(([k, v]) => [k, v ?? []] as const);
        resolve({ bytes: Buffer.concat(chunks), headers: new Map(headers) });
      });
    })
      .on("error", reject)
      .end();
  });
}
