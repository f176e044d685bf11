import assert from "node:assert/strict";
import { describe, it } from "node:test";
import fc from "fast-check";
import { createReplyParser } from "../../../bench/client/reply-parser.js";

const WITH_LENGTH =
  "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: 11\r\nx-y: z\r\n\r\nhello world";
const LOWER_CASE = "HTTP/1.1 503 Service Unavailable\r\ncontent-length: 2\r\ncontent-type: a/b\r\n\r\nno";
const CHUNKED =
  "HTTP/1.1 201 Created\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\nD;q=1\r\n\r\n\r\n0\r\n\r\n1234\r\n0\r\nt: 1\r\n\r\n";
const EMPTY = "HTTP/1.1 204 No Content\r\nx-y: z\r\n\r\n";

/** The statuses seen, in order, when `text` arrives in pieces of the given sizes. */
function statuses(text: string, sizes: readonly number[]): number[] {
  const parser = createReplyParser();
  const bytes = Buffer.from(text);
  const completed: number[] = [];
  for (let at = 0, i = 0; at < bytes.length; i++) {
    const size = Math.min(sizes[i % sizes.length] ?? 1, bytes.length - at);
    const status = parser.push(bytes.subarray(at, at + size), size);
    if (status !== 0) completed.push(status);
    at += size;
  }
  return completed;
}

describe("reply parser", () => {
  for (const [name, text, status] of [
    ["content-length", WITH_LENGTH, 200],
    ["lower-case headers", LOWER_CASE, 503],
    ["chunks with extensions and trailers", CHUNKED, 201],
    ["no body", EMPTY, 204],
  ] as const) {
    it(`ends a reply of ${name} at its last byte, however it is cut`, () => {
      assert.deepEqual(statuses(text, [text.length]), [status]);
      assert.deepEqual(statuses(text.slice(0, -1), [text.length]), []);
      fc.assert(
        fc.property(fc.array(fc.integer({ min: 1, max: 40 }), { minLength: 1 }), (sizes) => {
          assert.deepEqual(statuses(text, sizes), [status]);
        }),
      );
    });
  }

  it("reads one reply after another on one connection", () => {
    const parser = createReplyParser();
    for (const [text, status] of [
      [WITH_LENGTH, 200],
      [CHUNKED, 201],
      [LOWER_CASE, 503],
    ] as const) {
      assert.equal(parser.push(Buffer.from(text), Buffer.byteLength(text)), status);
    }
  });

  describe("after a reply that ended with its content-length", () => {
    const reply = (line: string, length: string, body: string): string =>
      `HTTP/1.1 ${line}\r\nx-y: z\r\n${length}: ${body.length}\r\n\r\n${body}`;
    const first = reply("200 OK", "Content-Length", "hello");
    const after = (): ReturnType<typeof createReplyParser> => {
      const parser = createReplyParser();
      assert.equal(parser.push(Buffer.from(first), first.length), 200);
      return parser;
    };

    it("reads the next one, alike or not, whole or cut anywhere", () => {
      for (const [next, status] of [
        [first, 200],
        [reply("404 No", "content-length", "hello"), 404],
        [reply("200 OK", "Content-Length", "\r\nx-y: z\r\n\r\n"), 200],
        [reply("200 OK", "Content-Length", ""), 200],
        [CHUNKED, 201],
      ] as const) {
        for (let cut = 1; cut <= next.length; cut++) {
          const parser = after();
          const parts = [next.slice(0, cut), next.slice(cut)].filter((part) => part !== "");
          const pushed = parts.map((part) => parser.push(Buffer.from(part), part.length));
          assert.deepEqual(pushed, cut === next.length ? [status] : [0, status], `cut at ${cut}`);
        }
      }
    });

    it("refuses one that is too long, or has that length under another name", () => {
      for (const next of [`${first}!`, reply("200 OK", "Content-Weight", "hello")]) {
        assert.throws(() => after().push(Buffer.from(next), next.length));
      }
    });
  });

  for (const [name, text] of [
    ["more bytes than its content-length", `${LOWER_CASE}!`],
    ["no length at all", "HTTP/1.1 200 OK\r\nx-y: z\r\n\r\n"],
    ["no status line", "SSH-2.0-OpenSSH_9.6 and more\r\n\r\n"],
    ["a chunk without a size", "HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\nzz\r\n"],
  ] as const) {
    it(`refuses a reply with ${name}`, () => {
      assert.throws(() => createReplyParser().push(Buffer.from(text), Buffer.byteLength(text)));
    });
  }
});
