/**
 * What is left of answers whose peers read slowly, each with a copy of its own: of a list of 4 MB that 400 peers did not
 * read, 641 MB for as long as they stayed. Of all together so many bytes are kept; past it whoever has waited longest is
 * cut.
 */
export class KeptAnswers {
  private bytes = 0;
  /** In the order they came. */
  private readonly waiting = new Set<{ bytes: number; cut(): void }>();

  constructor(private readonly bytesMax: number) {}

  /** `cut` gives one up, and is called in a later turn of the event loop. Returns what is to be called once it is read. */
  keep(bytes: number, cut: () => void): () => void {
    const kept = { bytes, cut };
    this.waiting.add(kept);
    this.bytes += bytes;
    for (const oldest of this.waiting) {
      if (this.bytes <= this.bytesMax || oldest === kept) break;
      this.forget(oldest);
      // Now it is another connection's callback that runs.
      setImmediate(oldest.cut);
    }
    return () => this.forget(kept);
  }

  private forget(kept: { bytes: number; cut(): void }): void {
    if (this.waiting.delete(kept)) this.bytes -= kept.bytes;
  }
}
