import assert from "node:assert/strict";
import { after, before, beforeEach, describe, it } from "node:test";
import type { Exchange } from "../../../src/platform/http/exchange.js";
import type { HttpServer } from "../../../src/path/front/server.js";
import { TUNING } from "../../../src/domain/vocabulary/tuning.js";
import { openPaused } from "../../support/http/paused-connection.js";
import { startPublicServer } from "../../support/service/public-server.js";
import { eventually } from "../../support/service/service.js";

/** The size is several times what the kernel buffers for a connection on the loopback. */
const LARGE = "0123456789abcdef".repeat(2 ** 20);
const LARGE_BYTES = Buffer.from(LARGE);
/** More requests than the server reads from a connection at once. */
const MANY = 40_000;

let server: HttpServer;
let handled = 0;
const statuses: number[] = [];

const route = (path: string, answer: (exchange: Exchange) => void) => ({
  method: "GET" as const,
  path,
  access: "public" as const,
  handle: (exchange: Exchange) => {
    handled++;
    answer(exchange);
  },
});

before(async () => {
  server = await startPublicServer(
    [
      route("/small", (exchange) => exchange.send(200, "{}")),
      route("/large", (exchange) => exchange.send(200, LARGE)),
      route("/large-bytes", (exchange) => {
        const bytes = Buffer.from(LARGE_BYTES);
        exchange.send(200, bytes);
        // `send` has taken what it needs, so the caller may change the bytes again.
        bytes.fill(0);
      }),
      route("/unchanged", (exchange) => exchange.sendFile(304, LARGE_BYTES, [])),
    ],
    (status) => statuses.push(status),
  );
});
after(() => server.stop(0));
beforeEach(() => {
  handled = 0;
  statuses.length = 0;
});

const get = (path: string): string => `GET ${path} HTTP/1.1\r\nhost: a\r\n\r\n`;

const open = () => openPaused(server.port);

describe("requests that are sent before the last one is answered", () => {
  it("are answered in order, even hundreds of them", async () => {
    const socket = await open();
    socket.resume();
    const ids = Array.from({ length: 500 }, (_, id) => String(id));
    socket.write(ids.map((id) => `GET /small HTTP/1.1\r\nhost: a\r\nx-request-id: ${id}\r\n\r\n`).join(""));
    await eventually(async () => {
      const answered = [...socket.received().matchAll(/x-request-id: (\d+)/g)].map(([, id]) => id);
      assert.deepEqual(answered, ids);
    });
    socket.destroy();
  });
});

describe("an answer larger than a connection's buffer", () => {
  for (const path of ["/large", "/large-bytes"]) {
    it(`reaches a slow reader completely, and is then observed once: ${path}`, async () => {
      const socket = await open();
      socket.write(get(path));
      await eventually(async () => assert.equal(handled, 1));
      assert.deepEqual(statuses, []);
      socket.resume();
      await eventually(async () => assert.ok(socket.receivedBytes() > LARGE.length));
      await eventually(async () => assert.ok(socket.received().endsWith(`\r\n\r\n${LARGE}`)));
      assert.deepEqual(statuses, [200]);
      socket.write(get("/small"));
      await eventually(async () => assert.ok(socket.received().endsWith("\r\n\r\n{}")));
      socket.destroy();
    });
  }

  it("is not kept beside another one: a client that sends more requests without reading it is cut off", async () => {
    const socket = await open();
    socket.write(get("/large").repeat(100));
    await eventually(async () => assert.deepEqual(statuses, [200]));
    socket.resume();
    await eventually(async () => assert.ok(socket.isCut()));
    assert.equal(handled, 1);
    assert.ok(socket.receivedBytes() < LARGE.length);
  });
});

describe("answers without a body, to a client that never reads", () => {
  for (const [what, text] of [
    ["HEAD", "HEAD /small HTTP/1.1\r\nhost: a\r\n\r\n"],
    ["304", get("/unchanged")],
  ] as const) {
    it(`${what}: a few are sent, then the connection is closed`, async () => {
      const socket = await open();
      socket.write(text.repeat(MANY));
      await eventually(async () => assert.ok(socket.isCut()));
      assert.ok(handled <= TUNING.bodilessAnswersMax, `${handled} answered`);
    });

    it(`${what}: the last one announces the close, has its length and arrives`, async () => {
      for (let asked = 1; ; asked++) {
        const socket = await open();
        socket.resume();
        socket.write(text);
        await eventually(async () => assert.ok(socket.received().endsWith("\r\n\r\n")));
        const isLast = /\r\nconnection: close\r\n/i.test(socket.received());
        if (what === "HEAD") assert.match(socket.received(), /\r\ncontent-length: 2\r\n/i);
        if (isLast) await eventually(async () => assert.ok(socket.isCut()));
        else assert.equal(socket.isCut(), false);
        socket.destroy();
        if (isLast) break;
        assert.ok(asked < TUNING.bodilessAnswersMax, "none was the last one");
      }
    });
  }
});
