import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { LIMITS } from "../../../src/domain/vocabulary/limits.js";
import { dueOf, tookText } from "../../../src/dashboard/pages/reviews/due.js";

const HELD_MS = Date.UTC(2026, 10, 26, 12);
const HELD = new Date(HELD_MS).toISOString();
const after = (ms: number): string => new Date(HELD_MS + ms).toISOString();

describe("REV-14: the target of a review", () => {
  it("is due up to the target itself, and overdue afterwards", () => {
    assert.equal(dueOf(HELD, HELD_MS).isOverdue, false);
    assert.match(dueOf(HELD, HELD_MS).text, /^Due in 15/);
    assert.equal(dueOf(HELD, HELD_MS + LIMITS.reviewTargetMs).isOverdue, false);
    const late = dueOf(HELD, HELD_MS + LIMITS.reviewTargetMs + 120_000);
    assert.equal(late.isOverdue, true);
    assert.match(late.text, /^Overdue, was due 2/);
  });

  it("REV-16: a review says how long it took, and whether that was late", () => {
    assert.equal(tookText(HELD, after(59_000)), "59 s");
    assert.equal(tookText(HELD, after(LIMITS.reviewTargetMs)), "15 min");
    assert.equal(tookText(HELD, after(LIMITS.reviewTargetMs + 60_000)), "16 min, late");
    assert.equal(tookText(HELD, after(7_200_000)), "2 h, late");
    assert.equal(tookText(HELD, after(3 * 86_400_000)), "3 days, late");
    assert.equal(tookText(HELD, after(-5000)), "0 s");
  });
});
