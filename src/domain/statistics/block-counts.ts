/**
 * Exact counts of recent events, in blocks of equal length: the current block and the blocks before it. Blocks begin at
 * multiples of their length, so objects with the same block length have the same blocks.
 */
export class BlockCounts {
  private readonly values: Uint32Array;
  private newest = -Infinity;

  constructor(
    private readonly columns: number,
    private readonly blocks: number,
    readonly blockMs: number,
  ) {
    this.values = new Uint32Array(columns * blocks);
  }

  /** Adds events to some columns. Events before the oldest block are dropped. */
  add(atMs: number, columns: readonly number[], count: number): void {
    const block = Math.floor(atMs / this.blockMs);
    if (block > this.newest) this.moveTo(block);
    else if (block <= this.newest - this.blocks) return;
    const place = this.positionOf(block);
    for (let i = 0; i < columns.length; i++) (this.values[place + (columns[i] as number)] as number) += count;
  }

  /** Returns when the last `blocks` blocks began, in Unix milliseconds. */
  beginMs(blocks: number, nowMs: number): number {
    return (Math.floor(nowMs / this.blockMs) - blocks + 1) * this.blockMs;
  }

  /** Returns the events of a column in the last `blocks` blocks up to `nowMs`. */
  last(blocks: number, nowMs: number, column: number): number {
    const current = Math.floor(nowMs / this.blockMs);
    const oldest = Math.max(current - blocks, this.newest - this.blocks) + 1;
    let sum = 0;
    let left = Math.min(current, this.newest) - oldest + 1;
    if (left <= 0) return sum;
    for (let at = this.positionOf(oldest) + column; left > 0; left--) {
      sum += this.values[at] as number;
      at += this.columns;
      if (at >= this.values.length) at -= this.values.length;
    }
    return sum;
  }

  /** Returns the events of a column in the last block, in the last two, and so on, up to `nowMs`. */
  growing(nowMs: number, column: number): number[] {
    const current = Math.floor(nowMs / this.blockMs);
    const sums: number[] = [];
    let sum = 0;
    for (let block = current; block > current - this.blocks; block--) {
      if (block <= this.newest && block > this.newest - this.blocks)
        sum += this.values[this.positionOf(block) + column] as number;
      sums.push(sum);
    }
    return sums;
  }

  /** The state as plain numbers: the number of the newest block, then the columns of each block, the oldest first. */
  toJSON(): number[] {
    if (this.newest === -Infinity) return [];
    const numbers = [this.newest];
    for (let block = this.newest - this.blocks + 1; block <= this.newest; block++) {
      const from = this.positionOf(block);
      numbers.push(...this.values.subarray(from, from + this.columns));
    }
    return numbers;
  }

  /** Restores the state that `toJSON` wrote. */
  restore([newest, ...counts]: readonly number[]): void {
    if (newest === undefined) return;
    this.newest = newest;
    for (let at = 0; at < this.blocks; at++) {
      const from = at * this.columns;
      const to = this.positionOf(newest - this.blocks + 1 + at);
      this.values.set(counts.slice(from, from + this.columns), to);
    }
  }

  private moveTo(block: number): void {
    const first = Math.max(this.newest + 1, block - this.blocks + 1);
    for (let entering = first; entering <= block; entering++) {
      const from = this.positionOf(entering);
      this.values.fill(0, from, from + this.columns);
    }
    this.newest = block;
  }

  private positionOf(block: number): number {
    return (((block % this.blocks) + this.blocks) % this.blocks) * this.columns;
  }
}
