import { settle } from "../harness/bench-rounds.js";
import type { GrownService } from "./grown-service.js";

/** The two sides that are compared by turns: a database with few tenants and one with many, each with its service. */
export interface Sides<T> {
  small: T;
  large: T;
}

export type Side = keyof Sides<unknown>;
export const SIDES: readonly Side[] = ["small", "large"];

/**
 * Runs small and large, then large and small, and so on. The alternation distributes the after-effects of a turn over
 * both sides.
 */
export async function byTurns(
  services: Sides<GrownService>,
  rounds: number,
  measure: (service: GrownService, side: Side) => Promise<void>,
): Promise<void> {
  for (let round = 0; round < rounds; round++) {
    for (const side of round % 2 === 0 ? SIDES : SIDES.toReversed()) {
      await settle();
      await measure(services[side], side);
    }
  }
}
