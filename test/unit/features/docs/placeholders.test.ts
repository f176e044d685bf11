import { randomFillSync } from "node:crypto";
import assert from "node:assert/strict";
import { describe, it } from "node:test";
import {
  createIdGenerator,
  idToUuid,
  type IdPrefix,
  createRandomSource,
} from "../../../../src/domain/ids/ids.js";
import { createPlaceholders } from "../../../support/documented/placeholders.js";

const ids = createIdGenerator(createRandomSource(randomFillSync));
const newId = (prefix: IdPrefix): string => `${prefix}_${ids.next(Date.now())}`;
const DAY_MS = 86_400_000;
const at = (ms: number): string => new Date(ms).toISOString();

/** A reply of a service that started at `startedMs`, with its values that differ at each start. */
function replyAt(startedMs: number, latencyMs: number): object {
  const id = newId("dec");
  const midnightMs = startedMs - (startedMs % DAY_MS);
  const secret = newId("ws").slice(-26).replaceAll(/[g-z]/g, "0").padEnd(64, "0");
  const entry = JSON.stringify({ decision_id: idToUuid(id) });
  return {
    decision_id: id,
    outcome_id: `out_${id.slice(-26)}`,
    db_id: idToUuid(id),
    entry_base64: Buffer.from(entry).toString("base64"),
    secret: `pi_test_${secret}`,
    token: newId("usr"),
    created_at: at(startedMs + 1234),
    expires_at: at(startedMs + 7 * DAY_MS + 999),
    series: [6, 5, 4].map((days) => ({ start: at(midnightMs - days * DAY_MS) })),
    month: at(startedMs).slice(0, 7),
    decision_latency_ms: latencyMs,
  };
}

describe("API-7: values that a service makes at each start are the same in each recording", () => {
  const recorded = (startedMs: number, latencyMs: number) =>
    createPlaceholders(startedMs)(replyAt(startedMs, latencyMs)) as Record<string, string>;

  it("whenever it is recorded", () => {
    const first = recorded(Date.parse("2026-03-31T10:00:00.123Z"), 1.23);
    assert.deepEqual(recorded(Date.parse("2027-12-01T01:00:00.456Z"), 4.56), first);
  });

  it("an id keeps its placeholder under another prefix, in hexadecimal, and in an entry's bytes", () => {
    const { decision_id = "", outcome_id = "", db_id, entry_base64 = "" } = recorded(Date.now(), 1);
    assert.equal(outcome_id.slice(-26), decision_id.slice(-26));
    assert.equal(db_id, idToUuid(decision_id));
    assert.deepEqual(JSON.parse(Buffer.from(entry_base64, "base64").toString()), { decision_id: db_id });
  });

  it("whole days between times stay", () => {
    const { created_at = "", expires_at = "" } = recorded(Date.now(), 1);
    assert.equal(Date.parse(expires_at) - Date.parse(created_at), 7 * DAY_MS);
  });

  it("values that a call itself named stay", () => {
    const sent = { effective_from: "2020-01-01T00:00:00.000Z", order_id: "order_1001", amount: 129_900 };
    assert.deepEqual(createPlaceholders(Date.now())(sent), sent);
  });

  it("two ids are two placeholders", () => {
    const fixed = createPlaceholders(Date.now());
    assert.notEqual(fixed(newId("usr")), fixed(newId("usr")));
  });
});
