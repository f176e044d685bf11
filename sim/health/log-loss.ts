import type { Provider } from "./world.js";

/** The mean of −ln p over all judged payments. p is the estimated chance of what then happened. */
export interface LogLoss {
  readonly estimate: number;
  /** The estimate is one constant rate for each provider. */
  readonly global: number;
  /** The estimate is one constant rate for all providers. */
  readonly flat: number;
  /** The estimate is the true chance. No other estimate can do better. */
  readonly truth: number;
}

/** No estimate is certain: without a limit a single surprise would decide the mean. */
const P_MIN = 0.0001;

interface Tally {
  judged: number;
  approved: number;
}

/**
 * Compares what routing expected of each payment with constants. No constant does better than the rate of the whole
 * run, which nobody knows before the run ends.
 */
export class LogLossMeter {
  private loss = 0;
  private lossOfTruth = 0;
  private readonly tallies = new Map<Provider, Tally>();

  /** `expected` and `truth` are chances of an approval, 0..1. */
  add(provider: Provider, expected: number, truth: number, isApproved: boolean): void {
    this.loss += lossOf(expected, isApproved);
    this.lossOfTruth += lossOf(truth, isApproved);
    let tally = this.tallies.get(provider);
    if (tally === undefined) this.tallies.set(provider, (tally = { judged: 0, approved: 0 }));
    tally.judged++;
    if (isApproved) tally.approved++;
  }

  result(): LogLoss {
    const all = { judged: 0, approved: 0 };
    let global = 0;
    for (const tally of this.tallies.values()) {
      all.judged += tally.judged;
      all.approved += tally.approved;
      global += lossOfBestConstant(tally);
    }
    return {
      estimate: this.loss / all.judged,
      global: global / all.judged,
      flat: lossOfBestConstant(all) / all.judged,
      truth: this.lossOfTruth / all.judged,
    };
  }
}

function lossOf(expected: number, isApproved: boolean): number {
  const p = Math.min(1 - P_MIN, Math.max(P_MIN, expected));
  return -Math.log(isApproved ? p : 1 - p);
}

function lossOfBestConstant({ judged, approved }: Tally): number {
  const part = (events: number): number => (events === 0 ? 0 : -events * Math.log(events / judged));
  return part(approved) + part(judged - approved);
}
