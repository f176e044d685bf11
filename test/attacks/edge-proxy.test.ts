import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { before, describe, it } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { createDatabaseGate, type DatabaseGate } from "../support/postgres/database-gate.js";
import {
  createCertificate,
  EDGE_CONFIG,
  edgeEnvironment,
  edgeSkip,
  startEdgeProxy,
  type EdgeProxy,
} from "../support/edge/edge-proxy.js";
import { inOneMinute } from "../support/waiting/one-minute.js";
import { createEmptyDatabase } from "../support/postgres/postgres.js";
import { openConnection, requestText, type RawConnection, type RawReply } from "../support/http/raw-http.js";
import {
  decisionBody,
  eventually,
  send,
  sendRead,
  startTestService,
  type RunningService,
} from "../support/service/service.js";

let service: RunningService;
let edge: EdgeProxy;
let gate: DatabaseGate;
before(async () => {
  if (edgeSkip !== false) return;
  const server = await createEmptyDatabase();
  gate = await createDatabaseGate(server.url);
  service = await startTestService({
    DATABASE_URL: gate.url,
    RATE_LIMIT_PER_MINUTE: "0",
    TRUST_PROXY_HOPS: "1",
    // The edge's open connections are closed at the end of the grace period.
    SHUTDOWN_GRACE_MS: "2000",
  });
  edge = await startEdgeProxy(service.url);
});

const body = JSON.stringify(decisionBody());
const decisionText = (more: readonly (readonly [string, string])[] = [], text = body): string =>
  requestText(
    "POST",
    "/v1/decision",
    [["x-api-key", service.key], ["content-type", "application/json"], ...more],
    text,
  );

/** Sends each piece in its own packet, with `noDelay` and a pause after each piece. */
async function inPieces(
  connection: RawConnection,
  pieces: readonly string[],
  pauseMs = 5,
): Promise<RawReply> {
  for (const piece of pieces) {
    connection.write(piece);
    await sleep(pauseMs);
  }
  const reply = await connection.reply();
  connection.destroy();
  return reply;
}

describe("known of the pinned uWebSockets.js: a request line split over packets", { skip: edgeSkip }, () => {
  const LINE = "POST /v1/decision HTTP/1.1";

  it("is answered 505 without an edge in front, if the split is before or in the version", async () => {
    const text = decisionText();
    const version = LINE.indexOf("HTTP/1.1");
    for (const at of [version, version + 4, LINE.length]) {
      // If the service is paused between the pieces, it reads both pieces as one.
      await eventually(async () => {
        const { status } = await inPieces(
          await openConnection(service.url),
          [text.slice(0, at), text.slice(at)],
          50,
        );
        assert.equal(status, 505, `split at ${at}`);
      });
    }
  });

  it("is decided behind the edge, wherever it is split", async () => {
    const text = decisionText();
    await Promise.all(
      Array.from({ length: LINE.length + 2 }, async (_, at) => {
        const { status, body } = await inPieces(
          await edge.open(),
          [text.slice(0, at + 1), text.slice(at + 1)],
          20,
        );
        assert.equal(status, 200, `split at ${at + 1}: ${body}`);
      }),
    );
  });

  it("is decided behind the edge when every byte of the request is a packet of its own", async () => {
    const { status } = await inPieces(await edge.open(), [...decisionText()], 0);
    assert.equal(status, 200);
  });
});

describe("the edge in front of slow peers", { skip: edgeSkip }, () => {
  it("decides a request whose body arrives slowly, with a length or in chunks", async () => {
    const head = decisionText([["content-length", String(body.length)]], "");
    const chunkedHead = decisionText([["transfer-encoding", "chunked"]], "");
    const parts = body.match(/[^]{1,16}/g) ?? [];
    const chunks = parts.map((part) => `${part.length.toString(16)}\r\n${part}\r\n`);
    const replies = await Promise.all([
      inPieces(await edge.open(), [head, ...parts], 30),
      inPieces(await edge.open(), [chunkedHead, ...chunks, "0\r\n\r\n"], 30),
    ]);
    assert.deepEqual(
      replies.map(({ status }) => status),
      [200, 200],
    );
  });

  it("headers and bodies that never end are answered 408, and reach no node", async () => {
    const before = await decisionRequests();
    const unfinished = [
      "POST /v1/dec",
      "POST /v1/decision HTTP/1.1\r\nhost: a\r\n",
      decisionText().slice(0, -1),
    ];
    const replies = await Promise.all(
      unfinished.map(async (text) => {
        const connection = await edge.open();
        connection.write(text);
        const reply = await connection.reply();
        await connection.closed();
        return reply;
      }),
    );
    assert.deepEqual(
      replies.map(({ status }) => status),
      [408, 408, 408],
    );
    const [, , { headers, body: text }] = replies as [RawReply, RawReply, RawReply];
    assert.deepEqual(headers.get("content-type"), ["application/json; charset=utf-8"]);
    assert.equal((JSON.parse(text) as { error: string }).error, "Request Timeout");
    assert.match(headers.get("x-request-id")?.[0] ?? "", /^req_/);
    assert.deepEqual(await decisionRequests(), before);
  });
});

/** The lines of the node's metrics that count decision requests. */
async function decisionRequests(): Promise<string[]> {
  const text = await (await fetch(service.metricsUrl)).text();
  return text.match(/^payinference_http_requests_total\{route="\/v1\/decision".*$/gm) ?? [];
}

describe("the edge in front of request smuggling", { skip: edgeSkip }, () => {
  const smuggled = (): string =>
    decisionText([], JSON.stringify(decisionBody({ order_id: "behind_the_edge" })));
  const shapes: [what: string, text: () => string][] = [
    [
      "Content-Length with Transfer-Encoding",
      () =>
        decisionText(
          [
            ["content-length", "5"],
            ["transfer-encoding", "chunked"],
          ],
          `0\r\n\r\n${smuggled()}`,
        ),
    ],
    [
      "an obfuscated Transfer-Encoding",
      () =>
        decisionText(
          [
            ["content-length", "5"],
            ["transfer-encoding", "xchunked"],
          ],
          `0\r\n\r\n${smuggled()}`,
        ),
    ],
    [
      "a space before the colon",
      () => `POST /v1/decision HTTP/1.1\r\nhost: a\r\ncontent-length : 0\r\n\r\n${smuggled()}`,
    ],
    [
      "two Content-Lengths",
      () =>
        decisionText(
          [
            ["content-length", "0"],
            ["content-length", String(body.length)],
          ],
          smuggled(),
        ),
    ],
  ];
  for (const [what, text] of shapes) {
    it(`${what}: one refusal, a closed connection, and no decision for the bytes after it`, async () => {
      const connection = await edge.open();
      connection.write(text());
      assert.equal((await connection.reply()).status, 400);
      assert.equal(await connection.closed(), "");
      const { json } = await sendRead(service, "GET", "/v1/decisions?order_id=behind_the_edge");
      assert.equal(json["total"], 0);
    });
  }

  it("removes chunk extensions, which the node's parser would read as digits", async () => {
    const connection = await edge.open();
    const size = body.length.toString(16);
    connection.write(decisionText([["transfer-encoding", "chunked"]], `${size};a=b\r\n${body}\r\n0\r\n\r\n`));
    assert.equal((await connection.reply()).status, 200);
    connection.destroy();
  });
});

describe("the edge in front of chunks that the node's parser would misread", { skip: edgeSkip }, () => {
  const size = body.length.toString(16);
  for (const [what, text] of [
    ["two bytes that are no line's end behind a chunk", `${size}\r\n${body}XX0\r\n\r\n`],
    ["line feeds alone", `${size}\n${body}\n0\n\n`],
    ["a size past 2^64", `ffffffffffffffff${size}\r\n${body}\r\n0\r\n\r\n`],
  ] as const) {
    it(`${what}: refused, or decided with the edge's reading`, async () => {
      const connection = await edge.open();
      connection.write(decisionText([["transfer-encoding", "chunked"]], text));
      const { status } = await connection.reply();
      assert.ok(status === 400 || status === 200, `${status}`);
      if (status === 200) {
        connection.write(requestText("GET", "/health"));
        assert.equal((await connection.reply()).status, 200);
      }
      connection.destroy();
    });
  }
});

describe("the edge and the client's address", { skip: edgeSkip }, () => {
  it("x-forwarded-for is the peer's own address, even if the client sends another", () =>
    inOneMinute(async () => {
      const statuses: number[] = [];
      for (let attempt = 0; attempt < 11; attempt++) {
        const connection = await edge.open();
        const forged = [
          ["content-type", "application/json"],
          ["x-forwarded-for", `203.0.113.${attempt}`],
        ] as const;
        connection.write(requestText("POST", "/v1/auth/register", forged, "{}"));
        statuses.push((await connection.reply()).status);
        connection.destroy();
      }
      assert.deepEqual(statuses, [...Array.from({ length: 10 }, () => 400), 429]);
    }));
});

describe("the edge's configuration", { skip: edgeSkip }, () => {
  it("haproxy -c accepts it without a warning", async () => {
    const { file } = await createCertificate();
    const { status, stdout, stderr } = spawnSync("haproxy", ["-c", "-f", EDGE_CONFIG], {
      env: edgeEnvironment("http://127.0.0.1:1", file, 1),
      encoding: "utf8",
    });
    assert.deepEqual([status, stderr], [0, ""], stdout);
  });

  it("its log names no path, key, merchant, order or address", async () => {
    await eventually(async () => assert.match(edge.output(), /"status":200/));
    for (const line of edge
      .output()
      .split("\n")
      .filter((line) => line.startsWith("{"))) {
      const names = Object.keys(JSON.parse(line) as object);
      assert.deepEqual(names, ["time", "status", "ms", "bytes", "node", "state", "request_id"]);
    }
    assert.doesNotMatch(edge.output(), /pi_test_|demo_merchant|order_1|\/v1\/|127\.0\.0\.1/);
  });

  it("while PostgreSQL is away and no node is ready, decisions continue and reads get the node's own 503", async () => {
    const ask = async (text: string): Promise<RawReply> => {
      const connection = await edge.open();
      connection.write(text);
      const reply = await connection.reply();
      connection.destroy();
      return reply;
    };
    const read = requestText("GET", "/v1/decisions", [["x-api-key", service.key]]);
    await gate.shut();
    await eventually(async () => assert.equal((await send(service, "GET", "/ready")).status, 503));
    for (let second = 0; second < 4; second++) {
      assert.equal((await ask(decisionText())).status, 200);
      // These pauses let the edge notice that no node is ready. It still sends requests to the node.
      await sleep(1000);
    }
    const { status, body: text } = await ask(read);
    assert.equal(status, 503);
    assert.doesNotMatch(text, /No node is ready/);
    await gate.open();
    await eventually(async () => assert.equal((await ask(read)).status, 200));
  });

  // This test comes last, because it ends the service.
  it("without a ready node, the edge answers 503 in the contract's format, with a request id", async () => {
    assert.equal(await service.stop(), 0);
    await eventually(async () => {
      const connection = await edge.open();
      connection.write(decisionText());
      const { status, headers, body } = await connection.reply();
      connection.destroy();
      assert.equal(status, 503);
      assert.deepEqual(JSON.parse(body), {
        statusCode: 503,
        message: "No node is ready",
        error: "Service Unavailable",
      });
      assert.match(headers.get("x-request-id")?.[0] ?? "", /^req_[0-9a-f-]{36}$/);
      assert.deepEqual(headers.get("cache-control"), ["no-store"]);
    });
  });
});
