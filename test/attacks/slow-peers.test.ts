import assert from "node:assert/strict";
import { once } from "node:events";
import { connect } from "node:net";
import { before, describe, it } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { LIMITS } from "../../src/domain/vocabulary/limits.js";
import { TUNING } from "../../src/domain/vocabulary/tuning.js";
import { residentBytesOf } from "../support/machine/process-memory.js";
import { openConnection, requestText, type RawReply } from "../support/http/raw-http.js";
import {
  decisionBody,
  eventually,
  send,
  startTestService,
  type RunningService,
} from "../support/service/service.js";
import { createKey } from "../support/people/tenants.js";

/**
 * Far more than the parser's ten seconds and `skippedBodyMsMax`. A connection that is never cut fails the test after
 * this time.
 */
const CUT_TIMEOUT_MS = 40_000;
/** The time limit of the tests that check numbers of bytes and not durations. */
const HANGS_AFTER_MS = 120_000;
const MIB = 2 ** 20;

let service: RunningService;
before(async () => {
  service = await startTestService({ RATE_LIMIT_PER_MINUTE: "0" });
});

const post = (path: string, headers: readonly (readonly [string, string])[]): string =>
  requestText("POST", path, [...withKey(), ...headers]);
const JSON_BODY = [["content-type", "application/json"]] as const;
const withKey = () => [["x-api-key", service.key], ...JSON_BODY] as const;
const LENGTH = ["content-length", "5000"] as const;
const ENDLESS = ["content-length", String(10 ** 12)] as const;
const CHUNKED = ["transfer-encoding", "chunked"] as const;
const GET = "GET /health HTTP/1.1\r\nhost: a\r\n";

interface Attack {
  first: string;
  /** Sent repeatedly after `first`. */
  then: string;
  everyMs: number;
}

/**
 * Sends until the server closes the connection. Resolves to the server's answers and to the number of bytes sent after
 * `first`.
 */
async function attack({ first, then, everyMs }: Attack): Promise<{ replies: RawReply[]; sentBytes: number }> {
  const connection = await openConnection(service.url);
  const replies: RawReply[] = [];
  const reading = (async () => {
    for (;;) replies.push(await connection.reply());
  })().catch(() => undefined);
  connection.write(first);
  let sentBytes = 0;
  while (connection.isOpen()) {
    await sleep(everyMs);
    if (then === "" || !connection.isDrained()) continue;
    connection.write(then);
    sentBytes += then.length;
  }
  await reading;
  return { replies, sentBytes };
}

/** All tests run at once, because each waits for the parser's time limit. */
describe("slow and endless peers", { concurrency: true }, () => {
  describe("slow peers: a peer that does not finish its request is cut off", { concurrency: true }, () => {
    const cases: [what: string, attack: () => Attack][] = [
      ["a connection on which nothing comes", () => ({ first: "", then: "", everyMs: 200 })],
      ["a request line byte by byte", () => ({ first: "GET /", then: "a", everyMs: 500 })],
      ["headers line by line", () => ({ first: GET, then: "x: y\r\n", everyMs: 500 })],
      ["one header byte by byte", () => ({ first: `${GET}x: `, then: "y", everyMs: 100 })],
      ["empty lines", () => ({ first: "\r\n", then: "\r\n", everyMs: 500 })],
      ["a body that never begins", () => ({ first: post("/v1/decision", [LENGTH]), then: "", everyMs: 200 })],
      ["a body byte by byte", () => ({ first: post("/v1/decision", [LENGTH]), then: " ", everyMs: 200 })],
      [
        "chunks of one byte",
        () => ({ first: post("/v1/decision", [CHUNKED]), then: "1\r\n \r\n", everyMs: 200 }),
      ],
      [
        "a chunk's size that never ends",
        () => ({ first: post("/v1/decision", [CHUNKED]), then: "0", everyMs: 200 }),
      ],
      ["a slow policy of 1 MiB", () => ({ first: post("/v1/policies", [LENGTH]), then: " ", everyMs: 200 })],
    ];
    for (const [what, made] of cases) {
      it(`${what}: no answer, and the connection is closed`, { timeout: CUT_TIMEOUT_MS }, async () => {
        assert.deepEqual((await attack(made())).replies, []);
      });
    }

    it("a connection left open after its answer is closed", { timeout: CUT_TIMEOUT_MS }, async () => {
      const { replies } = await attack({ first: `${GET}\r\n`, then: "", everyMs: 200 });
      assert.deepEqual(
        replies.map(({ status }) => status),
        [200],
      );
    });
  });

  describe(
    "endless bodies: the answer comes at once, then the connection is cut",
    { concurrency: true },
    () => {
      const unknownKey = `pi_test_${"0".repeat(64)}`;
      const withKey = (key: string, header: readonly [string, string]): string =>
        requestText("POST", "/v1/decision", [
          ["x-api-key", key],
          ["content-type", "application/json"],
          header,
        ]);
      const bytes = " ".repeat(16 * 1024);
      const chunk = `${bytes.length.toString(16)}\r\n${bytes}\r\n`;
      const cases: [what: string, first: () => Promise<string> | string, then: string, status: number][] = [
        ["by Content-Length", () => post("/v1/decision", [ENDLESS]), bytes, 413],
        ["in chunks", () => post("/v1/decision", [CHUNKED]), chunk, 413],
        ["in chunks, to an outcome", () => post("/v1/outcomes", [CHUNKED]), chunk, 413],
        ["in chunks, to a policy", () => post("/v1/policies", [CHUNKED]), chunk, 413],
        ["in chunks, to pricing", () => post("/v1/pricing/rules", [CHUNKED]), chunk, 413],
        ["in chunks, of a key never seen", () => withKey(unknownKey, CHUNKED), chunk, 401],
        [
          "in chunks, of a key without the scope, seen for the first time",
          async () =>
            withKey(await createKey(service.pool, service.workspaceId, { scopes: ["health:read"] }), CHUNKED),
          chunk,
          403,
        ],
        ["in chunks, without a key", () => requestText("POST", "/v1/decision", [CHUNKED]), chunk, 401],
        ["in chunks, to a route that is none", () => post("/v1/nothing", [CHUNKED]), chunk, 404],
        ["in chunks, behind a GET", () => requestText("GET", "/health", [CHUNKED]), chunk, 200],
      ];
      for (const [what, first, then, status] of cases) {
        it(`${what}: ${status}`, { timeout: CUT_TIMEOUT_MS }, async () => {
          const { replies } = await attack({ first: await first(), then, everyMs: 20 });
          assert.deepEqual(
            replies.map((reply) => reply.status),
            [status],
          );
        });
      }

      it(
        "as fast as they can be sent: cut after the bytes that are skipped",
        { timeout: CUT_TIMEOUT_MS },
        async () => {
          const large = " ".repeat(MIB);
          const { replies, sentBytes } = await attack({
            first: post("/v1/decision", [ENDLESS]),
            then: large,
            everyMs: 1,
          });
          assert.equal(replies[0]?.status, 413);
          // The sockets' buffers hold some of the sent bytes, so the limit is 32 MiB higher.
          assert.ok(sentBytes < TUNING.skippedBodyBytesMax + 32 * MIB, `${sentBytes} bytes were taken`);
        },
      );

      it(
        "in chunks of a byte, as fast as they can be sent: cut after some thousands",
        { timeout: CUT_TIMEOUT_MS },
        async () => {
          const bytewise = "1\r\nA\r\n".repeat(100_000);
          for (const path of ["/v1/auth/login", "/v1/provider-webhooks/provider_1/m", "/v1/decision"]) {
            const { sentBytes } = await attack({ first: post(path, [CHUNKED]), then: bytewise, everyMs: 1 });
            assert.ok(sentBytes < 32 * MIB, `${path}: ${sentBytes} bytes were taken`);
          }
        },
      );

      it("accepts a policy in many small chunks", async () => {
        const text = JSON.stringify({ merchant_id: "demo_merchant", name: "n".repeat(100), rules: [] });
        const spaces = `1\r\n \r\n`.repeat(TUNING.bodyPiecesMax - text.length - 16);
        const chunks = Array.from(text, (character) => `1\r\n${character}\r\n`).join("");
        const connection = await openConnection(service.url);
        connection.write(`${post("/v1/policies", [CHUNKED])}${spaces}${chunks}0\r\n\r\n`);
        assert.equal((await connection.reply()).status, 200);
        connection.destroy();
      });

      it("skips a body that is too large but ends, and serves the next request on the connection", async () => {
        const connection = await openConnection(service.url);
        for (let round = 0; round < 3; round++) {
          connection.write(post("/v1/decision", [["content-length", String(4 * chunk.length)]]));
          connection.write(chunk.repeat(3));
          assert.equal((await connection.reply()).status, 413);
          connection.write(chunk);
          connection.write(`${GET}\r\n`);
          assert.equal((await connection.reply()).status, 200);
        }
        connection.destroy();
      });
    },
  );
});

/** Many times as much as the kernel buffers for one connection, in requests and answers. */
const ASKED_BYTES_MAX = 64 * MIB;

describe("slow readers: a client that sends requests and never reads is cut off, and almost nothing is stored for it", () => {
  const get = (path: string, headers: readonly string[] = []): string =>
    [`GET ${path} HTTP/1.1`, "host: a", ...headers, "", ""].join("\r\n");
  const cases: [what: string, text: () => string | Promise<string>][] = [
    ["a small answer", () => get("/health")],
    ["a large document", () => get("/openapi.json")],
    ["a page", () => get("/docs")],
    ["the head of an answer", () => "HEAD /health HTTP/1.1\r\nhost: a\r\n\r\n"],
    [
      "what has not changed",
      async () => {
        const { headers } = await fetch(`${service.url}/openapi.json`);
        return get("/openapi.json", [`if-none-match: ${headers.get("etag")}`]);
      },
    ],
    ["a route that is none", () => get("/nothing")],
    ["a read without a key", () => get("/v1/decisions")],
    ["provider health", () => get("/v1/provider-health", [`x-api-key: ${service.key}`])],
    ["a decision", () => requestText("POST", "/v1/decision", withKey(), JSON.stringify(decisionBody()))],
    ["a decision that is refused", () => requestText("POST", "/v1/decision", withKey(), "{}")],
    ["a webhook", () => requestText("POST", "/v1/provider-webhooks/provider_1/m", JSON_BODY, "{}")],
    ["a login", () => requestText("POST", "/v1/auth/login", JSON_BODY, "{}")],
    ["what is badly framed", () => get("/health", ["host: b"])],
  ];
  for (const [what, text] of cases) {
    it(what, { timeout: HANGS_AFTER_MS }, async () => {
      const before = await residentBytesOf(service.process.pid);
      const burst = (await text()).repeat(500);
      let mostBytes = 0;
      await Promise.all(
        Array.from({ length: 4 }, () =>
          askUntilCut(burst, async () => {
            mostBytes = Math.max(mostBytes, await residentBytesOf(service.process.pid));
          }),
        ),
      );
      assert.ok(mostBytes - before < 96 * MIB, `grown by ${mostBytes - before} bytes`);
    });
  }

  /** Fails if the connection is not cut. */
  async function askUntilCut(burst: string, look: () => Promise<void>): Promise<void> {
    const { hostname, port } = new URL(service.url);
    const socket = connect({ host: hostname, port: Number(port) });
    await once(socket, "connect");
    socket.pause();
    let isCut = false;
    socket.on("error", () => (isCut = true)).on("close", () => (isCut = true));
    for (let bytes = 0; !isCut; await sleep(1)) {
      if (!socket.writableNeedDrain) {
        socket.write(burst);
        bytes += burst.length;
      }
      await look();
      assert.ok(bytes < ASKED_BYTES_MAX, "not cut off");
    }
  }

  it(
    "of large bodies that never end so much is kept, of all of them",
    { timeout: HANGS_AFTER_MS },
    async () => {
      const before = await residentBytesOf(service.process.pid);
      const part = " ".repeat(LIMITS.largeBodyBytesMax - 1024);
      const count = (3 * TUNING.unfinishedBodyBytesMax) / part.length;
      const connections = await Promise.all(
        Array.from({ length: count }, async (_, merchant) => {
          const path = `/v1/provider-webhooks/provider_1/m${merchant}`;
          const connection = await openConnection(service.url);
          connection.write(requestText("POST", path, [...JSON_BODY, ["content-length", String(MIB)]]) + part);
          return connection;
        }),
      );
      const refused = new Set<number>();
      const replies = connections.map(async (connection) => {
        refused.add((await connection.reply()).status);
      });
      await Promise.any(replies);
      const policy = { merchant_id: "demo_merchant", name: "n", rules: [] };
      const grownBytes = (await residentBytesOf(service.process.pid)) - before;
      assert.ok(grownBytes < TUNING.unfinishedBodyBytesMax + 64 * MIB, `grown by ${grownBytes} bytes`);
      for (const connection of connections) connection.destroy();
      await Promise.allSettled(replies);
      assert.deepEqual(refused, new Set([503]));
      const text = JSON.stringify(policy) + " ".repeat(MIB / 2);
      await eventually(async () => {
        const connection = await openConnection(service.url);
        connection.write(requestText("POST", "/v1/policies", withKey(), text));
        const { status } = await connection.reply();
        connection.destroy();
        assert.equal(status, 200);
      });
    },
  );

  it("while others are served as ever", async () => {
    const sockets = await Promise.all(Array.from({ length: 200 }, () => openConnection(service.url)));
    for (const socket of sockets) socket.write(post("/v1/decision", [LENGTH]));
    for (let i = 0; i < 20; i++) {
      const { status } = await send(service, "POST", "/v1/decision", { body: decisionBody() });
      assert.equal(status, 200);
    }
    for (const socket of sockets) socket.destroy();
    assert.equal(service.process.exitCode, null);
    assert.doesNotMatch(service.log(), /"level":[56]0/);
  });
});
