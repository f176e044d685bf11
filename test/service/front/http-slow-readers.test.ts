import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import type { HttpServer } from "../../../src/path/front/server.js";
import { TUNING } from "../../../src/domain/vocabulary/tuning.js";
import { openPaused, type PausedConnection } from "../../support/http/paused-connection.js";
import { startPublicServer } from "../../support/service/public-server.js";
import { eventually } from "../../support/service/service.js";

/** The size is several times what the kernel buffers for a connection on the loopback. */
const BODY = "0123456789abcdef".repeat(2 ** 20);
const KEPT_MAX = TUNING.keptAnswerBytesMax / BODY.length;

let server: HttpServer;
let handled = 0;
before(async () => {
  server = await startPublicServer([
    {
      method: "GET",
      path: "/large",
      access: "public",
      handle: (exchange) => {
        handled++;
        exchange.send(200, BODY);
      },
    },
  ]);
});
after(() => server.stop(0));

/** A client that has sent a request and whose answer waits to be read. */
async function slowReader(): Promise<PausedConnection> {
  const before = handled;
  const reader = await openPaused(server.port);
  reader.write("GET /large HTTP/1.1\r\nhost: a\r\n\r\n");
  await eventually(async () => assert.equal(handled, before + 1));
  return reader;
}

describe("answers that wait for slow readers", () => {
  it("the peer that has waited longest is cut once their total is too large, and no other", async () => {
    const readers = [];
    for (let i = 0; i <= KEPT_MAX; i++) readers.push(await slowReader());
    const [longest, ...others] = readers;
    longest?.resume();
    await eventually(async () => assert.equal(longest?.isCut(), true));
    assert.ok((longest?.receivedBytes() ?? 0) < BODY.length);
    for (const reader of others) await readAll(reader);
  });

  for (const [what, leave] of [
    ["what was read makes room", readAll],
    ["so does who goes away", goAway],
  ] as const) {
    it(what, async () => {
      const patient = await slowReader();
      for (let i = 0; i <= 2 * KEPT_MAX; i++) await leave(await slowReader());
      await readAll(patient);
    });
  }
});

async function readAll(reader: PausedConnection): Promise<void> {
  reader.resume();
  await eventually(async () => assert.ok(reader.receivedBytes() > BODY.length));
  reader.destroy();
}

async function goAway(reader: PausedConnection): Promise<void> {
  reader.destroy();
  // Once another client has its answer, the server has noticed the closed connection too.
  await fetch(`http://127.0.0.1:${server.port}/nothing`).then((reply) => reply.arrayBuffer());
}
