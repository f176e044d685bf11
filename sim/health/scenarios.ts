import type { OutcomeAlertKind } from "../../src/domain/vocabulary/alert-kinds.js";
import type { CardNetwork } from "../../src/domain/vocabulary/vocabulary.js";
import type { Odds } from "./results.js";
import { PROVIDERS, type Place, type Provider, type World } from "./world.js";

export const SCENARIOS = [
  "none",
  "provider outage",
  "provider x network",
  "issuer-wide fall",
  "customer errors",
  "slow drift",
] as const;
export type ScenarioName = (typeof SCENARIOS)[number];

/** One planted change of the truth. */
export interface Incident {
  readonly name: string;
  readonly fromMs: number;
  readonly toMs: number;
  /** The provider that is at fault. Null where none is, so that every demotion is false. */
  readonly provider: Provider | null;
  isHit(provider: Provider, place: Place): boolean;
  /** Returns the odds at `atMs`. `odds` are those without the incident. */
  change(odds: Odds, atMs: number): Odds;
}

export interface IncidentTime {
  readonly fromMs: number;
  readonly toMs: number;
}

/** The share of all traffic in which a provider is chosen, by provider and place. */
export type ChosenShare = (provider: Provider, place: Place) => number;

export interface Scenario {
  readonly name: ScenarioName;
  /** The traffic has to come back after the incident. */
  readonly hasRecovery: boolean;
  /** No provider is at fault, so a second router, the twin, learns of the same payments without the incident. */
  readonly isExcused: boolean;
  /** The kind of the alert that is right. Null if every alert is false. */
  readonly alertKind: OutcomeAlertKind | null;
  /** How long an incident lasts. Infinity means until the end of the week. */
  readonly lastsMs: number;
  /** Makes the incident number `turn`, from 0 on. Null for a week without incidents. */
  plant: ((time: IncidentTime, world: World, chosen: ChosenShare, turn: number) => Incident) | null;
}

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
/** A drifting provider loses this much of its approval rate, evenly over `DRIFT_MS`. */
const DRIFT = 0.1;
const DRIFT_MS = 72 * HOUR_MS;
/** In a fall a provider keeps this share of its approvals. */
const FALL = 0.5;
/** The share of payments that a wave of customer errors declines. */
const WAVE = 0.4;

export const SCENARIO: Readonly<Record<ScenarioName, Scenario>> = {
  none: {
    name: "none",
    hasRecovery: false,
    isExcused: false,
    alertKind: null,
    lastsMs: 0,
    plant: null,
  },
  "provider outage": {
    name: "provider outage",
    hasRecovery: true,
    isExcused: false,
    alertKind: "technical_failures",
    lastsMs: 45 * MINUTE_MS,
    plant(time, world, chosen) {
      const provider = busiest(PROVIDERS, (one) => sum(world.places.map((place) => chosen(one, place))));
      return {
        ...time,
        name: provider,
        provider,
        isHit: (other) => other === provider,
        change: (odds) => ({ ...odds, timeout: 0.45, error5xx: 0.45 }),
      };
    },
  },
  "provider x network": {
    name: "provider x network",
    hasRecovery: true,
    isExcused: false,
    alertKind: "approval_drop",
    lastsMs: 3 * HOUR_MS,
    plant(time, world, chosen) {
      const networks = [...new Set(world.places.map(({ network }) => network))].filter(
        (network): network is CardNetwork => network !== null,
      );
      const pairs = PROVIDERS.flatMap((provider) => networks.map((network) => ({ provider, network })));
      const { provider, network } = busiest(pairs, (pair) =>
        sum(
          world.places
            .filter((place) => place.network === pair.network)
            .map((place) => chosen(pair.provider, place)),
        ),
      );
      return {
        ...time,
        name: `${provider} x ${network}`,
        provider,
        isHit: (other, place) => other === provider && place.network === network,
        change: fallen,
      };
    },
  },
  "issuer-wide fall": {
    name: "issuer-wide fall",
    hasRecovery: false,
    isExcused: true,
    alertKind: "issuer",
    lastsMs: 3 * HOUR_MS,
    plant(time, world, _chosen, turn) {
      const { country, network } = cardPlace(world, turn);
      return {
        ...time,
        name: `${country} x ${network}`,
        provider: null,
        isHit: (_, place) => place.country === country && place.network === network,
        change: fallen,
      };
    },
  },
  "customer errors": {
    name: "customer errors",
    hasRecovery: false,
    isExcused: true,
    alertKind: null,
    lastsMs: 3 * HOUR_MS,
    plant(time, world, _chosen, turn) {
      const { country } = cardPlace(world, turn);
      return {
        ...time,
        name: country,
        provider: null,
        isHit: (_, place) => place.country === country,
        change: (odds) => ({ ...odds, customer: odds.customer + WAVE }),
      };
    },
  },
  "slow drift": {
    name: "slow drift",
    hasRecovery: false,
    isExcused: false,
    alertKind: "approval_drop",
    lastsMs: Infinity,
    plant(time, world, chosen) {
      const provider = busiest(PROVIDERS, (one) => sum(world.places.map((place) => chosen(one, place))));
      return {
        ...time,
        name: provider,
        provider,
        isHit: (other) => other === provider,
        change: (odds, atMs) => ({
          ...odds,
          approval: odds.approval - DRIFT * Math.min(1, (atMs - time.fromMs) / DRIFT_MS),
        }),
      };
    },
  },
};

function fallen(odds: Odds): Odds {
  return { ...odds, approval: odds.approval * FALL };
}

/** Returns one of the three largest places with a card network, in turn. */
function cardPlace({ places }: World, turn: number): Place {
  const cards = places.filter(({ network }) => network !== null);
  return cards[turn % 3] as Place;
}

function busiest<T>(options: readonly T[], share: (option: T) => number): T {
  return options.reduce((best, option) => (share(option) > share(best) ? option : best));
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}
