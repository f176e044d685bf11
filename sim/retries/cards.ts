import type { Random } from "../../bench/client/random.js";
import type { RetryScheme } from "../../src/domain/vocabulary/vocabulary.js";

/** The issuer would approve from `fromMs` on and before `toMs`. */
export interface OpenTime {
  readonly fromMs: number;
  readonly toMs: number;
}

/** One card whose first attempt was declined, and the truth about it. */
export interface Card {
  readonly index: number;
  readonly scheme: RetryScheme;
  /** The code of each declined attempt. */
  readonly code: string;
  readonly amountMinor: number;
  /** Unix milliseconds of all attempts with this card so far, oldest first. The last one is the declined attempt. */
  readonly attempts: readonly number[];
  readonly open: readonly OpenTime[];
}

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;
const MONTH_MS = 30 * DAY_MS;

type Cause = "funds" | "outage" | "details" | "final" | "refusal";
const CAUSES: readonly Cause[] = ["funds", "outage", "details", "final", "refusal"];
/** How often each cause declines a first attempt. */
const CAUSE_WEIGHTS = [55, 15, 12, 10, 8];

/** Codes that the product's table holds, and some that fall under its row for every other code. */
const CODES: Readonly<Record<RetryScheme, Readonly<Record<Cause, readonly string[]>>>> = {
  visa: {
    funds: ["51", "61", "65"],
    outage: ["91", "96"],
    details: ["54", "N7"],
    final: ["04", "41", "43"],
    refusal: ["05"],
  },
  mastercard: {
    funds: ["02", "24", "25", "26", "27", "30"],
    outage: ["91", "timeout"],
    details: ["01", "04"],
    final: ["03", "21"],
    refusal: ["05"],
  },
};
const ADVISED_WAIT_MS: Readonly<Record<string, number>> = {
  "24": HOUR_MS,
  "25": DAY_MS,
  "26": 2 * DAY_MS,
  "27": 4 * DAY_MS,
  "30": 10 * DAY_MS,
};

/** Cards whose payments fall due on the first day, with up to a month of earlier attempts. */
export function createCards(random: Random, count: number, firstDayMs: number): Card[] {
  return Array.from({ length: count }, (_, index) => createCard(random, index, firstDayMs));
}

function createCard(random: Random, index: number, firstDayMs: number): Card {
  const scheme: RetryScheme = random.chance(0.6) ? "visa" : "mastercard";
  const cause = random.weighted(CAUSES, CAUSE_WEIGHTS);
  const code = random.pick(CODES[scheme][cause]);
  const declinedMs = firstDayMs + toMinute(random.next() * DAY_MS);
  const earlier = random.chance(0.5) ? 0 : random.integer(1, scheme === "visa" ? 15 : 20);
  const attempts = Array.from({ length: earlier }, () => declinedMs - toMinute(random.next() * MONTH_MS));
  return {
    index,
    scheme,
    code,
    amountMinor: Math.round(500 * Math.exp(2 * random.next() + random.next())),
    attempts: [...withoutCrowds(attempts, declinedMs), declinedMs].toSorted((a, b) => a - b),
    open: openTimes(random, cause, code, declinedMs),
  };
}

/** Keeps at most five attempts in the last day, so that the declined attempt was within the schemes' limits too. */
function withoutCrowds(attempts: readonly number[], declinedMs: number): number[] {
  const recent = attempts.filter((atMs) => declinedMs - atMs < DAY_MS);
  return [...attempts.filter((atMs) => declinedMs - atMs >= DAY_MS), ...recent.slice(0, 5)];
}

function openTimes(random: Random, cause: Cause, code: string, declinedMs: number): OpenTime[] {
  const after = (meanMs: number): number => toMinute(-Math.log(1 - random.next()) * meanMs);
  switch (cause) {
    case "funds": {
      const advisedMs = ADVISED_WAIT_MS[code];
      // An issuer that advises a wait is right four times out of five: the money is there when the wait ends.
      const waitMs = advisedMs === undefined ? after(5 * DAY_MS) : advisedMs * (0.3 + 0.875 * random.next());
      const fromMs = declinedMs + toMinute(waitMs);
      // The customer spends most of the money again within days.
      return [{ fromMs, toMs: fromMs + 12 * HOUR_MS + after(8 * DAY_MS) }];
    }
    case "outage":
      return [{ fromMs: declinedMs + after(4 * HOUR_MS), toMs: Infinity }];
    case "details":
      // Two fifths of the customers never enter the new card details.
      return random.chance(0.4) ? [] : [{ fromMs: declinedMs + after(4 * DAY_MS), toMs: Infinity }];
    case "final":
      return [];
    case "refusal":
      return random.chance(0.7) ? [] : [{ fromMs: declinedMs + after(10 * DAY_MS), toMs: Infinity }];
    default:
      return cause satisfies never;
  }
}

export function isOpen({ open }: Card, atMs: number): boolean {
  return open.some(({ fromMs, toMs }) => fromMs <= atMs && atMs < toMs);
}

/** Rounds to whole minutes, so that many attempts are exactly as old as a window is long. */
function toMinute(ms: number): number {
  return Math.floor(ms / MINUTE_MS) * MINUTE_MS;
}
