import { tableOf } from "../../domain/vocabulary/table-of.js";
import { MODES, type Mode } from "../../domain/vocabulary/vocabulary.js";
import { FIRST_BYTES, RequestRing } from "./request-ring.js";

/** A workspace's ring. All rings form a list in the order of their last use. */
interface Held {
  readonly workspaceId: string;
  readonly mode: Mode;
  readonly ring: RequestRing;
  usedBefore: Held | null;
  usedAfter: Held | null;
}

/**
 * The rings of all workspaces and modes. Together they take at most `bytesMax`, and the least recently used ring is
 * evicted first. A call examines only the rings that it evicts, so the number of workspaces does not matter.
 */
export class RequestRings {
  private readonly rings = tableOf(MODES, () => new Map<string, Held>());
  private usedFirst: Held | null = null;
  private usedLast: Held | null = null;
  private bytes = 0;
  /** The memory of an evicted small ring. Most new rings begin with the same size. */
  private spare: RequestRing | null = null;

  constructor(
    private readonly rowsMax: number,
    private readonly bytesMax: number,
  ) {}

  get sizeBytes(): number {
    return this.bytes;
  }

  find(workspaceId: string, mode: Mode): RequestRing | undefined {
    return this.rings[mode].get(workspaceId)?.ring;
  }

  /** The ring of a workspace and mode, with room for one more row. It counts as used now. */
  withRoom(workspaceId: string, mode: Mode): RequestRing {
    const held = this.rings[mode].get(workspaceId) ?? this.hold(workspaceId, mode);
    if (held !== this.usedLast) {
      this.unlink(held);
      this.linkLast(held);
    }
    const more = held.ring.growthBytes;
    if (more > 0) {
      this.makeRoom(more, held);
      this.bytes += more;
    }
    return held.ring;
  }

  private hold(workspaceId: string, mode: Mode): Held {
    this.makeRoom(FIRST_BYTES, null);
    const ring = this.spare ?? new RequestRing(this.rowsMax);
    this.spare = null;
    this.bytes += ring.sizeBytes;
    const held: Held = { workspaceId, mode, ring, usedBefore: null, usedAfter: null };
    this.rings[mode].set(workspaceId, held);
    this.linkLast(held);
    return held;
  }

  private makeRoom(more: number, growing: Held | null): void {
    while (this.bytes + more > this.bytesMax) {
      const leaving = this.usedFirst;
      if (leaving === null || leaving === growing) return;
      this.unlink(leaving);
      this.rings[leaving.mode].delete(leaving.workspaceId);
      this.bytes -= leaving.ring.sizeBytes;
      if (leaving.ring.sizeBytes === FIRST_BYTES) this.spare = leaving.ring.emptied();
    }
  }

  private linkLast(held: Held): void {
    held.usedBefore = this.usedLast;
    held.usedAfter = null;
    if (this.usedLast === null) this.usedFirst = held;
    else this.usedLast.usedAfter = held;
    this.usedLast = held;
  }

  private unlink({ usedBefore, usedAfter }: Held): void {
    if (usedBefore === null) this.usedFirst = usedAfter;
    else usedBefore.usedAfter = usedAfter;
    if (usedAfter === null) this.usedLast = usedBefore;
    else usedAfter.usedBefore = usedBefore;
  }
}
