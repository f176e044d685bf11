import assert from "node:assert/strict";
import { describe, it } from "node:test";
import type { HealthMonitor } from "../../../../src/domain/health/monitor/monitor.js";
import type { LiveOutcomes } from "../../../../src/domain/health/monitor/live-outcome.js";
import type { OutcomeAlertChange } from "../../../../src/domain/health/monitor/outcome-alert.js";
import { wilsonBounds } from "../../../../src/domain/statistics/proportion.js";
import { liveOutcome, smallMonitor } from "./segments.js";

const START_MS = Date.UTC(2026, 10, 20, 9, 30);
const DECLINED = { outcome: "soft_declined" } as const;
const FAILED = { outcome: "technical_failed", technicalFailureType: "5xx" } as const;

/** Makes a monitor, and keeps a list of ws_a's open alerts. */
class Watched {
  nowMs = START_MS;
  readonly changes: OutcomeAlertChange[] = [];
  private readonly monitor: HealthMonitor = smallMonitor();

  constructor() {
    this.monitor.warmUp(START_MS);
  }

  /** Repeats these outcomes every second. */
  seconds(count: number, ...outcomes: readonly Partial<LiveOutcomes>[]): this {
    for (let second = 0; second < count; second++) {
      this.nowMs += 1000;
      for (const fields of outcomes) this.monitor.recordOutcomes(liveOutcome(this.nowMs, fields), this.nowMs);
      this.changes.push(...this.monitor.tick(this.nowMs).alerts);
    }
    return this;
  }

  minutes(count: number, ...outcomes: readonly Partial<LiveOutcomes>[]): this {
    for (let minute = 0; minute < count; minute++) this.seconds(1, ...outcomes).seconds(59);
    return this;
  }

  /** Returns the open alerts as `<kind> <segment key>`. */
  open(): string[] {
    const open = new Set<string>();
    for (const { kind, segmentKey, open: opened } of this.changes) {
      if (opened === null) open.delete(`${kind} ${segmentKey}`);
      else open.add(`${kind} ${segmentKey}`);
    }
    return [...open].toSorted();
  }

  newest(): OutcomeAlertChange["open"] {
    return this.changes.at(-1)?.open ?? null;
  }
}

describe("ALRT-15: approval_drop", () => {
  it("opens with the 30th payment of a fall, and not with the 29th", () => {
    const watched = new Watched().seconds(29, DECLINED);
    assert.deepEqual(watched.open(), []);
    watched.seconds(1, DECLINED);
    assert.deepEqual(watched.open(), ["approval_drop provider_1:card:USD"]);
  });

  it("opens within a minute of a fall after a busy day, and closes by itself when it is over", () => {
    const good = { count: 5 };
    const watched = new Watched().seconds(3600, good).seconds(60, { ...DECLINED, count: 3 }, { count: 2 });
    assert.deepEqual(watched.open(), ["approval_drop provider_1:card:USD"]);
    watched.seconds(120, good);
    assert.deepEqual(watched.open(), []);
    assert.equal(watched.changes.length, 2);
  });

  it("a quiet segment's fall is found in its last hour", () => {
    const watched = new Watched().minutes(20, { count: 2 });
    watched.minutes(9, { ...DECLINED, count: 2 }, {});
    assert.deepEqual(watched.open(), ["approval_drop provider_1:card:USD"]);
  });

  it("closes when nothing comes any more", () => {
    const watched = new Watched().seconds(40, DECLINED);
    assert.equal(watched.open().length, 1);
    watched.seconds(15 * 60 + 20);
    assert.deepEqual(watched.open(), []);
  });

  it("the upper bound must be more than ten points under the usual rate", () => {
    const watched = new Watched();
    const usual = 1 - 0.1;
    const isUnder = (declined: number, of: number): boolean => wilsonBounds(of - declined, of).upper < usual;
    // The usual approval rate of provider_1 is nearly 1, so approvals must be certainly below 0.9.
    const declined = Array.from({ length: 31 }, (_, n) => n).findIndex((n) => isUnder(n, 40));
    assert.ok(declined > 4);
    watched.seconds(1, { ...DECLINED, count: 4 }, { count: 36 }).seconds(20);
    assert.deepEqual(watched.open(), []);
    watched.seconds(1, { ...DECLINED, count: 40 }).seconds(20);
    assert.equal(watched.open().length, 1);
  });

  for (const [title, fields] of [
    ["customers' errors", { ...DECLINED, blame: "customer" }],
    ["what issuers decline by their codes", { ...DECLINED, blame: "issuer" }],
    ["hard declines", { outcome: "hard_declined" }],
  ] as const) {
    it(`HLTH-30: ${title} open none`, () => {
      assert.deepEqual(new Watched().seconds(60, { ...fields, count: 5 }).open(), []);
    });
  }

  it("says the counts on which it rests", () => {
    const watched = new Watched().seconds(1, { count: 46 }, { ...DECLINED, count: 152 }).seconds(1);
    const { severity, evidence } = watched.newest() ?? assert.fail("no alert");
    assert.equal(severity, "critical");
    assert.deepEqual(
      [evidence.outcomes, evidence.approved, evidence.failed, evidence.rate],
      [198, 46, null, 46 / 198],
    );
    assert.ok(evidence.fromMs <= START_MS + 1000 && evidence.toMs >= START_MS + 1000);
    assert.ok(Math.abs(evidence.bound - wilsonBounds(46, 198).upper) < 1e-9);
    assert.ok((evidence.usual ?? 0) > evidence.bound + 0.3);
  });
});

describe("ALRT-15: an alert names the widest level that fell as a whole", () => {
  const NG_VERVE = { country: "NG", cardNetwork: "verve" } as const;
  const NG_VISA = { country: "NG", cardNetwork: "visa" } as const;
  const US_VISA = { country: "US", cardNetwork: "visa" } as const;

  it("one card network of one country", () => {
    const watched = new Watched().seconds(60, { ...NG_VERVE, ...DECLINED }, NG_VISA, US_VISA, US_VISA);
    assert.deepEqual(watched.open(), ["approval_drop provider_1:card:USD:NG:verve"]);
    // The alert stays, although its country has no more payments.
    watched.seconds(400, { ...NG_VERVE, ...DECLINED });
    assert.deepEqual(watched.open(), ["approval_drop provider_1:card:USD:NG:verve"]);
  });

  it("one country", () => {
    const falls = [NG_VERVE, NG_VISA].map((place) => ({ ...place, ...DECLINED }));
    const watched = new Watched().seconds(60, ...falls, { country: "NG", ...DECLINED }, US_VISA, US_VISA);
    assert.deepEqual(watched.open(), ["approval_drop provider_1:card:USD:NG"]);
  });

  it("the provider", () => {
    const falls = [NG_VERVE, NG_VISA, US_VISA].map((place) => ({ ...place, ...DECLINED }));
    const watched = new Watched().seconds(60, ...falls);
    assert.deepEqual(watched.open(), ["approval_drop provider_1:card:USD"]);
  });
});

describe("ALRT-17: issuer", () => {
  const place = { country: "NG", cardNetwork: "verve" } as const;
  const both = (fields: Partial<LiveOutcomes>): Partial<LiveOutcomes>[] =>
    ["provider_1", "provider_2"].map((provider) => ({ ...place, ...fields, provider }));

  it("a fall at every provider of a place is one alert, and none of a provider's", () => {
    const watched = new Watched().seconds(60, ...both({})).seconds(60, ...both(DECLINED));
    assert.deepEqual(watched.open(), ["issuer *:card:USD:NG:verve"]);
    const { evidence } = watched.changes.findLast(({ kind }) => kind === "issuer")?.open ?? assert.fail();
    assert.ok(
      evidence.outcomes >= 30 && evidence.bound < (evidence.usual ?? 0) - 0.1,
      JSON.stringify(evidence),
    );
    watched.seconds(120, ...both({}));
    assert.deepEqual(watched.open(), []);
  });

  it("a fall at one provider is that provider's", () => {
    const others = [{ ...place, provider: "provider_2" }, { country: "US" }];
    const watched = new Watched()
      .seconds(60, place, ...others)
      .seconds(60, { ...place, ...DECLINED }, ...others);
    assert.deepEqual(watched.open(), ["approval_drop provider_1:card:USD:NG"]);
  });

  it("two providers with 15 payments each are enough together", () => {
    assert.deepEqual(new Watched().seconds(15, ...both(DECLINED)).open(), ["issuer *:card:USD:NG:verve"]);
  });
});

describe("ALRT-18: a workspace's alerts are bounded", () => {
  it("at most 200 are open, and the next opens once one has closed", () => {
    const letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZ";
    const countries = Array.from(
      { length: 205 },
      (_, n) => `${letters[Math.floor(n / 26)]}${letters[n % 26]}`,
    );
    const all = (fields: Partial<LiveOutcomes>, of = countries): Partial<LiveOutcomes>[] =>
      of.flatMap((country) =>
        ["provider_1", "provider_2"].map((provider) => ({
          ...fields,
          country,
          cardNetwork: "visa" as const,
          provider,
          count: 30,
        })),
      );
    const watched = new Watched().seconds(1, ...all(DECLINED)).seconds(20);
    const isIssuer = (alert: string): boolean => alert.startsWith("issuer");
    assert.equal(watched.open().filter(isIssuer).length, 200);
    watched
      .seconds(40)
      .seconds(1, ...all({ count: 300 }, countries.slice(0, 3)))
      .seconds(40);
    assert.equal(watched.open().filter(isIssuer).length, 200);
    assert.ok(watched.changes.some(({ kind, open }) => kind === "issuer" && open === null));
    assert.equal(new Set(watched.changes.map(({ segmentKey }) => segmentKey)).size > 200, true);
  });
});

describe("ALRT-16: technical_failures", () => {
  it("a past fall does not open it again, though the hour still contains it", () => {
    const watched = new Watched().seconds(60, { ...FAILED, count: 5 }).seconds(60, { count: 5 });
    assert.deepEqual(watched.open(), []);
    const { length } = watched.changes;
    // Traffic is so low that only the windows of 18 minutes and of an hour have ten payments.
    watched.minutes(20, {});
    assert.equal(watched.changes.length, length);
    watched.seconds(10, { ...FAILED, count: 2 });
    assert.deepEqual(watched.open(), ["technical_failures provider_1:card:USD"]);
  });

  it("36 of 36 answered 5xx, six a minute, open it, undiluted by probes", () => {
    const watched = new Watched();
    for (let failed = 0; failed < 36; failed++) watched.seconds(1, FAILED).seconds(9);
    assert.deepEqual(watched.open(), ["technical_failures provider_1:card:USD"]);
    const { severity, evidence } = watched.newest() ?? assert.fail("no alert");
    assert.deepEqual([severity, evidence.approved, evidence.usual], ["critical", null, null]);
    assert.ok(evidence.failed === evidence.outcomes && evidence.outcomes >= 10);
    watched.seconds(60, { count: 5 });
    assert.deepEqual(watched.open(), []);
  });

  it("a few failures among many payments open none", () => {
    const watched = new Watched();
    for (let minute = 0; minute < 10; minute++) watched.seconds(1, { ...FAILED, count: 3 }).seconds(59, {});
    assert.deepEqual(watched.open(), []);
  });
});
