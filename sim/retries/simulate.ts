import type { Random } from "../../bench/client/random.js";
import { judgeRetry, type RetryJudgement } from "../../src/domain/retries/judge-retry.js";
import { RETRY_RULES } from "../../src/domain/retries/retry-rules.js";
import type { RetryScheme } from "../../src/domain/vocabulary/vocabulary.js";
import { ATTEMPT_ID_BYTES, attemptTimesMs } from "../../src/path/attempts/attempt-list.js";
import { orderAttemptKey } from "../../src/path/attempts/attempt-store.js";
import type { Journal } from "../../src/path/journal/journal.js";
import { isOpen, type Card } from "./cards.js";
import { excessAttempts, oracleRetryMs, referenceVerdict } from "./reference.js";

/** How a merchant asks for retries. */
export interface Merchant {
  readonly name: string;
  /** The merchant first asks at a random moment, at most this many minutes after the decline. */
  readonly firstMinutesMax: number;
  /** The time from a decline to the next question. */
  readonly paceMs: Readonly<Record<RetryScheme, number>>;
  /** How long the merchant waits before it asks again when a limit is used up. */
  readonly exhaustedMs: number;
  /** False for a merchant that ignores the moment that the product names. */
  readonly awaitsNotBefore: boolean;
}

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;

/** Spreads its attempts over the month. */
export const PATIENT: Merchant = {
  name: "patient",
  firstMinutesMax: 240,
  paceMs: { visa: 36 * HOUR_MS, mastercard: 21 * HOUR_MS },
  exhaustedMs: 6 * HOUR_MS,
  awaitsNotBefore: true,
};
/** Asks every hour, so that only the product keeps the limits. */
export const HASTY: Merchant = {
  name: "hasty",
  firstMinutesMax: 60,
  paceMs: { visa: HOUR_MS, mastercard: HOUR_MS },
  exhaustedMs: HOUR_MS,
  awaitsNotBefore: false,
};

export interface RetryFigures {
  readonly merchant: string;
  readonly scheme: RetryScheme;
  readonly cards: number;
  readonly asked: number;
  readonly retries: number;
  /** Retries that the scheme did not allow. */
  readonly excess: number;
  /** The number of answers that differ from the reference, in the verdict or in the named moment. */
  readonly wrong: number;
  readonly recoveredMinor: number;
  /** The amount that an oracle recovers under the same rules. */
  readonly recoverableMinor: number;
}

type Mutable<T> = { -readonly [K in keyof T]: T[K] };

export interface RetryOptions {
  readonly cards: readonly Card[];
  readonly merchant: Merchant;
  readonly fromMs: number;
  readonly days: number;
  /** Counts the attempts, as on a node. */
  readonly journal: Journal;
  readonly random: Random;
}

/**
 * Lets a merchant retry all cards minute by minute, if the product allows it. Returns one row of figures per scheme.
 */
export function simulateRetries(options: RetryOptions): RetryFigures[] {
  return new RetrySimulation(options).run();
}

class RetrySimulation {
  private readonly byMinute: Card[][];
  private readonly attempts: number[][];
  private readonly keys: Buffer[];
  private readonly figures: Readonly<Record<RetryScheme, Mutable<RetryFigures>>>;
  private ids = 0;

  constructor(private readonly options: RetryOptions) {
    const { cards, merchant, days } = options;
    this.byMinute = Array.from({ length: (days * DAY_MS) / MINUTE_MS }, () => []);
    this.attempts = cards.map((card) => [...card.attempts]);
    this.keys = cards.map(({ index }) => orderAttemptKey("ws_1", "live", merchant.name, `order_${index}`));
    const none = {
      cards: 0,
      asked: 0,
      retries: 0,
      excess: 0,
      wrong: 0,
      recoveredMinor: 0,
      recoverableMinor: 0,
    };
    this.figures = {
      visa: { merchant: merchant.name, scheme: "visa", ...none },
      mastercard: { merchant: merchant.name, scheme: "mastercard", ...none },
    };
  }

  run(): RetryFigures[] {
    const { cards, fromMs, journal } = this.options;
    this.begin();
    for (const [minute, asking] of this.byMinute.entries()) {
      const nowMs = fromMs + minute * MINUTE_MS;
      const isNewDay = (minute * MINUTE_MS) % DAY_MS === 0;
      if (asking.length === 0 && !isNewDay) continue;
      journal.transaction(() => {
        // A node forgets, little by little, the attempts that are too old for every limit. Here one sweep a day forgets
        // them all, and no verdict may change.
        if (isNewDay) journal.attempts.sweep(nowMs, cards.length);
        for (const card of asking) this.ask(card, nowMs);
      });
      asking.length = 0;
    }
    for (const card of cards) {
      const made = this.attempts[card.index] as number[];
      this.figures[card.scheme].excess += excessAttempts(card, made, card.attempts.length).length;
    }
    return [this.figures.visa, this.figures.mastercard];
  }

  private begin(): void {
    const { cards, fromMs, journal, days, merchant, random } = this.options;
    journal.transaction(() => {
      for (const card of cards) for (const atMs of card.attempts) this.store(card, atMs);
    });
    for (const card of cards) {
      const declinedMs = card.attempts.at(-1) as number;
      this.askAt(card, declinedMs + random.integer(1, merchant.firstMinutesMax) * MINUTE_MS);
      const row = this.figures[card.scheme];
      row.cards++;
      if (oracleRetryMs(card, fromMs + days * DAY_MS) !== null) row.recoverableMinor += card.amountMinor;
    }
  }

  private ask(card: Card, nowMs: number): void {
    const { merchant } = this.options;
    const row = this.figures[card.scheme];
    const made = this.attempts[card.index] as number[];
    const judged = this.judge(card, nowMs);
    row.asked++;
    if (!isRight(card, made, nowMs, judged)) row.wrong++;
    switch (judged?.verdict) {
      case "allowed":
        made.push(nowMs);
        this.store(card, nowMs);
        row.retries++;
        if (isOpen(card, nowMs)) row.recoveredMinor += card.amountMinor;
        else this.askAt(card, nowMs + merchant.paceMs[card.scheme]);
        return;
      case "exhausted":
        this.askAt(card, nowMs + merchant.exhaustedMs);
        return;
      case "too_early":
        this.askAt(
          card,
          merchant.awaitsNotBefore ? judged.notBeforeMs : nowMs + merchant.paceMs[card.scheme],
        );
        return;
      case "forbidden":
      case undefined:
        return;
      default:
        judged satisfies never;
    }
  }

  private judge({ scheme, code, index }: Card, nowMs: number): RetryJudgement | null {
    const attempts = attemptTimesMs(this.options.journal.attempts.find(this.keys[index] as Buffer));
    return judgeRetry(RETRY_RULES, { scheme, code, attempts, nowMs, tightening: [] });
  }

  private store({ index }: Card, atMs: number): void {
    const id = Buffer.alloc(ATTEMPT_ID_BYTES);
    id.writeUIntBE(atMs, 0, 6);
    id.writeUInt32BE(++this.ids, 12);
    this.options.journal.attempts.add(this.keys[index] as Buffer, id);
  }

  private askAt(card: Card, atMs: number): void {
    this.byMinute[Math.ceil((atMs - this.options.fromMs) / MINUTE_MS)]?.push(card);
  }
}

/** True if the verdict equals the reference's, and if a wait ends exactly at the named millisecond. */
function isRight(card: Card, made: readonly number[], nowMs: number, judged: RetryJudgement | null): boolean {
  if (judged?.verdict !== referenceVerdict(card, made, nowMs)) return false;
  if (judged.verdict !== "too_early") return true;
  const isEarlyAt = (atMs: number): boolean => referenceVerdict(card, made, atMs) === "too_early";
  return isEarlyAt(judged.notBeforeMs - 1) && !isEarlyAt(judged.notBeforeMs);
}
