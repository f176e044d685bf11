import type { Random } from "../../bench/client/random.js";
import { shareAt, type Place, type World } from "./world.js";

const MINUTE_MS = 60_000;

/** Payments that arrive at random. Their rate follows the world's places and the time of day. */
export class Traffic {
  private minute = -1;
  private perSecond = 0;
  private readonly cumulative: Float64Array;

  constructor(
    private readonly world: World,
    private readonly meanPerSecond: number,
    private readonly random: Random,
  ) {
    this.cumulative = new Float64Array(world.places.length);
  }

  /** The number of payments in the `seconds` from `atMs` on. The rate changes each minute. */
  arrivals(atMs: number, seconds: number): number {
    const minute = Math.floor(atMs / MINUTE_MS);
    if (minute !== this.minute) this.turn(minute);
    return this.poisson(this.perSecond * seconds);
  }

  /** The place of the next payment. */
  nextPlace(): Place {
    const { cumulative } = this;
    const at = this.random.next() * (cumulative.at(-1) as number);
    let index = 0;
    while (index < cumulative.length - 1 && (cumulative[index] as number) <= at) index++;
    return this.world.places[index] as Place;
  }

  private turn(minute: number): void {
    this.minute = minute;
    let total = 0;
    for (const place of this.world.places) {
      total += shareAt(place, minute * MINUTE_MS);
      this.cumulative[place.index] = total;
    }
    this.perSecond = this.meanPerSecond * total;
  }

  /** Knuth's method for a small mean; the normal distribution comes close enough to a large one. */
  private poisson(mean: number): number {
    if (mean > 50) return Math.max(0, Math.round(mean + Math.sqrt(mean) * this.normal()));
    const limit = Math.exp(-mean);
    let count = 0;
    for (let product = this.random.next(); product > limit; product *= this.random.next()) count++;
    return count;
  }

  /** Draws from the standard normal distribution, by the method of Box and Muller. */
  private normal(): number {
    return Math.sqrt(-2 * Math.log(1 - this.random.next())) * Math.cos(2 * Math.PI * this.random.next());
  }
}
