import assert from "node:assert/strict";
import { describe, it } from "node:test";
import fc from "fast-check";
import {
  batchAgeMs,
  batchRecordCount,
  batchTimeMs,
  createBatchEncoder,
  decodeBatch,
  JournalFormatError,
  noRecords,
} from "../../../../src/path/journal/batch-codec.js";
import type { DecisionRecord, DecisionRecordView } from "../../../../src/path/journal/decision-record.js";
import { idFromHex } from "../../../../src/domain/ids/ids.js";
import {
  ACTIONS,
  CARD_NETWORKS,
  DECISION_MODES,
  MODES,
  OUTCOMES,
  PAYMENT_METHODS,
  RISK_BANDS,
} from "../../../../src/domain/vocabulary/vocabulary.js";
import { decisionRecord } from "../../../support/rows/decision-records.js";
import { newId } from "../../../support/rows/decision-rows.js";
import { anyText } from "../../../support/generators/text.js";

const hex = fc.stringMatching(/^0[0-9a-f]{31}$/);
/** The longest texts that validation accepts: 128 code points, without a lone surrogate. */
const hostile = fc.constantFrom(
  "\0",
  "\\.\n\t\r",
  "\u{1F4B3}".repeat(128),
  "\uffff".repeat(128),
  "é".repeat(128),
  "Größe",
  "\u007f\u0080",
  `${"x".repeat(31)}ÿ`,
  "x".repeat(32),
  "x".repeat(33),
  "'; drop table decisions; --",
  "x".repeat(128),
  "\u{2028}\u{feff}",
);
const text = fc.oneof(anyText({ minLength: 1, maxLength: 128 }), hostile);
const merchantId = fc.stringMatching(/^[A-Za-z0-9_.:-]{1,128}$/);
const provider = fc.stringMatching(/^[a-z][a-z0-9_]{0,30}$/);
const part = fc.oneof(fc.json(), text, fc.constant(""), fc.constant("\uffff".repeat(3000)));

const record: fc.Arbitrary<DecisionRecord> = fc.record({
  workspaceId: hex.map((value) => idFromHex("ws", value)),
  decisionId: hex.map((value) => idFromHex("dec", value)),
  mode: fc.constantFrom(...MODES),
  decisionMode: fc.constantFrom(...DECISION_MODES),
  action: fc.constantFrom(...ACTIONS),
  paymentMethod: fc.constantFrom(...PAYMENT_METHODS),
  country: fc.constantFrom("US", "NG", "ZW"),
  cardNetwork: fc.constantFrom(null, ...CARD_NETWORKS),
  riskBand: fc.constantFrom(...RISK_BANDS),
  riskScore: fc.integer({ min: 0, max: 100 }),
  amountMinor: fc.integer({ min: 1, max: Number.MAX_SAFE_INTEGER }),
  latencyMs: fc.integer({ min: 0, max: 4_000_000 }).map((us) => us / 1000),
  merchantId,
  orderId: text,
  currency: fc.constantFrom("USD", "JPY"),
  primaryProvider: fc.oneof(provider, fc.constant("")),
  fallbackProvider: fc.oneof(provider, fc.constant("")),
  doc: fc.array(part, { minLength: 1, maxLength: 4 }),
});

/** Converts a view to the record that it was made of, with its document in one part. */
function toRecord(view: DecisionRecordView): DecisionRecord {
  return {
    workspaceId: idFromHex("ws", view.workspaceId.toString("hex")),
    decisionId: idFromHex("dec", view.decisionId.toString("hex")),
    mode: MODES[view.mode] as DecisionRecord["mode"],
    decisionMode: DECISION_MODES[view.decisionMode] as DecisionRecord["decisionMode"],
    action: ACTIONS[view.action] as DecisionRecord["action"],
    paymentMethod: PAYMENT_METHODS[view.paymentMethod] as DecisionRecord["paymentMethod"],
    country: view.country.toString(),
    cardNetwork: view.cardNetwork === null ? null : (CARD_NETWORKS[view.cardNetwork] ?? null),
    riskBand: RISK_BANDS[view.riskBand] as DecisionRecord["riskBand"],
    riskScore: view.riskScore,
    amountMinor: view.amountMinor,
    latencyMs: view.latencyMs,
    merchantId: view.merchantId.toString(),
    orderId: view.orderId.toString(),
    currency: view.currency.toString(),
    primaryProvider: view.primaryProvider.toString(),
    fallbackProvider: view.fallbackProvider.toString(),
    doc: [view.doc.toString()],
  };
}

function roundTrip(records: readonly DecisionRecord[], encoder = createBatchEncoder()): DecisionRecord[] {
  const batch = Buffer.from(encoder.encode(records));
  assert.equal(batchRecordCount(batch), records.length);
  const read = noRecords();
  decodeBatch(batch, read);
  return read.decisions.map(toRecord);
}

const joined = (records: readonly DecisionRecord[]): DecisionRecord[] =>
  records.map((entry) => ({ ...entry, doc: [entry.doc.join("")] }));

describe("journal batch: the read records equal the written ones", () => {
  it("any records, hostile strings included", () => {
    // The encoder's buffer is reused. The rest of a longer batch in it must not be visible.
    const encoder = createBatchEncoder();
    fc.assert(
      fc.property(fc.array(record, { maxLength: 20 }), (records) => {
        assert.deepEqual(roundTrip(records, encoder), joined(records));
      }),
    );
  });

  it("decisions and the health they used, with any text", () => {
    const encoder = createBatchEncoder();
    const group = fc.record({ hash: fc.uint8Array({ minLength: 16, maxLength: 16 }), content: fc.string() });
    fc.assert(
      fc.property(
        fc.array(record, { maxLength: 5 }),
        fc.array(group, { maxLength: 5 }),
        (records, groups) => {
          const healthGroups = groups.map(({ hash, content }) => ({
            hash: Buffer.from(hash),
            content: content.toWellFormed(),
          }));
          const batch = Buffer.from(encoder.encode(records, { healthGroups }));
          assert.equal(batchRecordCount(batch), records.length + groups.length);
          const decoded = noRecords();
          decodeBatch(batch, decoded);
          assert.deepEqual(decoded.decisions.map(toRecord), joined(records));
          assert.deepEqual(
            decoded.healthGroups.map(({ hash, content }) => [hash.toString("hex"), content.toString()]),
            healthGroups.map(({ hash, content }) => [hash.toString("hex"), content]),
          );
        },
      ),
    );
  });

  it("the costs and the retries are read beside the decisions", () => {
    const id = (prefix: "ws" | "dec"): string => newId(prefix);
    const minor = fc.integer({ min: 0, max: Number.MAX_SAFE_INTEGER });
    const cost = fc.record(
      { at: fc.nat(), costMinor: minor, dearestMinor: minor, firstMinor: fc.option(minor) },
      { noNullPrototype: true },
    );
    const retry = fc.record(
      {
        workspaceId: fc.constant(id("ws")),
        decisionId: fc.constant(id("dec")),
        mode: fc.constantFrom(...MODES),
        failedProvider: fc.string({ maxLength: 64 }).map((text) => text.toWellFormed()),
        failedOutcome: fc.constantFrom(...OUTCOMES),
      },
      { noNullPrototype: true },
    );
    fc.assert(
      fc.property(
        fc.array(record, { minLength: 1, maxLength: 3 }),
        fc.array(cost, { maxLength: 4 }),
        fc.array(retry, { maxLength: 4 }),
        (records, chosen, retries) => {
          const costs = chosen.map(({ at, ...amounts }) => ({ ...amounts, decisionAt: at % records.length }));
          const batch = Buffer.from(createBatchEncoder().encode(records, { costs, retries }));
          assert.equal(batchRecordCount(batch), records.length + costs.length + retries.length);
          const decoded = noRecords();
          // The second decoding adds to the same records. Its costs must belong to its own decisions.
          decodeBatch(batch, decoded);
          decodeBatch(batch, decoded);
          assert.deepEqual(decoded.decisions.map(toRecord), joined([...records, ...records]));
          assert.deepEqual(decoded.retries, [...retries, ...retries]);
          const expected = costs.map(({ decisionAt, ...amounts }) => {
            const { workspaceId, decisionId, mode, decisionMode, currency } = records[
              decisionAt
            ] as DecisionRecord;
            return { workspaceId, decisionId, mode, decisionMode, currency, ...amounts };
          });
          assert.deepEqual(
            decoded.costs.map((read) => ({
              ...read,
              workspaceId: idFromHex("ws", read.workspaceId.toString("hex")),
              decisionId: idFromHex("dec", read.decisionId.toString("hex")),
              mode: MODES[read.mode],
              decisionMode: DECISION_MODES[read.decisionMode],
              currency: read.currency.toString(),
            })),
            [...expected, ...expected],
          );
          // A cost of the second batch must share the id object of the second batch's decision, and not of the first's.
          const second = decoded.costs.slice(costs.length);
          for (const [index, { decisionAt }] of costs.entries()) {
            const decision = decoded.decisions[records.length + decisionAt];
            assert.equal(second[index]?.decisionId, decision?.decisionId);
          }
        },
      ),
    );
  });

  it("a batch far larger than the encoder's buffer, at three bytes a character", () => {
    const records = Array.from({ length: 128 }, (_, i) =>
      decisionRecord("\u{1F4B3}".repeat(128), { doc: ["\uffff".repeat(16_384), String(i)] }),
    );
    assert.deepEqual(roundTrip(records), joined(records));
  });

  it("the creation time is the decision id's own", () => {
    const nowMs = Date.UTC(2026, 10, 20, 12, 34, 56, 789);
    const decisionId = idFromHex("dec", nowMs.toString(16).padStart(12, "0") + "0".repeat(20));
    const read = noRecords();
    const batch = createBatchEncoder().encode([decisionRecord("order", { decisionId })]);
    decodeBatch(batch, read);
    assert.equal(read.decisions[0]?.createdAtMs, nowMs);
    assert.equal(batchTimeMs(batch), nowMs);
    assert.equal(batchAgeMs(batch, nowMs + 3000), 3000);
    assert.equal(batchAgeMs(batch, nowMs - 60_000), 0, "by a clock that was set back");
  });

  it("refuses a format or a kind it does not know, rather than skip a record", () => {
    const batch = Buffer.from(createBatchEncoder().encode([decisionRecord("order")]));
    for (const at of [0, 9]) {
      const changed = Buffer.from(batch);
      changed[at] = 99;
      assert.throws(() => decodeBatch(changed, noRecords()), JournalFormatError);
    }
  });
});
