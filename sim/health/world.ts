import type { Random } from "../../bench/client/random.js";
import type { CardNetwork, PaymentMethod } from "../../src/domain/vocabulary/vocabulary.js";
import type { Odds } from "./results.js";

/** Where payments are made. A wallet has no card network. */
export interface Place {
  readonly index: number;
  readonly method: PaymentMethod;
  readonly currency: string;
  readonly country: string;
  readonly network: CardNetwork | null;
  /** The share of all payments, over a whole day. */
  readonly share: number;
  readonly utcOffsetHours: number;
}

export const PROVIDERS = ["provider_1", "provider_2", "provider_3"] as const;
export type Provider = (typeof PROVIDERS)[number];

export const METHODS = ["card", "wallet"] as const satisfies readonly PaymentMethod[];

const COUNTRIES = [
  { country: "US", currency: "USD", utcOffsetHours: -6, networks: ["visa", "mastercard", "amex"] },
  { country: "DE", currency: "EUR", utcOffsetHours: 1, networks: ["visa", "mastercard"] },
  { country: "FR", currency: "EUR", utcOffsetHours: 1, networks: ["visa", "mastercard"] },
  { country: "GB", currency: "GBP", utcOffsetHours: 0, networks: ["visa", "mastercard", "amex"] },
  { country: "BR", currency: "BRL", utcOffsetHours: -3, networks: ["visa", "mastercard"] },
] as const satisfies readonly {
  country: string;
  currency: string;
  utcOffsetHours: number;
  networks: readonly CardNetwork[];
}[];

export const CURRENCIES: readonly string[] = [...new Set(COUNTRIES.map(({ currency }) => currency))];

/** How far a country's traffic swings around its mean during a day, as a share of the mean. */
const DAY_SWING = 0.7;
const BUSIEST_HOUR = 16;
const HOUR_MS = 3_600_000;

/** The known truth: who pays where and when, and how providers do when nothing is planted. */
export interface World {
  readonly places: readonly Place[];
  /** Provider → place, by index. */
  readonly odds: ReadonlyMap<Provider, readonly Odds[]>;
}

/** The same random numbers give the same world. */
export function createWorld(random: Random): World {
  const places = createPlaces(random);
  const spread = (width: number): number => (random.next() - 0.5) * 2 * width;
  const ease = places.map(() => 0.9 + spread(0.06));
  const odds = PROVIDERS.map((provider): [Provider, Odds[]] => {
    const skill = spread(0.02);
    const ofProvider = places.map((place): Odds => {
      const approval = Math.min(0.985, (ease[place.index] as number) + skill + spread(0.03));
      return {
        timeout: 0.001 + 0.002 * random.next(),
        error5xx: 0.001 + 0.002 * random.next(),
        throttled: 0.001 * random.next(),
        customer: 0.04 + 0.05 * random.next(),
        issuer: 0.01 + 0.02 * random.next(),
        approval,
      };
    });
    return [provider, ofProvider];
  });
  return { places, odds: new Map(odds) };
}

/** Zipf's law: the n-th place has a share in proportion to 1/n. */
function createPlaces(random: Random): Place[] {
  const all = COUNTRIES.flatMap(({ networks, ...where }): Omit<Place, "index" | "share">[] => [
    ...networks.map((network) => ({ ...where, method: "card" as const, network })),
    { ...where, method: "wallet", network: null },
  ]);
  for (let last = all.length - 1; last > 0; last--) {
    const other = random.integer(0, last);
    [all[last], all[other]] = [all[other] as (typeof all)[number], all[last] as (typeof all)[number]];
  }
  const total = all.reduce((sum, _, index) => sum + 1 / (index + 1), 0);
  return all.map((place, index) => ({ ...place, index, share: 1 / (index + 1) / total }));
}

/** The payments of a place at one moment, as a share of the world's mean rate. */
export function shareAt({ share, utcOffsetHours }: Place, atMs: number): number {
  const hour = (atMs / HOUR_MS + utcOffsetHours) % 24;
  return share * (1 + DAY_SWING * Math.cos(((hour - BUSIEST_HOUR) / 24) * 2 * Math.PI));
}

/** The payments a second of the whole world, at a mean rate. */
export function paymentsPerSecond({ places }: World, meanPerSecond: number, atMs: number): number {
  return meanPerSecond * places.reduce((sum, place) => sum + shareAt(place, atMs), 0);
}
