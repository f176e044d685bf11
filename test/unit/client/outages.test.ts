import assert from "node:assert/strict";
import type { Socket } from "node:net";
import { describe, it } from "node:test";
import * as fc from "fast-check";
import { PayInferenceClient } from "payinference/client";
import { eventually } from "../../support/service/service.js";
import { decisionRequest } from "../../support/people/client-requests.js";
import { isTimeout, unlessLate } from "../../support/people/client-results.js";
import {
  decisionReply,
  reply,
  startScriptedServer,
  type Behaviour,
  type ScriptedServer,
} from "../../support/http/scripted-server.js";

function clientOf(server: ScriptedServer): PayInferenceClient {
  return new PayInferenceClient({ baseUrl: server.url, apiKey: "pi_test_key", decisionTimeoutMs: 250 });
}

const HEAD = "HTTP/1.1 200 OK\r\ncontent-type: application/json\r\n";
const TIMEOUT = ["timeout", "PAYINFERENCE_TIMEOUT"] as const;
const UNREACHABLE = ["unreachable", "PAYINFERENCE_UNREACHABLE"] as const;
const MALFORMED = ["malformed_answer", "PAYINFERENCE_UNREACHABLE"] as const;
const SERVER_ERROR = ["server_error", "PAYINFERENCE_TIMEOUT"] as const;

function drip(socket: Socket): void {
  socket.write(`${HEAD}content-length: 100000\r\n\r\n{`);
  const timer = setInterval(() => socket.write(" "), 10);
  socket.on("close", () => clearInterval(timer));
}

/** What a service, or anything in its place, may do to a decision. */
const OUTAGES: [what: string, behave: Behaviour, outcome: readonly [kind: string, reasonCode: string]][] = [
  ["never answers", () => undefined, TIMEOUT],
  [
    "sends its headers and no body",
    (socket) => void socket.write(`${HEAD}content-length: 9\r\n\r\n`),
    TIMEOUT,
  ],
  ["sends a body drop by drop", drip, TIMEOUT],
  ["resets the connection", (socket) => void socket.resetAndDestroy(), UNREACHABLE],
  ["closes the connection", (socket) => void socket.end(), UNREACHABLE],
  ["closes within the headers", (socket) => void socket.end(HEAD), UNREACHABLE],
  ["closes within the body", (socket) => void socket.end(`${HEAD}content-length: 9\r\n\r\n{`), UNREACHABLE],
  [
    "closes within a chunk",
    (socket) => void socket.end(`${HEAD}transfer-encoding: chunked\r\n\r\n9\r\n{`),
    UNREACHABLE,
  ],
  ["does not speak HTTP", (socket) => void socket.end("SSH-2.0-OpenSSH_9.2\r\n\r\n"), MALFORMED],
  ...[300, 301, 302, 303, 304, 305, 307, 308].map((status): (typeof OUTAGES)[number] => [
    `answers ${status}, a redirect of something in front`,
    (socket) => reply(socket, status, status === 304 ? "" : "<html>Moved</html>", { location: "/sign-in" }),
    MALFORMED,
  ]),
  [
    "answers a redirect in the service's own form",
    (socket) => reply(socket, 307, decisionReply(), { location: "https://pay.example/v1/decision" }),
    MALFORMED,
  ],
  [
    "answers that it switches protocols",
    (socket) =>
      void socket.end("HTTP/1.1 101 Switching Protocols\r\nupgrade: h2c\r\nconnection: upgrade\r\n\r\n"),
    MALFORMED,
  ],
  ["answers 204", (socket) => reply(socket, 204, ""), MALFORMED],
  ["answers with a page", (socket) => reply(socket, 200, "<html>Welcome</html>"), MALFORMED],
  ["answers with nothing", (socket) => reply(socket, 200, ""), MALFORMED],
  ["answers with half of a JSON text", (socket) => reply(socket, 200, '{"decision_id":"dec_'), MALFORMED],
  ["answers with a list", (socket) => reply(socket, 200, [decisionReply()]), MALFORMED],
  ["answers with another object", (socket) => reply(socket, 200, { status: "ok" }), MALFORMED],
  [
    "answers with an instruction that nobody knows",
    (socket) => reply(socket, 200, { ...decisionReply(), action: "toString" }),
    MALFORMED,
  ],
  [
    "answers to route without a route",
    (socket) => reply(socket, 200, { ...decisionReply(), route: null }),
    MALFORMED,
  ],
  [
    "answers to block with a route",
    (socket) => reply(socket, 200, { ...decisionReply(), action: "block" }),
    MALFORMED,
  ],
  [
    "answers 503",
    (socket) => reply(socket, 503, { statusCode: 503, message: "Overloaded", error: "Service Unavailable" }),
    SERVER_ERROR,
  ],
  [
    "answers 502 with a proxy's page",
    (socket) => reply(socket, 502, "<html>Bad Gateway</html>"),
    SERVER_ERROR,
  ],
];

describe("Client guidance: a timeout or network error is an outage, so fall back", () => {
  for (const [what, behave, [kind, reasonCode]] of OUTAGES) {
    it(`CLI-3: a service that ${what}: ${kind}, asked once`, async () => {
      const server = await startScriptedServer(behave);
      const client = clientOf(server);
      let result = await client.decide(decisionRequest());
      let decisions = 1;
      // On a machine that was paused for the whole time limit, every answer counts as a timeout.
      while (kind !== "timeout" && isTimeout(result) && decisions < 5) {
        result = await client.decide(decisionRequest());
        decisions++;
      }
      assert.ok(result.ok && result.source === "fallback");
      assert.equal(result.problem.kind, kind);
      assert.deepEqual(result.decision.reason_codes, ["SDK_FALLBACK_USED", reasonCode]);
      assert.ok(server.requests.length <= decisions);
    });
  }

  for (const [what, body] of [
    ["the service's 429", { error: "rate_limited", limit_per_minute: 2000 }],
    ["a 429 of something in front of it", "<html>Too Many Requests</html>"],
  ] as const) {
    it(`CLI-6: ${what} is a refusal, and with rateLimitIsOutage an outage, asked once`, async () => {
      const server = await startScriptedServer((socket) => reply(socket, 429, body));
      const settings = { baseUrl: server.url, apiKey: "pi_test_key", decisionTimeoutMs: 250 };
      const {
        results: [refused, decided],
      } = await unlessLate(async () => {
        const results = [];
        for (const options of [{}, { rateLimitIsOutage: true }]) {
          const client = new PayInferenceClient({ ...settings, ...options });
          results.push(await client.decide(decisionRequest()));
        }
        return { results };
      });
      assert.ok(refused !== undefined && !refused.ok);
      assert.equal(refused.problem.status, 429);
      assert.ok(decided?.ok === true && decided.source === "fallback");
      assert.equal("status" in decided.problem && decided.problem.status, 429);
      assert.deepEqual(decided.decision.reason_codes, ["SDK_FALLBACK_USED", "PAYINFERENCE_TIMEOUT"]);
      assert.equal(decided.decision.action, "route");
    });
  }

  it("with any bytes as an answer, decide ends in a decision or the service's refusal", async () => {
    const pieces = fc.constantFrom(
      "HTTP/1.1 200 OK\r\n",
      "HTTP/1.1 100 Continue\r\n\r\n",
      "HTTP/1.1 204 No Content\r\n",
      "content-length: 5\r\n",
      "content-length: -1\r\n",
      "transfer-encoding: chunked\r\n",
      "\r\n",
      "5\r\n",
      "{}",
      '{"action":"route"}',
      "\0\n",
    );
    const bytes = fc.array(fc.oneof(pieces, fc.string({ maxLength: 20 })), { maxLength: 8 });
    let answer = "";
    const server = await startScriptedServer((socket) => void socket.end(answer));
    const client = clientOf(server);
    await fc.assert(
      fc.asyncProperty(bytes, async (parts) => {
        answer = parts.join("");
        const result = await client.decide(decisionRequest());
        // None of these results came from the service.
        assert.ok(result.ok && result.source === "fallback");
      }),
      { numRuns: 60 },
    );
  });

  it("an answer that comes too late is dropped with its connection, and the next decision has a new one", async () => {
    const {
      server,
      results: [second],
    } = await unlessLate(async () => {
      const sockets: Socket[] = [];
      const server = await startScriptedServer((socket, _request, index) => {
        sockets.push(socket);
        if (index > 0) reply(socket, 200, decisionReply("dec_second"));
      });
      const client = clientOf(server);
      const first = await client.decide(decisionRequest());
      assert.ok(first.ok && first.source === "fallback");
      await eventually(async () => assert.ok(sockets[0]?.destroyed));
      return { server, results: [await client.decide(decisionRequest())] };
    });
    assert.equal(second.ok && second.decision.decision_id, "dec_second");
    assert.deepEqual(
      server.requests.map(({ connection }) => connection),
      [0, 1],
    );
  });

  it("a closed client answers with fallbacks and leaves nothing open", async () => {
    const server = await startScriptedServer(() => undefined);
    const client = clientOf(server);
    const deciding = client.decide(decisionRequest());
    client.close();
    const result = await deciding;
    assert.ok(result.ok && result.source === "fallback");
  });
});
