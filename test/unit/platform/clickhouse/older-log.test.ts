import assert from "node:assert/strict";
import { once } from "node:events";
import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { describe, it } from "node:test";
import { OLDER_LOG } from "../../../../src/domain/vocabulary/tuning/older-log.js";
import { OlderLogUnavailableError, type OlderLogs } from "../../../../src/platform/postgres/tenant-db.js";
import type { OlderQuery } from "../../../../src/platform/telemetry/older-query.js";
import { openOlderLogs } from "../../../../src/platform/clickhouse/older-log.js";
import { closeLater } from "../../../support/closing.js";
import { eventually } from "../../../support/waiting/eventually.js";

const WORKSPACE = "01".repeat(16);

/** A server that answers as the test says, and keeps what it was asked. */
async function startServer(answer: (response: ServerResponse) => void) {
  const asked: string[] = [];
  const behaviour = { answer };
  const server = createServer((request, response) => {
    let body = "";
    request.on("data", (part: Buffer) => (body += part.toString()));
    request.on("end", () => {
      asked.push(body);
      behaviour.answer(response);
    });
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  const noted: OlderQuery[] = [];
  const logs = openOlderLogs({
    url: `http://u:p@127.0.0.1:${port}/log`,
    timeoutMs: 60_000,
    onQuery: (query) => void noted.push(query),
  });
  closeLater(async () => {
    await logs.close();
    server.closeAllConnections();
    server.close();
  });
  return { asked, noted, behaviour, ask: () => logs.rows(WORKSPACE, "select 1 as one"), logs };
}

const ok = (response: ServerResponse): void => void response.end('{"one":1}\n');
const refuse = (response: ServerResponse): void => void response.writeHead(500).end("Code: 202. Refused");
const hangUp = (response: ServerResponse): void => void response.socket?.destroy();
const tooSlow = (response: ServerResponse): void =>
  void response
    .writeHead(500)
    .end("Code: 159. DB::Exception: Timeout exceeded: elapsed 1.2 seconds. (TIMEOUT_EXCEEDED)");
const isUnavailable = (error: unknown): boolean => error instanceof OlderLogUnavailableError;

describe("the way to the older log", () => {
  it("CH-18: after failures in a row nothing is asked, and one query tries whether the server is back", async () => {
    const { asked, behaviour, ask } = await startServer(refuse);
    for (let failures = 0; failures < OLDER_LOG.failuresMax; failures++) {
      await assert.rejects(ask(), isUnavailable);
    }
    const before = asked.length;
    await assert.rejects(ask(), isUnavailable);
    assert.equal(asked.length, before, "the server is left alone");
    behaviour.answer = ok;
    assert.deepEqual(await eventually(ask), [{ one: 1 }]);
    assert.deepEqual(await ask(), [{ one: 1 }]);
  });

  it("CH-18: asks once more where the server closes the connection, and a second time is a failure", async () => {
    const { asked, behaviour, ask, noted } = await startServer((response) => {
      behaviour.answer = ok;
      hangUp(response);
    });
    assert.deepEqual(await ask(), [{ one: 1 }]);
    assert.equal(asked.length, 2);
    behaviour.answer = hangUp;
    await assert.rejects(ask(), isUnavailable);
    assert.equal(asked.length, 4);
    assert.deepEqual(
      noted.map(({ result }) => result),
      ["ok", "error"],
    );
  });

  it("CH-18: queries that take too long do not close the log to others", async () => {
    const { asked, behaviour, ask } = await startServer(tooSlow);
    for (let heavy = 0; heavy < 2 * OLDER_LOG.failuresMax; heavy++)
      await assert.rejects(ask(), isUnavailable);
    assert.equal(asked.length, 2 * OLDER_LOG.failuresMax);
    behaviour.answer = ok;
    assert.deepEqual(await ask(), [{ one: 1 }]);
  });

  it("CH-18: a server that does not answer holds few queries, and refuses others at once", async () => {
    const held: ServerResponse[] = [];
    const { asked, ask } = await startServer((response) => void held.push(response));
    const waiting = Array.from({ length: OLDER_LOG.atOnceMax }, ask);
    await eventually(async () => assert.equal(held.length, OLDER_LOG.atOnceMax));
    for (let more = 0; more < 5; more++) await assert.rejects(ask(), isUnavailable);
    assert.equal(asked.length, OLDER_LOG.atOnceMax);
    for (const response of held) ok(response);
    // A full line is not a failure of the server, so the next query is sent to it.
    await Promise.all(waiting);
    const next = ask();
    await eventually(async () => assert.equal(held.length, OLDER_LOG.atOnceMax + 1));
    ok(held.at(-1) as ServerResponse);
    await next;
  });

  it("CH-23: each query is noted with its result, and with its time if it was sent", async () => {
    const { noted, behaviour, ask } = await startServer(ok);
    await ask();
    behaviour.answer = tooSlow;
    await assert.rejects(ask(), isUnavailable);
    behaviour.answer = refuse;
    for (let times = 0; times <= OLDER_LOG.failuresMax; times++) await assert.rejects(ask(), isUnavailable);
    assert.deepEqual(
      noted.map(({ result }) => result),
      ["ok", "too_heavy", "error", "error", "error", "refused"],
    );
    for (const { result, seconds } of noted) assert.equal(seconds > 0, result !== "refused");
  });

  it("CH-16: each query is limited to its workspace, whatever it says itself", async () => {
    const { asked, logs } = await startServer(ok);
    const other: Parameters<OlderLogs["rows"]>[0] = "02".repeat(16);
    await logs.rows(WORKSPACE, "select 1 as one from decisions");
    await logs.rows(other, "select 1 as one from decisions");
    for (const [at, hex] of [WORKSPACE, other].entries()) {
      for (const table of ["decisions", "outcomes", "reviews"]) {
        assert.match(
          asked[at] ?? "",
          new RegExp(`'${table}': 'workspace_id = toUUID\\(\\\\'${hex}\\\\'\\)'`),
        );
      }
    }
  });
});
