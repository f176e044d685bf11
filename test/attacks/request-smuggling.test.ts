import assert from "node:assert/strict";
import { before, describe, it } from "node:test";
import { openConnection, requestText, type RawConnection } from "../support/http/raw-http.js";
import { decisionBody, sendRead, type RunningService } from "../support/service/service.js";
import { sharedTestService } from "../support/service/shared-service.js";

/**
 * Each request hides a whole decision request after its end. A server that disagrees with a proxy about the end would
 * decide the hidden request. test/service/front/http-framing.test.ts tests the same framing faults without a hidden
 * request.
 */
let service: RunningService;
before(async () => {
  service = await sharedTestService();
});

type Headers = readonly (readonly [string, string])[];
const body = JSON.stringify(decisionBody());
const chunked = `${body.length.toString(16)}\r\n${body}\r\n0\r\n\r\n`;
const LENGTH = ["Content-Length", String(body.length)] as const;
const CHUNKED = ["Transfer-Encoding", "chunked"] as const;

function decisionText(headers: Headers, text: string): string {
  return requestText(
    "POST",
    "/v1/decision",
    [["x-api-key", service.key], ["content-type", "application/json"], ...headers],
    text,
  );
}
const smuggled = (): string => decisionText([], JSON.stringify(decisionBody({ order_id: "smuggled" })));

/** A read shows every earlier decision, so a smuggled one would be in the list. */
async function assertNothingSmuggled(): Promise<void> {
  const { json } = await sendRead(service, "GET", "/v1/decisions?order_id=smuggled");
  assert.equal(json["total"], 0);
}

/** The status codes in the text of a connection, in order. */
const statusesIn = (text: string): string[] => text.match(/(?<=HTTP\/1\.1 )\d{3}/g) ?? [];

async function sendWithSmuggled(text: string): Promise<RawConnection> {
  const connection = await openConnection(service.url);
  connection.write(text + smuggled() + smuggled());
  return connection;
}

describe(
  "request smuggling: a malformed request is refused, and the bytes behind it are ignored",
  { concurrency: true },
  () => {
    const framings: [what: string, headers: Headers, text: string][] = [
      ["CL.TE", [["Content-Length", String(chunked.length)], CHUNKED], chunked],
      ["CL.TE with a length that ends early", [["Content-Length", "0"], CHUNKED], chunked],
      ["TE.CL", [CHUNKED, ["Content-Length", "4"]], chunked],
      ["TE.TE, the second obfuscated", [CHUNKED, ["Transfer-Encoding", "x"]], chunked],
      ["TE.TE, the first obfuscated", [["Transfer-Encoding", "x"], CHUNKED], chunked],
      ["TE.TE in another case", [CHUNKED, ["transfer-encoding", "Chunked"]], chunked],
      ["xchunked with a length", [LENGTH, ["Transfer-Encoding", "xchunked"]], body],
      ["xchunked without one", [["Transfer-Encoding", "xchunked"]], chunked],
      ["chunked with a parameter", [["Transfer-Encoding", "chunked;q=1"]], chunked],
      ["quoted chunked", [["Transfer-Encoding", '"chunked"']], chunked],
      ["identity, chunked", [["Transfer-Encoding", "identity, chunked"]], chunked],
      ["a length twice, alike", [LENGTH, LENGTH], body],
      ["a length twice, the second shorter", [LENGTH, ["Content-Length", "0"]], body],
      ["a length twice, the first shorter", [["Content-Length", "0"], LENGTH], ""],
      ["a list of lengths", [["Content-Length", `${body.length}, 0`]], body],
      ["a length with a sign", [["Content-Length", `+${body.length}`]], body],
      ["a length in hexadecimal", [["Content-Length", `0x${body.length.toString(16)}`]], body],
      ["no length's value", [["Content-Length", ""]], ""],
    ];
    const heads: [what: string, text: string][] = [
      ["no Host", "GET /health HTTP/1.1\r\naccept: */*\r\n\r\n"],
      ["two Hosts", "GET /health HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n"],
      ["a Host with a space", "GET /health HTTP/1.1\r\nHost: a b\r\n\r\n"],
      ["a Host with a path", "GET /health HTTP/1.1\r\nHost: a/../b\r\n\r\n"],
      ["two Hosts on HEAD", "HEAD /health HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n"],
      ["two Hosts on a route that is none", "GET /nothing HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n"],
    ];
    const refused: [what: string, text: () => string][] = [
      ...framings.map(([what, headers, text]): [string, () => string] => [
        what,
        () => decisionText(headers, text),
      ]),
      ...heads.map(([what, text]): [string, () => string] => [what, () => text]),
    ];
    for (const [what, text] of refused) {
      it(`${what}: one 400 and a closed connection`, async () => {
        const connection = await sendWithSmuggled(text());
        assert.deepEqual(statusesIn(await connection.closed()), ["400"]);
        await assertNothingSmuggled();
      });
    }

    const lines: [what: string, text: string][] = [
      ["the absolute form", "GET http://localhost/health HTTP/1.1\r\nHost: localhost\r\n\r\n"],
      ["the absolute form of another host", "GET http://b.example/health HTTP/1.1\r\nHost: a\r\n\r\n"],
      ["the authority form", "CONNECT a:80 HTTP/1.1\r\nHost: a\r\n\r\n"],
      ["the asterisk form", "OPTIONS * HTTP/1.1\r\nHost: a\r\n\r\n"],
      ["HTTP/1.0", "GET /health HTTP/1.0\r\nHost: a\r\n\r\n"],
      ["HTTP/1.0 with keep-alive", "GET /health HTTP/1.0\r\nHost: a\r\nConnection: keep-alive\r\n\r\n"],
      ["HTTP/1.2", "GET /health HTTP/1.2\r\nHost: a\r\n\r\n"],
      ["HTTP/2's preface", "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"],
      ["a lower-case version", "GET /health http/1.1\r\nHost: a\r\n\r\n"],
      ["two spaces", "GET  /health HTTP/1.1\r\nHost: a\r\n\r\n"],
      ["tabs for spaces", "GET\t/health\tHTTP/1.1\r\nHost: a\r\n\r\n"],
      ["a space in the target", "GET /health x HTTP/1.1\r\nHost: a\r\n\r\n"],
      ["line feeds alone", "GET /health HTTP/1.1\nHost: a\n\n"],
    ];
    for (const [what, text] of lines) {
      it(`${what}: the parser's own 505, and closed`, async () => {
        const connection = await sendWithSmuggled(text);
        assert.deepEqual(statusesIn(await connection.closed()), ["505"]);
        await assertNothingSmuggled();
      });
    }

    it("headers that the parser does not take: no answer until the time limit, then closed", async () => {
      const headers = [
        "transfer-encoding : chunked",
        "content-length : 0",
        "transfer-encoding: \vchunked",
        "transfer-encoding\0: chunked",
        "x: y\ntransfer-encoding: chunked",
        "x: y\rtransfer-encoding: chunked",
        "x: y\r\n transfer-encoding: chunked",
        " content-length: 0",
        "content-length",
        "x: \0",
        "x y: z",
        "x(y): z",
      ];
      await Promise.all(
        headers.map(async (header) => {
          const connection = await sendWithSmuggled(`GET /health HTTP/1.1\r\nHost: a\r\n${header}\r\n\r\n`);
          assert.equal(await connection.closed(), "", header);
        }),
      );
      await assertNothingSmuggled();
    });

    it("invalid chunk sizes: at most the parser's own 400, and a closed connection", async () => {
      for (const size of ["-2", "0x2", "g", "ffffffffffffffff2", "+2", "2 2", "{}"]) {
        const connection = await sendWithSmuggled(decisionText([CHUNKED], `${size}\r\n{}\r\n0\r\n\r\n`));
        const statuses = statusesIn(await connection.closed());
        assert.ok(
          statuses.every((status) => status === "400"),
          `${size}: ${statuses.join(", ")}`,
        );
      }
      await assertNothingSmuggled();
    });
  },
);

describe("request smuggling: unusual but valid requests are read correctly", () => {
  it("a header named like Transfer-Encoding, and an upgrade that is not offered, do not change the framing", async () => {
    for (const header of [
      ["transfer_encoding", "chunked"],
      ["x-transfer-encoding", "chunked"],
      ["upgrade", "h2c"],
      ["upgrade", "websocket"],
      ["connection", "content-length"],
      ["x-http-method-override", "DELETE"],
    ] as const) {
      const connection = await openConnection(service.url);
      connection.write(decisionText([header, LENGTH], body));
      assert.equal((await connection.reply()).status, 200, header.join(": "));
      connection.write(requestText("GET", "/nothing"));
      assert.equal((await connection.reply()).status, 404, header.join(": "));
      connection.destroy();
    }
  });

  it("a method in lower case is a different method", async () => {
    const connection = await openConnection(service.url);
    connection.write("get /health HTTP/1.1\r\nHost: a\r\n\r\n");
    assert.equal((await connection.reply()).status, 405);
    connection.destroy();
  });

  it("a path is compared as it is sent: neither decoded nor resolved", async () => {
    for (const path of [
      "/v1/../health",
      "/%68ealth",
      "//health",
      "/health/",
      "/v1/decision%2f",
      "/health;x",
    ]) {
      const connection = await openConnection(service.url);
      connection.write(requestText("GET", path));
      const { status } = await connection.reply();
      assert.ok(status === 404 || status === 401, `${path}: ${status}`);
      connection.destroy();
    }
  });
});
