import type { RetryScheme } from "../../src/domain/vocabulary/vocabulary.js";
import type { Card } from "./cards.js";

/*
 * The schemes' rules a second time, written from the contract and not from the product's table. This version counts by
 * brute force: for each attempt it looks at all attempts. It knows only the codes of the simulated cards.
 */
const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

interface Window {
  readonly attempts: number;
  readonly lengthMs: number;
}

const WINDOWS: Readonly<Record<RetryScheme, readonly Window[]>> = {
  visa: [{ attempts: 20, lengthMs: 30 * DAY_MS }],
  mastercard: [
    { attempts: 10, lengthMs: DAY_MS },
    { attempts: 35, lengthMs: 30 * DAY_MS },
  ],
};
const NEVER: Readonly<Record<RetryScheme, readonly string[]>> = {
  visa: ["04", "41", "43"],
  mastercard: ["03", "21"],
};
const MASTERCARD_WAITS_MS: Readonly<Record<string, number>> = {
  "24": HOUR_MS,
  "25": DAY_MS,
  "26": 2 * DAY_MS,
  "27": 4 * DAY_MS,
  "30": 10 * DAY_MS,
};

export type ReferenceVerdict = "allowed" | "forbidden" | "exhausted" | "too_early";
type Asked = Pick<Card, "scheme" | "code">;

/** Returns the scheme's verdict on one more attempt at `nowMs`. All `attempts` are earlier. */
export function referenceVerdict(card: Asked, attempts: readonly number[], nowMs: number): ReferenceVerdict {
  if (NEVER[card.scheme].includes(card.code)) return "forbidden";
  for (const window of WINDOWS[card.scheme]) {
    let inWindow = 0;
    for (const atMs of attempts) if (nowMs < atMs + window.lengthMs) inWindow++;
    if (inWindow >= window.attempts) return "exhausted";
  }
  return attempts.some((atMs) => nowMs < atMs + waitMs(card)) ? "too_early" : "allowed";
}

/** Returns the attempts of a card that the scheme did not allow. The first `given` attempts are not judged. */
export function excessAttempts(card: Asked, attempts: readonly number[], given: number): number[] {
  return attempts.filter(
    (atMs, position) =>
      position >= given && referenceVerdict(card, attempts.slice(0, position), atMs) !== "allowed",
  );
}

/**
 * When an oracle would retry: at the first moment before `untilMs` at which the issuer would approve and the scheme
 * allows a retry. Null if there is no such moment.
 */
export function oracleRetryMs(card: Card, untilMs: number): number | null {
  const { attempts, open } = card;
  const allowedAgainMs = [
    ...attempts.map((atMs) => atMs + waitMs(card)),
    ...WINDOWS[card.scheme].flatMap(({ lengthMs }) => attempts.map((atMs) => atMs + lengthMs)),
  ];
  for (const { fromMs, toMs } of open) {
    // A verdict changes only when an attempt leaves a window or a wait ends.
    const moments = [fromMs, ...allowedAgainMs.filter((atMs) => atMs > fromMs)].toSorted((a, b) => a - b);
    for (const atMs of moments) {
      if (atMs >= Math.min(toMs, untilMs)) break;
      if (referenceVerdict(card, attempts, atMs) === "allowed") return atMs;
    }
  }
  return null;
}

function waitMs({ scheme, code }: Asked): number {
  return scheme === "mastercard" ? (MASTERCARD_WAITS_MS[code] ?? 0) : 0;
}
