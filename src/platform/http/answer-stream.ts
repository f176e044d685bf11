import type { HttpResponse } from "uWebSockets.js";

/** The status, length and headers of an answer whose body is sent in parts. */
export interface SizedHead {
  status: 200 | 206;
  bytes: number;
  headers: readonly (readonly [name: string, value: string])[];
}

/** An answer that is sent in parts. */
export class AnswerStream {
  /** Resolves when the peer can receive more or is gone. Null while the peer accepts everything that is written. */
  private ready: Promise<void> | null = null;
  private resume: () => void = () => undefined;
  /** True when the answer is complete or the peer is gone. The response must not be used then. */
  private isOver = false;

  constructor(
    private readonly res: HttpResponse,
    /** Null if the length is unknown. */
    readonly sized: SizedHead | null,
    /** Called when the last byte of a known length is written. */
    private readonly onWhole: (status: SizedHead["status"]) => void,
  ) {}

  /** Call this when the peer can receive more. */
  wake(): void {
    this.ready = null;
    this.resume();
  }

  /** Call this when the peer is gone. */
  drop(): void {
    this.isOver = true;
    this.wake();
  }

  /** Writes a part. Resolves when the peer can receive more or is gone. */
  async write(part: string | Uint8Array): Promise<void> {
    if (this.sized !== null) {
      return this.writeSized(typeof part === "string" ? Buffer.from(part) : part, this.sized);
    }
    let accepted = true;
    this.res.cork(() => {
      accepted = this.res.write(part);
    });
    if (!accepted) await this.wait();
  }

  /** With a known length, uWebSockets.js keeps nothing that the peer does not accept. So the rest is offered again. */
  private async writeSized(part: Uint8Array, { status, bytes }: SizedHead): Promise<void> {
    const { res } = this;
    let rest: Uint8Array | null = part;
    while (rest !== null && !this.isOver) {
      const offered: Uint8Array = rest;
      res.cork(() => {
        const before = res.getWriteOffset();
        const [accepted, isWhole] = res.tryEnd(offered, bytes);
        if (isWhole) this.isOver = true;
        rest = accepted || isWhole ? null : offered.subarray(res.getWriteOffset() - before);
      });
      if (rest !== null) await this.wait();
      else if (this.isOver) this.onWhole(status);
    }
  }

  private wait(): Promise<void> {
    return (this.ready ??= new Promise((resolve) => (this.resume = resolve)));
  }
}
