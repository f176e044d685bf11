import assert from "node:assert/strict";
import { before, describe, it } from "node:test";
import { ownLog } from "../../support/service/own-log.js";
import { openConnection, requestText } from "../../support/http/raw-http.js";
import { decisionBody, send, type RunningService } from "../../support/service/service.js";
import { sharedTestService } from "../../support/service/shared-service.js";

let service: RunningService;
/** Other files use the same service, so its log has earlier lines. */
let loggedBefore: string;
let body: string;
before(async () => {
  service = await sharedTestService();
  loggedBefore = service.log();
  body = JSON.stringify(decisionBody());
});

type Headers = readonly (readonly [string, string])[];
const credentials = (): Headers => [
  ["x-api-key", service.key],
  ["content-type", "application/json"],
];
const chunked = (text: string): string => `${Buffer.byteLength(text).toString(16)}\r\n${text}\r\n0\r\n\r\n`;
const length = (text: string): string => String(Buffer.byteLength(text));

async function assertAlive(): Promise<void> {
  const { status } = await send(service, "POST", "/v1/decision", { body: decisionBody() });
  assert.equal(status, 200);
}

describe("HTTP framing", () => {
  /** Each text is sent as written, without an added Host or length. */
  const refused: [what: string, text: () => string][] = [
    ["no Host", () => `GET /health HTTP/1.1\r\naccept: */*\r\n\r\n`],
    ["an empty Host", () => `GET /health HTTP/1.1\r\nHost:\r\n\r\n`],
    ["HTTP-8: two Hosts", () => `GET /health HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n`],
    ["one Host twice", () => `GET /health HTTP/1.1\r\nHost: a\r\nhost: a\r\n\r\n`],
    ["a Host with a space", () => `GET /health HTTP/1.1\r\nHost: a b\r\n\r\n`],
    ["a Host with a path", () => `GET /health HTTP/1.1\r\nHost: a/b\r\n\r\n`],
    ["a Host with user information", () => `GET /health HTTP/1.1\r\nHost: user@a\r\n\r\n`],
    ["a list of Hosts", () => `GET /health HTTP/1.1\r\nHost: a, b\r\n\r\n`],
    ["a Host with an empty port name", () => `GET /health HTTP/1.1\r\nHost: a:http\r\n\r\n`],
    ["two Hosts on an unknown route", () => `GET /nothing HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n`],
    ["two Hosts with a method not allowed", () => `PUT /health HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n`],
    ["two Hosts on HEAD", () => `HEAD /health HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n`],
  ];
  const postRefused: [what: string, headers: () => Headers, text: () => string][] = [
    [
      "HTTP-9: Content-Length twice",
      () => [
        ["Content-Length", length(body)],
        ["Content-Length", length(body)],
      ],
      () => body,
    ],
    [
      "two different Content-Lengths",
      () => [
        ["Content-Length", length(body)],
        ["content-length", "0"],
      ],
      () => body,
    ],
    ["a list as Content-Length", () => [["Content-Length", `${length(body)}, ${length(body)}`]], () => body],
    ["HTTP-9: an empty Content-Length", () => [["Content-Length", ""]], () => body],
    ["a signed Content-Length", () => [["Content-Length", `+${length(body)}`]], () => body],
    ["a negative Content-Length", () => [["Content-Length", "-1"]], () => body],
    ["a hexadecimal Content-Length", () => [["Content-Length", "0x10"]], () => body],
    ["a Content-Length that overflows", () => [["Content-Length", "9".repeat(30)]], () => body],
    ["Transfer-Encoding gzip", () => [["Transfer-Encoding", "gzip"]], () => body],
    ["Transfer-Encoding identity", () => [["Transfer-Encoding", "identity"]], () => body],
    ["an empty Transfer-Encoding", () => [["Transfer-Encoding", ""]], () => chunked(body)],
    [
      "HTTP-10: Transfer-Encoding gzip, chunked",
      () => [["Transfer-Encoding", "gzip, chunked"]],
      () => chunked(body),
    ],
    [
      "Transfer-Encoding chunked, chunked",
      () => [["Transfer-Encoding", "chunked, chunked"]],
      () => chunked(body),
    ],
    ["HTTP-10: Transfer-Encoding Chunked", () => [["Transfer-Encoding", "Chunked"]], () => chunked(body)],
    ["Transfer-Encoding xchunked", () => [["Transfer-Encoding", "xchunked"]], () => chunked(body)],
    [
      "Transfer-Encoding twice",
      () => [
        ["Transfer-Encoding", "chunked"],
        ["Transfer-Encoding", "chunked"],
      ],
      () => chunked(body),
    ],
    [
      "HTTP-11: chunked with Content-Length",
      () => [
        ["Transfer-Encoding", "chunked"],
        ["Content-Length", "5"],
      ],
      () => chunked(body),
    ],
    [
      "Content-Length with chunked",
      () => [
        ["Content-Length", length(body)],
        ["Transfer-Encoding", "chunked"],
      ],
      () => chunked(body),
    ],
    [
      "a chunk size that is no number",
      () => [["Transfer-Encoding", "chunked"]],
      () => `zz\r\n${body}\r\n0\r\n\r\n`,
    ],
  ];
  const all: [string, () => string][] = [
    ...refused,
    ...postRefused.map(
      ([what, headers, text]) =>
        [what, () => requestText("POST", "/v1/decision", [...credentials(), ...headers()], text())] as [
          string,
          () => string,
        ],
    ),
  ];
  for (const [what, text] of all) {
    it(`HTTP-8: answers ${what} with 400 and closes`, async () => {
      const connection = await openConnection(service.url);
      connection.write(text());
      const { status } = await connection.reply({ bodiless: text().startsWith("HEAD") });
      assert.equal(status, 400);
      await connection.closed();
      await assertAlive();
    });
  }

  it("HTTP-11: decides nothing for a request that smuggles another one with two lengths", async () => {
    const smuggled = requestText(
      "POST",
      "/v1/decision",
      credentials(),
      JSON.stringify(decisionBody({ order_id: "smuggled" })),
    );
    const connection = await openConnection(service.url);
    const headers: Headers = [...credentials(), ["Content-Length", "0"], ["Transfer-Encoding", "chunked"]];
    connection.write(requestText("POST", "/v1/decision", headers, `0\r\n\r\n${smuggled}`));
    assert.equal((await connection.reply()).status, 400);
    await connection.closed();
    // A read shows every earlier decision, so this list contains all decisions made before.
    const { json } = await send(service, "POST", "/v1/decision", { body: decisionBody() });
    await send(service, "GET", `/v1/decisions/${String(json["decision_id"])}`);
    const { rows } = await service.pool.query("select from decisions where order_id = 'smuggled'");
    assert.equal(rows.length, 0);
  });

  it("AUTH-17: accepts hosts with ports, IP literals and one Content-Length or chunked", async () => {
    for (const host of ["localhost", "a.example:8080", "127.0.0.1", "[::1]", "[::1]:8080", "x_y-z.~"]) {
      const connection = await openConnection(service.url);
      connection.write(requestText("GET", "/health", [["Host", host]]));
      assert.equal((await connection.reply()).status, 200, host);
      connection.destroy();
    }
  });

  it("survives input that no HTTP client sends", async () => {
    const nonsense = [
      "\r\n\r\n\r\n\r\n",
      "\u0016\u0003\u0001\u0002\u0000",
      "GET\r\n\r\n",
      "GET /health\r\n\r\n",
      "GET /health HTTP/9.9\r\nHost: a\r\n\r\n",
      `GET /${"a".repeat(100_000)} HTTP/1.1\r\nHost: a\r\n\r\n`,
      `GET /health HTTP/1.1\r\nHost: a\r\n${"x: y\r\n".repeat(5000)}\r\n`,
      `GET /health HTTP/1.1\r\nHost: a\r\nx: ${"y".repeat(100_000)}\r\n\r\n`,
      "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n",
    ];
    for (const text of nonsense) {
      const connection = await openConnection(service.url);
      connection.write(text);
      connection.write(Buffer.from([0xff, 0x00, 0x0a]));
      await assertAlive();
      connection.destroy();
    }
    assert.equal(service.process.exitCode, null);
  });
});

describe("HTTP-15: header injection", () => {
  it("answers no header that came in through an echoed id", async () => {
    for (const id of ["a\r\nx-evil: 1", "a\r\n\r\nHTTP/1.1 200 OK\r\nx-evil: 1", "a%0d%0ax-evil: 1"]) {
      const connection = await openConnection(service.url);
      connection.write(requestText("GET", "/health", [["x-request-id", id]]));
      const { headers } = await connection.reply();
      assert.equal(headers.has("x-evil"), false);
      connection.destroy();
    }
  });
});

describe("keep-alive and pipelining", () => {
  const get = (id: string): string => requestText("GET", "/health", [["x-request-id", id]]);

  it("answers pipelined requests in order", async () => {
    const connection = await openConnection(service.url);
    connection.write(["1", "2", "3", "4"].map(get).join(""));
    for (const id of ["1", "2", "3", "4"]) {
      assert.deepEqual((await connection.reply()).headers.get("x-request-id"), [id]);
    }
    connection.destroy();
  });

  it("continues after HEAD on one connection", async () => {
    let connection = await openConnection(service.url);
    for (const [method, path, status] of [
      ["HEAD", "/health", 200],
      ["GET", "/health", 200],
      ["HEAD", "/nothing", 404],
      ["HEAD", "/v1/decision", 405],
      ["HEAD", "/v1/provider-health", 401],
      ["GET", "/health", 200],
    ] as const) {
      connection.write(requestText(method, path));
      const reply = await connection.reply({ bodiless: method === "HEAD" });
      assert.equal(reply.status, status);
      // An answer without a body may announce that it is the last of its connection.
      if (reply.headers.has("connection")) connection = await openConnection(service.url);
    }
    connection.destroy();
  });

  it("never mixes up answers when a request comes before the answer to the last one", async () => {
    // The parser drops a connection that sends the next request while an answer is still being made. A lost answer is
    // an outage that a client may retry. A wrong answer is not.
    const ask = (id: string) =>
      requestText("POST", "/v1/decision", [...credentials(), ["x-request-id", id]], body);
    for (let round = 0; round < 20; round++) {
      const connection = await openConnection(service.url);
      connection.write(ask("1") + ask("2") + ask("3"));
      for (const id of ["1", "2", "3"]) {
        const reply = await connection.reply().catch(() => null);
        if (reply === null) break;
        assert.deepEqual([reply.status, reply.headers.get("x-request-id")], [200, [id]]);
      }
      connection.destroy();
    }
    await assertAlive();
  });

  it("survives peers that leave at any point of a request", async () => {
    const text = requestText("POST", "/v1/decision", credentials(), body);
    for (let cut = 1; cut < text.length; cut += 7) {
      const connection = await openConnection(service.url);
      connection.write(text.slice(0, cut));
      connection.destroy();
    }
    for (let i = 0; i < 50; i++) {
      const connection = await openConnection(service.url);
      connection.write(text);
      connection.destroy();
    }
    await assertAlive();
    assert.equal(ownLog(service.log().slice(loggedBefore.length)), "");
  });
});
