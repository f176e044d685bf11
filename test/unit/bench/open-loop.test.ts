import assert from "node:assert/strict";
import { once } from "node:events";
import { createServer, type Server, type Socket, type AddressInfo } from "node:net";
import { afterEach, describe, it } from "node:test";
import { runLoad } from "../../../bench/client/load-run.js";
import { createRecordedSource } from "../../../bench/client/request-source.js";

const REPLY = "HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\n{}";

const servers: Server[] = [];
afterEach(() => {
  for (const server of servers.splice(0)) server.close();
});

async function listen(onRequest: (socket: Socket, count: number) => void): Promise<URL> {
  let count = 0;
  const server = createServer((socket) => {
    socket.on("data", () => onRequest(socket, ++count));
    socket.on("error", () => {});
  });
  servers.push(server);
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return new URL(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`);
}

describe("open loop", () => {
  it("charges a stall to every request that was due while it lasted", async () => {
    const stallMs = 400;
    const url = await listen((socket, count) => {
      if (count === 1) setTimeout(() => socket.write(REPLY), stallMs);
      else socket.write(REPLY);
    });
    const plan = { url, connections: 1, durationMs: 500, ratePerSecond: 100 };
    const result = await runLoad(plan, createRecordedSource({ url, key: "" }, ["{}"]));
    assert.deepEqual(result.statuses, { 200: 50 });
    // The 20 requests due in the first 200 ms were answered after 400 ms. A closed loop would have seen one slow reply.
    const slow = result.latency.buckets(1.01).filter(({ fromMs }) => fromMs >= 190);
    assert.ok(slow.reduce((sum, { count }) => sum + count, 0) >= 20);
  });

  it("sends the whole schedule, no more and no less, over many connections", async () => {
    const url = await listen((socket) => socket.write(REPLY));
    const plan = { url, connections: 8, durationMs: 300, ratePerSecond: 2_000 };
    const result = await runLoad(plan, createRecordedSource({ url, key: "" }, ["{}"]));
    assert.deepEqual([result.statuses, result.failures, result.latency.count], [{ 200: 600 }, {}, 600]);
  });
});

describe("connections of the generator", () => {
  it("count a request lost with its connection, reconnect and go on", async () => {
    const url = await listen((socket, count) => {
      if (count === 3) socket.destroy();
      else socket.write(REPLY);
    });
    const plan = { url, connections: 1, durationMs: 400, ratePerSecond: 50 };
    const result = await runLoad(plan, createRecordedSource({ url, key: "" }, ["{}"]));
    assert.deepEqual(result.failures, { "the connection was closed": 1 });
    assert.deepEqual(result.statuses, { 200: 19 });
    assert.equal(result.latency.count, 20);
  });

  it("reject when nothing listens", async () => {
    const url = new URL("http://127.0.0.1:1/");
    const plan = { url, connections: 2, durationMs: 100 };
    await assert.rejects(runLoad(plan, createRecordedSource({ url, key: "" }, ["{}"])), /ECONNREFUSED/);
  });
});
