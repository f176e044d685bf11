import { BlockCounts } from "../../statistics/block-counts.js";
import { wilsonBounds } from "../../statistics/proportion.js";
import { HEALTH_LIMITS } from "../limits.js";

/** What customers felt in a window, in payments. */
export interface FeltCounts {
  /** The outcomes that say something of the provider. */
  outcomes: number;
  /** Those of them that failed technically. */
  failed: number;
  /** The approvals, and the declines held against the provider. */
  judged: number;
  declined: number;
}

/** One of the windows: a length and a number of blocks of it. */
export interface FeltSpan {
  readonly ring: "short" | "long";
  readonly blocks: number;
}

/**
 * From the shortest to the longest: half a minute to five minutes, then an hour. Busy segments show a fall in the first,
 * quiet ones in the last.
 */
const FELT_SPANS: readonly FeltSpan[] = [
  { ring: "short", blocks: 1 },
  { ring: "short", blocks: 2 },
  { ring: "short", blocks: 4 },
  { ring: "short", blocks: 10 },
  { ring: "long", blocks: 3 },
  { ring: "long", blocks: 10 },
];

const COLUMN = { outcomes: 0, failed: 1, judged: 2, declined: 3 } as const;
const COLUMNS = Object.keys(COLUMN).length;
const COUNTED_IN = {
  failed: [COLUMN.outcomes, COLUMN.failed],
  approved: [COLUMN.outcomes, COLUMN.judged],
  declined: [COLUMN.outcomes, COLUMN.judged, COLUMN.declined],
  excused: [COLUMN.outcomes],
} as const;

/** The exact counts of the last hour, for the alerts of ALRT-15. Scores read counts that fade instead. */
export class FeltWindow {
  private readonly rings = {
    short: new BlockCounts(COLUMNS, HEALTH_LIMITS.feltBlocks, HEALTH_LIMITS.feltShortBlockMs),
    long: new BlockCounts(COLUMNS, HEALTH_LIMITS.feltBlocks, HEALTH_LIMITS.feltLongBlockMs),
  };

  add(atMs: number, kind: keyof typeof COUNTED_IN, count: number): void {
    this.rings.short.add(atMs, COUNTED_IN[kind], count);
    this.rings.long.add(atMs, COUNTED_IN[kind], count);
  }

  count(name: keyof FeltCounts, { ring, blocks }: FeltSpan, nowMs: number): number {
    return this.rings[ring].last(blocks, nowMs, COLUMN[name]);
  }

  hasAny(name: keyof FeltCounts, nowMs: number): boolean {
    return this.rings.long.last(HEALTH_LIMITS.feltBlocks, nowMs, COLUMN[name]) > 0;
  }

  /** When a span began, in Unix milliseconds. */
  beginMs({ ring, blocks }: FeltSpan, nowMs: number): number {
    return this.rings[ring].beginMs(blocks, nowMs);
  }

  toJSON(): number[][] {
    return [this.rings.short.toJSON(), this.rings.long.toJSON()];
  }

  restore([short = [], long = []]: readonly (readonly number[])[]): void {
    this.rings.short.restore(short);
    this.rings.long.restore(long);
  }
}

/** How an alert's share is judged. */
export interface ShareRule {
  /** The payments that a window must have. */
  samplesMin: number;
  /** How far over its usual share the lower bound must be, 0..1. */
  margin: number;
}

/** A share that is higher than usual. */
export interface HighShare {
  span: FeltSpan;
  /** When the window began, in Unix milliseconds. */
  fromMs: number;
  of: number;
  bad: number;
  /** The bad share is at least this much, 95 times in 100. */
  lower: number;
  usual: number;
}

/** What a look at the windows has found. */
export interface ShareFinding {
  high: HighShare | null;
  /** When the window began that is certainly well, in Unix milliseconds. Null if none is. */
  wellSinceMs: number | null;
}

const CANNOT_TELL: ShareFinding = { high: null, wellSinceMs: null };

/**
 * Finds a window whose bad share is certainly over its usual one by more than the margin. The shortest window with enough
 * payments decides. A longer one is asked only where a shorter one cannot tell, because what is over must not count.
 * `look` gives the counts of a span, or null where they say nothing. Windows that began before `wellSinceMs` are left
 * out: they hold a fall that has been seen to be over.
 */
export function findHighShare(
  look: (span: FeltSpan) => Omit<HighShare, "span" | "lower"> | null,
  { samplesMin, margin }: ShareRule,
  wellSinceMs = -Infinity,
): ShareFinding {
  for (const span of FELT_SPANS) {
    const seen = look(span);
    if (seen === null || seen.of < samplesMin) continue;
    const { fromMs, of, bad, usual } = seen;
    if (fromMs < wellSinceMs) break;
    const { lower, upper } = wilsonBounds(bad, of);
    if (lower > usual + margin) return { high: { ...seen, span, lower }, wellSinceMs: null };
    if (upper < usual + margin) return { high: null, wellSinceMs: fromMs };
  }
  return CANNOT_TELL;
}
