import { tableOf } from "../../domain/vocabulary/table-of.js";
import { MODES, type Mode } from "../../domain/vocabulary/vocabulary.js";
import { RequestRing } from "./request-ring.js";

/** The rings of all workspaces and modes. Together they take `bytesMax`, and the least recently used leave first. */
export class RequestRings {
  private readonly rings = tableOf(MODES, () => new Map<string, RequestRing>());
  private bytes = 0;

  constructor(
    private readonly rowsMax: number,
    private readonly bytesMax: number,
  ) {}

  get sizeBytes(): number {
    return this.bytes;
  }

  find(workspaceId: string, mode: Mode): RequestRing | undefined {
    return this.rings[mode].get(workspaceId);
  }

  /** The ring of a workspace and mode, with room for one more row. */
  withRoom(workspaceId: string, mode: Mode): RequestRing {
    const of = this.rings[mode];
    let ring = of.get(workspaceId);
    if (ring === undefined) {
      ring = new RequestRing(this.rowsMax);
      of.set(workspaceId, ring);
    }
    const more = ring.growthBytes;
    if (more > 0) {
      this.makeRoom(more, ring);
      this.bytes += more;
    }
    return ring;
  }

  /** It looks at every ring, which is rare: a ring grows four times in its life. */
  private makeRoom(more: number, growing: RequestRing): void {
    while (this.bytes + more > this.bytesMax) {
      let oldest: { of: Map<string, RequestRing>; workspaceId: string; ring: RequestRing } | null = null;
      for (const of of Object.values(this.rings)) {
        for (const [workspaceId, ring] of of) {
          if (ring !== growing && (oldest === null || ring.usedAt < oldest.ring.usedAt))
            oldest = { of, workspaceId, ring };
        }
      }
      if (oldest === null) return;
      oldest.of.delete(oldest.workspaceId);
      this.bytes -= oldest.ring.sizeBytes;
    }
  }
}
