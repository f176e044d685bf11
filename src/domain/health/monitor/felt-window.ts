import { BlockCounts } from "../../statistics/block-counts.js";
import { wilsonBounds } from "../../statistics/proportion.js";
import { HEALTH_LIMITS } from "../limits.js";

/** The payments of a window, counted as customers experienced them. */
export interface FeltCounts {
  /** All outcomes that are evidence about the provider. */
  outcomes: number;
  /** The outcomes that failed technically. */
  failed: number;
  /** The approvals, and the declines held against the provider. */
  judged: number;
  declined: number;
}

const BLOCK_MS = {
  short: HEALTH_LIMITS.feltShortBlockMs,
  long: HEALTH_LIMITS.feltLongBlockMs,
  longest: HEALTH_LIMITS.feltLongestBlockMs,
} as const;

/** A window: a number of blocks of one length. */
export interface FeltSpan {
  readonly ring: keyof typeof BLOCK_MS;
  readonly blocks: number;
}

/**
 * Five minutes in four spans, then up to an hour. A short span shows a fall in a busy segment. A quiet segment has
 * enough payments only in a long span.
 */
const FELT_SPANS: readonly FeltSpan[] = [
  { ring: "short", blocks: 1 },
  { ring: "short", blocks: 2 },
  { ring: "short", blocks: 4 },
  { ring: "short", blocks: 10 },
  { ring: "long", blocks: 3 },
  { ring: "long", blocks: 10 },
];

export function spanMs({ ring, blocks }: FeltSpan): number {
  return blocks * BLOCK_MS[ring];
}

const COLUMN = { outcomes: 0, failed: 1, judged: 2, declined: 3 } as const;
const COLUMNS = Object.keys(COLUMN).length;
const COUNTED_IN = {
  failed: [COLUMN.outcomes, COLUMN.failed],
  approved: [COLUMN.outcomes, COLUMN.judged],
  declined: [COLUMN.outcomes, COLUMN.judged, COLUMN.declined],
  excused: [COLUMN.outcomes],
} as const;

/**
 * Exact counts of the last hours, for the alerts of ALRT-15 to ALRT-17, and for what recovers or is the issuers' doing.
 * Scores use counts that fade.
 */
export class FeltWindow {
  private readonly rings = {
    short: new BlockCounts(COLUMNS, HEALTH_LIMITS.feltBlocks, BLOCK_MS.short),
    long: new BlockCounts(COLUMNS, HEALTH_LIMITS.feltBlocks, BLOCK_MS.long),
    longest: new BlockCounts(COLUMNS, HEALTH_LIMITS.feltLongestBlocks, BLOCK_MS.longest),
  };

  add(atMs: number, kind: keyof typeof COUNTED_IN, count: number): void {
    this.rings.short.add(atMs, COUNTED_IN[kind], count);
    this.rings.long.add(atMs, COUNTED_IN[kind], count);
    this.rings.longest.add(atMs, COUNTED_IN[kind], count);
  }

  count(name: keyof FeltCounts, { ring, blocks }: FeltSpan, nowMs: number): number {
    return this.rings[ring].last(blocks, nowMs, COLUMN[name]);
  }

  /** Returns the counts of the last block of a ring, of the last two, and so on. */
  growing(name: keyof FeltCounts, ring: FeltSpan["ring"], nowMs: number): number[] {
    return this.rings[ring].growing(nowMs, COLUMN[name]);
  }

  hasAny(name: keyof FeltCounts, nowMs: number): boolean {
    return this.rings.long.last(HEALTH_LIMITS.feltBlocks, nowMs, COLUMN[name]) > 0;
  }

  /** Returns the beginning of a span in Unix milliseconds. */
  beginMs({ ring, blocks }: FeltSpan, nowMs: number): number {
    return this.rings[ring].beginMs(blocks, nowMs);
  }

  toJSON(): number[][] {
    return [this.rings.short.toJSON(), this.rings.long.toJSON(), this.rings.longest.toJSON()];
  }

  restore([short = [], long = [], longest = []]: readonly (readonly number[])[]): void {
    this.rings.short.restore(short);
    this.rings.long.restore(long);
    this.rings.longest.restore(longest);
  }
}

/** The rule that decides whether a share of bad payments is too high. */
export interface ShareRule {
  /** The fewest payments that a window must have. */
  samplesMin: number;
  /** How far the lower bound must exceed the usual share, 0..1. */
  margin: number;
}

/** A share that is higher than usual. */
export interface HighShare {
  span: FeltSpan;
  /** The beginning of the window in Unix milliseconds. */
  fromMs: number;
  of: number;
  bad: number;
  /** The lower bound of the share of bad payments, with a confidence of 95 %. */
  lower: number;
  usual: number;
}

/** The result of a search through the windows. */
export interface ShareFinding {
  high: HighShare | null;
  /** The beginning, in Unix milliseconds, of a window that certainly has no fall. Null if there is no such window. */
  wellSinceMs: number | null;
}

const CANNOT_TELL: ShareFinding = { high: null, wellSinceMs: null };

/**
 * Finds a window whose share of bad payments certainly exceeds the usual one by more than the margin. The shortest
 * window with enough payments decides, so that a past fall does not count. A longer window is searched only if the
 * shorter ones are inconclusive. `look` returns a span's counts, or null if they prove nothing. Windows that begin
 * before `wellSinceMs` are skipped, because they contain a fall that is over.
 */
export function findHighShare(
  look: (span: FeltSpan) => Omit<HighShare, "span" | "lower"> | null,
  { samplesMin, margin }: ShareRule,
  wellSinceMs = -Infinity,
): ShareFinding {
  for (const span of FELT_SPANS) {
    const counts = look(span);
    if (counts === null || counts.of < samplesMin) continue;
    const { fromMs, of, bad, usual } = counts;
    if (fromMs < wellSinceMs) break;
    const { lower, upper } = wilsonBounds(bad, of);
    if (lower > usual + margin) return { high: { ...counts, span, lower }, wellSinceMs: null };
    if (upper < usual + margin) return { high: null, wellSinceMs: fromMs };
  }
  return CANNOT_TELL;
}
