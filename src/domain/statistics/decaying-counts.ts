/**
 * Counts that fade with time: an event of one half-life ago counts half. The order of events does not matter. Nodes
 * that learn of the same events in different orders therefore have the same counts, except for the last digits of a
 * double.
 *
 * Source: G. Cormode, V. Shkapenyuk, D. Srivastava, B. Xu, "Forward Decay: A Practical Time Decay Model for Streaming
 * Systems", ICDE 2009.
 */
export class DecayingCounts {
  private readonly values: Float64Array;
  /** The Unix milliseconds to which `values` have faded. */
  private atMs = -Infinity;

  constructor(
    columns: number,
    private readonly halfLifeMs: number,
  ) {
    this.values = new Float64Array(columns);
  }

  /** Returns the weight of an event at `atMs` relative to the faded counts. Multiply by it what you pass to `add`. */
  weightAt(atMs: number): number {
    if (atMs > this.atMs) this.advance(atMs);
    return atMs === this.atMs ? 1 : this.weight(this.atMs - atMs);
  }

  /** Adds events to a column. Pass their number times `weightAt` of their time. */
  add(column: number, weighted: number): void {
    (this.values[column] as number) += weighted;
  }

  /** Fades the counts to `nowMs`. An earlier time changes nothing. */
  advance(nowMs: number): void {
    if (nowMs <= this.atMs) return;
    const weight = this.weight(nowMs - this.atMs);
    for (let column = 0; column < this.values.length; column++) {
      (this.values[column] as number) *= weight;
    }
    this.atMs = nowMs;
  }

  /** The weighted number of events. It has faded to the newest time that was passed to `advance` or `weightAt`. */
  of(column: number): number {
    return this.values[column] as number;
  }

  clear(): void {
    this.values.fill(0);
  }

  /** The state as plain numbers: the time, then the columns. The time is 0 if it was never set. */
  toJSON(): number[] {
    return [Number.isFinite(this.atMs) ? this.atMs : 0, ...this.values];
  }

  /** Restores the state that `toJSON` wrote. */
  restore([atMs = 0, ...values]: readonly number[]): void {
    this.atMs = atMs;
    this.values.set(values.slice(0, this.values.length));
  }

  private weight(ageMs: number): number {
    return ageMs === Infinity ? 0 : 2 ** (-ageMs / this.halfLifeMs);
  }
}
