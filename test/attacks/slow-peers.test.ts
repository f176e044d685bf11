import assert from "node:assert/strict";
import { once } from "node:events";
import { connect } from "node:net";
import { before, describe, it } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { LIMITS } from "../../src/shared/limits.js";
import { residentBytesOf } from "../support/process-memory.js";
import { inTime } from "../support/host-noise.js";
import { openConnection, requestText, type RawReply } from "../support/raw-http.js";
import { decisionBody, send, startTestService, type RunningService } from "../support/service.js";
import { createKey } from "../support/tenants.js";

/** Far more than the parser's ten seconds and `skippedBodyMsMax`; a connection that is never cut fails by it. */
const CUT_TIMEOUT_MS = 40_000;
/** Where the time is for `inTime` to judge. */
const HANGS_AFTER_MS = 120_000;
const MIB = 2 ** 20;

let service: RunningService;
before(async () => {
  service = await startTestService({ RATE_LIMIT_PER_MINUTE: "0" });
});

const post = (path: string, headers: readonly (readonly [string, string])[]): string =>
  requestText("POST", path, [["x-api-key", service.key], ["content-type", "application/json"], ...headers]);
const LENGTH = ["content-length", "5000"] as const;
const ENDLESS = ["content-length", String(10 ** 12)] as const;
const CHUNKED = ["transfer-encoding", "chunked"] as const;
const GET = "GET /health HTTP/1.1\r\nhost: a\r\n";

interface Attack {
  first: string;
  /** Sent again and again. */
  then: string;
  everyMs: number;
}

/** Sends until the server cuts the connection; resolves to the answers it gave, and to the bytes it took. */
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

/** Both at once: each takes the parser's time limit. */
describe("slow and endless peers", { concurrency: true }, () => {
  describe("slow peers: whoever does not come to the point is cut off", { concurrency: true }, () => {
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
          // What was under way in the sockets' buffers comes on top.
          assert.ok(sentBytes < LIMITS.skippedBodyBytesMax + 32 * MIB, `${sentBytes} bytes were taken`);
        },
      );

      it("a body that is too large but ends is skipped, and the connection serves the next request", async () => {
        const connection = await openConnection(service.url);
        for (let round = 0; round < 3; round++) {
          connection.write(post("/v1/decision", [CHUNKED]));
          connection.write(chunk.repeat(3));
          assert.equal((await connection.reply()).status, 413);
          connection.write(`${chunk}0\r\n\r\n`);
          connection.write(`${GET}\r\n`);
          assert.equal((await connection.reply()).status, 200);
        }
        connection.destroy();
      });
    },
  );
});

describe("slow readers", () => {
  it(
    "who asks and asks and never reads is cut off, and holds no memory",
    { timeout: HANGS_AFTER_MS },
    async () => {
      const { hostname, port } = new URL(service.url);
      const before = await residentBytesOf(service.process.pid);
      const askUntilCut = async (): Promise<void> => {
        const socket = connect({ host: hostname, port: Number(port) });
        await once(socket, "connect");
        socket.pause();
        const cut = new Promise((resolve) => socket.on("error", resolve).on("close", resolve));
        let isCut = false;
        void cut.then(() => (isCut = true));
        while (!isCut) {
          if (!socket.writableNeedDrain) socket.write(`${GET}\r\n`.repeat(500));
          await sleep(1);
        }
      };
      await inTime(CUT_TIMEOUT_MS, "cut off", () => Promise.all(Array.from({ length: 8 }, askUntilCut)));
      const grownBytes = (await residentBytesOf(service.process.pid)) - before;
      assert.ok(grownBytes < 160 * MIB, `${grownBytes} bytes`);
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
