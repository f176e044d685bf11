import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { LIMITS } from "../../../../src/domain/vocabulary/limits.js";
import { postEvent, type PostOptions } from "../../../../src/features/events/sender/post-event.js";
import { pauseAfter, RETRY_PAUSES_SECONDS } from "../../../../src/features/events/sender/retry-pauses.js";
import { startScriptedServer, type Behaviour } from "../../../support/http/scripted-server.js";

const answer =
  (head: string, body = ""): Behaviour =>
  (socket) =>
    void socket.write(`HTTP/1.1 ${head}\r\ncontent-length: ${Buffer.byteLength(body)}\r\n\r\n${body}`);

/** Posts to a server under a name. The name resolves to 127.0.0.1, unless `options` say otherwise. */
async function post(behave: Behaviour, options: Partial<PostOptions> = {}) {
  const server = await startScriptedServer(behave);
  const asked: string[] = [];
  const url = `http://shop.test:${new URL(server.url).port}/events?a=b`;
  const attempt = await postEvent(
    { url, headers: { "webhook-id": "evt_1" }, body: '{"type":"é"}' },
    {
      resolve: (name) => Promise.resolve(asked.push(name) > 0 ? ["127.0.0.1"] : []),
      allowsPrivate: true,
      ...options,
    },
  );
  return { attempt, asked, requests: server.requests, url };
}

describe("EVT-7: one attempt", () => {
  it("posts the body with its headers to the name's address", async () => {
    const { attempt, asked, requests, url } = await post(answer("204 No Content"));
    assert.deepEqual(attempt, { status: 204, error: null });
    assert.deepEqual(asked, ["shop.test"]);
    const [request] = requests;
    assert.equal(request?.line, "POST /events?a=b");
    assert.equal(request?.body, '{"type":"é"}');
    assert.equal(request?.headers["host"], new URL(url).host);
    assert.equal(request?.headers["content-type"], "application/json");
    assert.equal(request?.headers["webhook-id"], "evt_1");
  });

  for (const head of ["500 Oops", "404 Not Found", "200 OK"])
    it(`reports ${head}`, async () => {
      const { attempt } = await post(answer(head, "text"));
      assert.deepEqual(attempt, { status: Number(head.slice(0, 3)), error: null });
    });

  it("EVT-10: follows no redirect", async () => {
    const { attempt, requests } = await post((socket, request, index) =>
      answer(`302 Found\r\nlocation: http://127.0.0.1/${index}`)(socket, request, index),
    );
    assert.deepEqual([attempt.status, requests.length], [302, 1]);
  });

  it("EVT-10: reads no more of an answer than is allowed, and takes its status", async () => {
    let written = 0;
    const { attempt } = await post((socket) => {
      socket.write("HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n");
      const more = (): void => {
        while (!socket.destroyed && socket.write(`10000\r\n${"x".repeat(65_536)}\r\n`)) written++;
        if (!socket.destroyed) socket.once("drain", more);
      };
      more();
    });
    assert.deepEqual(attempt, { status: 200, error: null });
    assert.ok(written * 65_536 < 1000 * LIMITS.eventAnswerBytesMax);
  });

  it("gives up a receiver that hangs, before or within its answer", async () => {
    for (const written of ["", "HTTP/1.1 200 OK\r\n", "HTTP/1.1 200 OK\r\ncontent-length: 9\r\n\r\nhalf"]) {
      const { attempt } = await post((socket) => void socket.write(written), { timeoutMs: 200 });
      assert.deepEqual(attempt, { status: null, error: "timeout" });
    }
  });

  it("reports a connection that is cut, a name without address, and a resolver that hangs", async () => {
    const cut = await post((socket) => void socket.destroy());
    assert.deepEqual(cut.attempt, { status: null, error: "connection" });
    const none = await post(answer("200 OK"), { resolve: () => Promise.resolve([]) });
    assert.deepEqual([none.attempt.error, none.requests], ["unresolved", []]);
    const failing = await post(answer("200 OK"), { resolve: () => Promise.reject(new Error("ENOTFOUND")) });
    assert.deepEqual([failing.attempt.error, failing.requests], ["unresolved", []]);
    const hanging = await post(answer("200 OK"), {
      resolve: () => new Promise(() => undefined),
      timeoutMs: 100,
    });
    assert.deepEqual([hanging.attempt.error, hanging.requests], ["timeout", []]);
  });
});

describe("EVT-10: the address that is judged is the one that is connected to", () => {
  it("a name that leads to this host is refused, and nothing is sent", async () => {
    for (const addresses of [["127.0.0.1"], ["::1"], ["::ffff:127.0.0.1"], ["1.1.1.1", "127.0.0.1"]]) {
      const resolve = () => Promise.resolve(addresses);
      const { attempt, requests } = await post(answer("200 OK"), { resolve, allowsPrivate: false });
      assert.deepEqual([attempt.error, requests], ["private_address", []], addresses.join(" "));
    }
  });

  it("a name server that changes its word is asked once", async () => {
    const words = [["127.0.0.1"], ["192.0.2.1"]];
    let asked = 0;
    const { attempt } = await post(answer("200 OK"), {
      resolve: () => Promise.resolve(words[asked++] ?? []),
    });
    assert.deepEqual([attempt.status, asked], [200, 1]);
  });

  it("an address in the URL is judged without asking anybody", async () => {
    for (const host of [
      "127.0.0.1",
      "2130706433",
      "0x7f.1",
      "0177.0.0.1",
      "0251.0376.0251.0376",
      "[::1]",
      "[::ffff:127.0.0.1]",
      "[::ffff:a9fe:a9fe]",
      "169.254.169.254",
    ]) {
      const attempt = await postEvent(
        { url: `https://${host}:9/`, headers: {}, body: "" },
        { resolve: () => assert.fail("asked"), allowsPrivate: false },
      );
      assert.deepEqual(attempt, { status: null, error: "private_address" }, host);
    }
  });

  it("EVENTS_ALLOW_PRIVATE sends nothing over the Internet without TLS", async () => {
    const attempt = await postEvent(
      { url: "http://shop.test/", headers: {}, body: "" },
      { resolve: () => Promise.resolve(["1.1.1.1"]), allowsPrivate: true },
    );
    assert.deepEqual(attempt, { status: null, error: "private_address" });
  });
});

describe("EVT-7: the pauses", () => {
  it("grow, and add up to 24 hours", () => {
    assert.deepEqual(
      [...RETRY_PAUSES_SECONDS],
      RETRY_PAUSES_SECONDS.toSorted((a, b) => a - b),
    );
    assert.equal(
      RETRY_PAUSES_SECONDS.reduce<number>((sum, pause) => sum + pause, 0),
      24 * 3600,
    );
    assert.equal(pauseAfter(0), 5);
    assert.equal(pauseAfter(RETRY_PAUSES_SECONDS.length), null);
  });
});
