import assert from "node:assert/strict";
import { before, describe, it } from "node:test";
import { setImmediate as nextTurn } from "node:timers/promises";
import { LIMITS } from "../../../src/domain/vocabulary/limits.js";
import { openConnection, requestText, type RawReply } from "../../support/http/raw-http.js";
import { decisionBody, send, type RunningService } from "../../support/service/service.js";
import { sharedTestService } from "../../support/service/shared-service.js";
import { createKey } from "../../support/people/tenants.js";

let service: RunningService;
let scopeless: string;
before(async () => {
  service = await sharedTestService();
  scopeless = await createKey(service.pool, service.workspaceId, { scopes: [] });
});

const valid = JSON.stringify(decisionBody());
const LIMIT = LIMITS.smallBodyBytesMax;

type Headers = readonly (readonly [string, string])[];
const JSON_TYPE = ["content-type", "application/json"] as const;
const withKey = (...more: Headers): Headers => [["x-api-key", service.key], ...more];

/** Sends a body in the given pieces, each in its own packets. */
async function post(headers: Headers, pieces: readonly (string | Uint8Array)[]): Promise<RawReply> {
  const connection = await openConnection(service.url);
  connection.write(requestText("POST", "/v1/decision", headers));
  for (const piece of pieces) {
    await nextTurn();
    connection.write(piece);
  }
  const reply = await connection.reply();
  connection.destroy();
  return reply;
}

const postWhole = (body: string | Uint8Array, headers: Headers = [JSON_TYPE]): Promise<RawReply> =>
  post([...withKey(...headers), ["Content-Length", String(Buffer.byteLength(body))]], [body]);

function split(text: string, size: number): string[] {
  return Array.from({ length: Math.ceil(text.length / size) }, (_, i) =>
    text.slice(i * size, (i + 1) * size),
  );
}

const chunk = (text: string): string => `${Buffer.byteLength(text).toString(16)}\r\n${text}\r\n`;
const LAST_CHUNK = "0\r\n\r\n";
const CHUNKED = ["Transfer-Encoding", "chunked"] as const;

describe("body limits", () => {
  it("HTTP-17: is 16 KiB for a decision", () => assert.equal(LIMIT, 16 * 1024));

  for (const [bytes, status] of [
    [LIMIT - 1, 200],
    [LIMIT, 200],
    [LIMIT + 1, 413],
    [LIMIT * 2, 413],
  ] as const) {
    const body = valid.padEnd(bytes);
    const framings: [what: string, headers: () => Headers, pieces: string[]][] = [
      ["in one packet", () => withKey(JSON_TYPE, ["Content-Length", String(bytes)]), [body]],
      [
        "in packets of 1000 bytes",
        () => withKey(JSON_TYPE, ["Content-Length", String(bytes)]),
        split(body, 1000),
      ],
      ["as one chunk", () => withKey(JSON_TYPE, CHUNKED), [chunk(body), LAST_CHUNK]],
      [
        "in chunks of 999 bytes",
        () => withKey(JSON_TYPE, CHUNKED),
        [...split(body, 999).map(chunk), LAST_CHUNK],
      ],
    ];
    for (const [how, headers, pieces] of framings) {
      it(`HTTP-17: answers ${bytes} bytes ${how} with ${status}`, async () => {
        assert.equal((await post(headers(), pieces)).status, status);
      });
    }
  }

  it("counts bytes, not characters", async () => {
    const body = JSON.stringify(decisionBody({ order_id: "é".repeat(128) }));
    const fits = body + " ".repeat(LIMIT - Buffer.byteLength(body));
    assert.equal((await postWhole(fits)).status, 200);
    assert.equal((await postWhole(`${fits} `)).status, 413);
  });

  it("delivers the answer to a client that is still sending", async () => {
    for (let i = 0; i < 5; i++) {
      const { status } = await send(service, "POST", "/v1/decision", { body: "x".repeat(10_000_000) });
      assert.equal(status, 413);
    }
  });
});

describe("bodies as they arrive", () => {
  it("reads a body that arrives byte by byte", async () => {
    const length = ["Content-Length", String(valid.length)] as const;
    assert.equal((await post(withKey(JSON_TYPE, length), split(valid, 1))).status, 200);
  });

  it("reads a chunked body with any chunks and packets", async () => {
    const framed = split(valid, 10).map(chunk).join("") + LAST_CHUNK;
    for (const size of [1, 7, 64, framed.length]) {
      assert.equal((await post(withKey(JSON_TYPE, CHUNKED), split(framed, size))).status, 200, `${size}`);
    }
  });

  it("reads a body split inside a character", async () => {
    const bytes = Buffer.from(JSON.stringify(decisionBody({ order_id: "日本😀é" })));
    for (let at = bytes.indexOf(0xe6); at < bytes.indexOf(0xe6) + 12; at++) {
      const headers = withKey(JSON_TYPE, ["Content-Length", String(bytes.length)]);
      const { status, body } = await post(headers, [bytes.subarray(0, at), bytes.subarray(at)]);
      assert.equal(status, 200, body);
    }
  });

  it("reads a body that arrives while its key is looked up for the first time", async () => {
    for (const size of [1, 50, 10_000]) {
      const key = await createKey(service.pool, service.workspaceId);
      const headers: Headers = [["x-api-key", key], JSON_TYPE, ["Content-Length", String(valid.length)]];
      const { status, body } = await post(headers, split(valid, size));
      assert.equal(status, 200, body);
    }
    const key = await createKey(service.pool, service.workspaceId);
    const headers: Headers = [["x-api-key", key], JSON_TYPE, CHUNKED];
    assert.equal((await post(headers, [...split(valid, 100).map(chunk), LAST_CHUNK])).status, 200);
  });

  it("answers Expect: 100-continue before the body arrives", async () => {
    const connection = await openConnection(service.url);
    const headers = withKey(JSON_TYPE, ["Content-Length", String(valid.length)], ["Expect", "100-continue"]);
    connection.write(requestText("POST", "/v1/decision", headers));
    assert.equal((await connection.reply()).status, 100);
    connection.write(valid);
    assert.equal((await connection.reply()).status, 200);
    connection.destroy();
  });
});

describe("content-type", () => {
  const accepted = [
    "application/json",
    "application/json; charset=utf-8",
    "application/json;charset=UTF-8",
    "application/json ; profile=x",
    "Application/JSON",
  ];
  for (const type of accepted) {
    it(`HTTP-16: accepts ${type}`, async () => {
      assert.equal((await postWhole(valid, [["content-type", type]])).status, 200);
    });
  }

  const refused: [what: string, headers: Headers][] = [
    ["none", []],
    ["an empty one", [["content-type", ""]]],
    ["text/plain", [["content-type", "text/plain"]]],
    ["text/json", [["content-type", "text/json"]]],
    ["application/jsonp", [["content-type", "application/jsonp"]]],
    ["application/x-json", [["content-type", "application/x-json"]]],
    ["application/merge-patch+json", [["content-type", "application/merge-patch+json"]]],
    ["application/json, text/plain", [["content-type", "application/json, text/plain"]]],
    ["application/x-www-form-urlencoded", [["content-type", "application/x-www-form-urlencoded"]]],
    ["multipart/form-data", [["content-type", 'multipart/form-data; boundary="application/json"']]],
    ["two of them", [JSON_TYPE, ["content-type", "text/plain"]]],
  ];
  for (const [what, headers] of refused) {
    it(`FMT-1, HTTP-16: answers ${what} with 415`, async () => {
      const { status, body } = await postWhole(valid, headers);
      assert.equal(status, 415, body);
    });
  }
});

describe("invalid UTF-8", () => {
  const malformed: [what: string, bytes: number[]][] = [
    ["a lone continuation byte", [0x80]],
    ["a truncated character", [0xe6, 0x97]],
    ["an overlong slash", [0xc0, 0xaf]],
    ["an encoded surrogate", [0xed, 0xa0, 0x80]],
    ["a code point past U+10FFFF", [0xf4, 0x90, 0x80, 0x80]],
    ["a byte that is never used", [0xff]],
  ];
  for (const [what, bytes] of malformed) {
    it(`ERR-14: answers ${what} with 400 invalid_json`, async () => {
      const [before = "", after = ""] = valid.split("order_1");
      const body = Buffer.concat([Buffer.from(`${before}order_1`), Buffer.from(bytes), Buffer.from(after)]);
      const reply = await postWhole(body);
      assert.equal(reply.status, 400);
      const { error, issues } = JSON.parse(reply.body) as { error: string; issues: { message: string }[] };
      assert.equal(error, "validation_error");
      assert.deepEqual(issues, [{ path: "", code: "invalid_json", message: issues[0]?.message }]);
    });
  }

  it("answers UTF-16 and a byte order mark with 400", async () => {
    for (const body of [Buffer.from(`\ufeff${valid}`, "utf16le"), Buffer.from(`\ufeff${valid}`)]) {
      assert.equal((await postWhole(body)).status, 400);
    }
  });
});

describe("an answer before the body has arrived", () => {
  const length = ["Content-Length", String(valid.length)] as const;
  const early: [what: string, method: string, path: string, headers: () => Headers, status: number][] = [
    ["no key", "POST", "/v1/decision", () => [JSON_TYPE], 401],
    ["a malformed key", "POST", "/v1/decision", () => [["x-api-key", "nonsense"], JSON_TYPE], 401],
    [
      "an unknown key",
      "POST",
      "/v1/decision",
      () => [["x-api-key", `pi_live_${"ab".repeat(32)}`], JSON_TYPE],
      401,
    ],
    ["a key without scopes", "POST", "/v1/decision", () => [["x-api-key", scopeless], JSON_TYPE], 403],
    ["no content type", "POST", "/v1/decision", () => withKey(), 415],
    ["an unknown route", "POST", "/v1/nothing", () => withKey(JSON_TYPE), 404],
    ["a wrong method", "PUT", "/v1/decision", () => withKey(JSON_TYPE), 405],
    ["a GET with a body", "GET", "/v1/provider-health", () => withKey(JSON_TYPE), 200],
    ["a GET of another resource with a body", "GET", "/v1/decisions/x", () => withKey(JSON_TYPE), 404],
  ];
  const late: [how: string, framing: readonly [string, string], pieces: string[]][] = [
    ["later", length, [valid]],
    ["in two parts", length, [valid.slice(0, 40), valid.slice(40)]],
    ["in chunks", CHUNKED, [chunk(valid.slice(0, 40)), chunk(valid.slice(40)), LAST_CHUNK]],
  ];
  for (const [what, method, path, headers, status] of early) {
    for (const [how, framing, pieces] of late) {
      it(`${what}, its body ${how}: neither hangs nor desynchronises the connection`, async () => {
        const connection = await openConnection(service.url);
        connection.write(requestText(method, path, [...headers(), framing, ["x-request-id", "early"]]));
        const before = await connection.reply();
        assert.deepEqual([before.status, before.headers.get("x-request-id")], [status, ["early"]]);
        for (const piece of pieces) {
          connection.write(piece);
          await nextTurn();
        }
        if (framing === CHUNKED) {
          assert.deepEqual(before.headers.get("connection"), ["close"]);
          assert.equal(await connection.closed(), "");
          return;
        }
        const next = withKey(JSON_TYPE, ["x-request-id", "next"]);
        connection.write(requestText("POST", "/v1/decision", next, valid));
        const after = await connection.reply();
        assert.deepEqual([after.status, after.headers.get("x-request-id")], [200, ["next"]]);
        connection.destroy();
      });
    }
  }

  it("a body over the limit is skipped to its end", async () => {
    const body = "x".repeat(100_000);
    for (const [framing, pieces] of [
      [
        ["Content-Length", String(body.length)],
        [body.slice(0, 20_000), body.slice(20_000)],
      ],
      [CHUNKED, [chunk(body.slice(0, 20_000)), chunk(body.slice(20_000)), LAST_CHUNK]],
    ] as [readonly [string, string], string[]][]) {
      const connection = await openConnection(service.url);
      connection.write(requestText("POST", "/v1/decision", withKey(JSON_TYPE, framing)));
      connection.write(pieces[0] ?? "");
      assert.equal((await connection.reply()).status, 413);
      for (const piece of pieces.slice(1)) connection.write(piece);
      if (framing === CHUNKED) {
        assert.equal(await connection.closed(), "");
        continue;
      }
      connection.write(requestText("GET", "/health", [["x-request-id", "next"]]));
      const next = await connection.reply();
      assert.deepEqual([next.status, next.headers.get("x-request-id")], [200, ["next"]]);
      connection.destroy();
    }
  });
});
