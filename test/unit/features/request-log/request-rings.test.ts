import { randomFillSync } from "node:crypto";
import assert from "node:assert/strict";
import { describe, it } from "node:test";
import fc from "fast-check";
import { createIdGenerator, createRandomSource } from "../../../../src/domain/ids/ids.js";
import { LIMITS } from "../../../../src/domain/vocabulary/limits.js";
import type { ApiError } from "../../../../src/platform/http/api-error.js";
import type { Exchange } from "../../../../src/platform/http/exchange.js";
import { createRequestLog } from "../../../../src/features/request-log/service.js";

const ids = createIdGenerator(createRandomSource(randomFillSync));
const NOW_MS = 1_800_000_000_000;
const ALL = { status: null, error: null };
const NEWEST = { pageSize: 5000, cursor: null };
const MIB = 2 ** 20;

type Log = ReturnType<typeof createRequestLog>;
const logOf = (options: { rowsMax?: number; bytesMax?: number } = {}): Log =>
  createRequestLog({ startId: ids.next(NOW_MS), now: () => NOW_MS, ...options });

function callerOf() {
  const workspaceId = `ws_${ids.next(NOW_MS)}`;
  return { actor: `key_${ids.next(NOW_MS)}`, workspaceId, mode: "test" } as const;
}

function answered(
  caller: ReturnType<typeof callerOf>,
  { requestId, refusal = null }: { requestId?: string; refusal?: ApiError | null } = {},
): Exchange {
  const head = { requestId };
  // The log reads these four members and no others.
  return { caller, refusal, head, ownId: ids.nextUnwritten(NOW_MS) } as unknown as Exchange;
}

describe("the request log in memory", () => {
  it("RLOG-1: a ring grows to its size and then loses its oldest row, in order all the while", () => {
    const log = logOf();
    const caller = callerOf();
    const note = log.observerOf("POST", "/v1/decision");
    const { requestLogRowsMax } = LIMITS;
    for (let count = 1; count <= requestLogRowsMax + 7; count++) {
      note(200, 0.004, answered(caller, { requestId: `mine-${count}` }));
      if (count % 97 !== 0 && count <= requestLogRowsMax) continue;
      const { requests } = log.page(caller, ALL, NEWEST);
      const kept = Math.min(count, requestLogRowsMax);
      const expected = Array.from({ length: kept }, (_, back) => `mine-${count - back}`);
      assert.deepEqual(
        requests.map(({ requestId }) => requestId),
        expected,
      );
    }
  });

  it("RLOG-3, RLOG-4: a row keeps the longest request id whole, and cuts a path after 72 bytes", () => {
    const log = logOf();
    const caller = callerOf();
    const requestId = "r".repeat(LIMITS.requestIdCharsMax);
    const path = `rules.${"x".repeat(100)}`;
    const refusal: ApiError = { kind: "invalid", issues: [{ path, code: "custom", message: "No" }] };
    log.observerOf("POST", "/v1/decision")(400, 0.25, answered(caller, { requestId, refusal }));
    // A row that takes the place of an older one contains nothing of the older one.
    log.observerOf("GET", "/v1/decisions/:decisionId")(200, 0.5, answered(caller));
    const [second, first] = log.page(caller, ALL, NEWEST).requests;
    assert.deepEqual(
      [first?.requestId, first?.error, first?.issueCode, first?.issuePath, first?.durationMs],
      [requestId, "validation_error", "custom", path.slice(0, 72), 250],
    );
    assert.match(String(second?.requestId), /^req_[0-9a-z]{26}$/);
    assert.deepEqual([second?.error, second?.issueCode, second?.issuePath], [null, null, null]);
    assert.equal(second?.path, "/v1/decisions/:decisionId");
    assert.equal(second?.keyId, caller.actor);
  });

  it("RLOG-6: all workspaces share the bytes, and the one used least recently loses its rows", () => {
    const log = logOf({ bytesMax: MIB });
    const note = log.observerOf("POST", "/v1/decision");
    const [first, second] = [callerOf(), callerOf()];
    for (let count = 0; count < 1000; count++) note(200, 0.001, answered(first));
    for (let count = 0; count < 1000; count++) note(200, 0.001, answered(second));
    note(200, 0.001, answered(first));
    const others = Array.from({ length: 200 }, () => callerOf());
    const kept = (caller: typeof first): number => log.page(caller, ALL, NEWEST).requests.length;
    for (const other of others) {
      note(200, 0.001, answered(other));
      assert.ok(log.sizeBytes() <= MIB, `${log.sizeBytes()} bytes`);
      if (kept(second) === 0) break;
    }
    assert.deepEqual([kept(second), kept(first)], [0, 1000]);
  });

  it("RLOG-6: in any order of requests, the latest ones are kept", () => {
    const callers = Array.from({ length: 9 }, () => callerOf());
    const ring = logOf();
    ring.observerOf("POST", "/v1/decision")(200, 0.001, answered(callers[0] as (typeof callers)[0]));
    const room = 4;
    fc.assert(
      // Rings with few rows have equal sizes.
      fc.property(fc.array(fc.nat(callers.length - 1), { maxLength: 60 }), (order) => {
        const log = logOf({ rowsMax: 16, bytesMax: room * ring.sizeBytes() });
        const note = log.observerOf("POST", "/v1/decision");
        for (const number of order) note(200, 0.001, answered(callers[number] as (typeof callers)[0]));
        const kept = callers.flatMap((caller, number) =>
          log.page(caller, ALL, NEWEST).requests.length > 0 ? [number] : [],
        );
        const expected = [...new Set(order.toReversed())].slice(0, room);
        assert.deepEqual(
          kept,
          expected.toSorted((a, b) => a - b),
        );
        assert.equal(log.sizeBytes(), expected.length * ring.sizeBytes());
      }),
    );
  });

  it("RLOG-2: a request with an unknown key is ignored", () => {
    const log = logOf();
    log.observerOf("POST", "/v1/decision")(401, 0.001, { caller: null } as unknown as Exchange);
    assert.equal(log.sizeBytes(), 0);
  });

  it("RLOG-5: the rows of another start are unknown to a cursor", () => {
    const caller = callerOf();
    const pages = [logOf(), logOf()].map((log) => {
      log.observerOf("POST", "/v1/decision")(200, 0.001, answered(caller));
      return (id: string) => log.page(caller, ALL, { pageSize: 1, cursor: { kind: "older_than", id } });
    });
    const other = logOf();
    other.observerOf("POST", "/v1/decision")(200, 0.001, answered(caller));
    const [row] = other.page(caller, ALL, NEWEST).requests;
    for (const page of pages) assert.deepEqual(page(String(row?.id)), { requests: [], hasMore: false });
  });
});
