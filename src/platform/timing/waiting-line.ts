/** Work that waits for its turn. Exactly one of the two functions is called, unless the place is removed first. */
export interface Place {
  begin(): void;
  /** Called if the line or the owner's share of it is full, or if another owner displaces this place. */
  refuse(): void;
}

export interface LineBounds {
  /** The greatest total weight of all places. A place weighs 1 by default. */
  max: number;
  /** The greatest total weight of one owner's places. By default it is half of `max`. */
  ownMax?: number;
}

interface WeighedPlace<P> {
  readonly place: P;
  readonly weight: number;
}

interface OwnerLine<P> {
  weight: number;
  readonly places: WeighedPlace<P>[];
}

/**
 * A queue for a bounded resource. It serves owners round-robin (OPS-13). One owner's places may weigh at most `ownMax`.
 * If the queue is full, a newcomer displaces places of the owner with the most weight. The owner that asks for the most
 * is therefore refused first, unless all ask for the same.
 */
export class WaitingLine<P extends Place = Place> {
  private weight = 0;
  /** The owners with places, in the order of their turns. */
  private readonly byOwner = new Map<string, OwnerLine<P>>();
  private readonly max: number;
  private readonly ownMax: number;

  constructor({ max, ownMax = Math.ceil(max / 2) }: LineBounds) {
    this.max = max;
    this.ownMax = ownMax;
  }

  add(owner: string, place: P, weight = 1): void {
    const ownerLine = this.byOwner.get(owner) ?? { weight: 0, places: [] };
    const losers =
      ownerLine.weight + weight > this.ownMax ? null : this.makeRoom(ownerLine.weight + weight, weight);
    if (losers === null) return place.refuse();
    this.byOwner.set(owner, ownerLine);
    this.put(ownerLine, { place, weight });
    for (const loser of losers) loser.refuse();
  }

  /** Takes the next place in turn. An owner that `mayBegin` refuses is skipped and keeps its turn. */
  next(mayBegin?: (owner: string) => boolean): P | undefined {
    for (const [owner, ownerLine] of this.byOwner) {
      if (mayBegin?.(owner) === false) continue;
      // Moves the owner to the end of the order, or removes the owner if it has no more places.
      this.byOwner.delete(owner);
      const first = ownerLine.places.shift();
      if (first === undefined) continue;
      this.weight -= first.weight;
      ownerLine.weight -= first.weight;
      if (ownerLine.places.length > 0) this.byOwner.set(owner, ownerLine);
      return first.place;
    }
    return undefined;
  }

  /** Returns the owner's oldest place. */
  oldest(owner: string): P | undefined {
    return this.byOwner.get(owner)?.places[0]?.place;
  }

  /** Removes a place that is no longer needed. Neither `begin` nor `refuse` is called. */
  leave(owner: string, place: P): void {
    const ownerLine = this.byOwner.get(owner);
    const at = ownerLine?.places.findIndex((one) => one.place === place) ?? -1;
    const [left] = at < 0 ? [] : (ownerLine?.places.splice(at, 1) ?? []);
    if (ownerLine === undefined || left === undefined) return;
    this.weight -= left.weight;
    ownerLine.weight -= left.weight;
    if (ownerLine.places.length === 0) this.byOwner.delete(owner);
  }

  private put(ownerLine: OwnerLine<P>, weighed: WeighedPlace<P>): void {
    ownerLine.places.push(weighed);
    ownerLine.weight += weighed.weight;
    this.weight += weighed.weight;
  }

  /**
   * Removes the newest places of the owner with the most weight, until `weight` fits. `newcomersWeight` is the
   * newcomer's total weight, including the new place. If no owner has more than that, it removes nothing and returns
   * null.
   */
  private makeRoom(newcomersWeight: number, weight: number): P[] | null {
    const removed: { ownerLine: OwnerLine<P>; last: WeighedPlace<P> }[] = [];
    while (this.weight + weight > this.max) {
      const ownerLine = this.heaviest();
      const last =
        ownerLine !== null && ownerLine.weight > newcomersWeight ? ownerLine.places.pop() : undefined;
      if (ownerLine === null || last === undefined) {
        for (const { ownerLine: loser, last: lost } of removed.toReversed()) this.put(loser, lost);
        return null;
      }
      ownerLine.weight -= last.weight;
      this.weight -= last.weight;
      removed.push({ ownerLine, last });
    }
    return removed.map(({ last }) => last.place);
  }

  private heaviest(): OwnerLine<P> | null {
    let heaviest: OwnerLine<P> | null = null;
    for (const ownerLine of this.byOwner.values())
      if (heaviest === null || ownerLine.weight > heaviest.weight) heaviest = ownerLine;
    return heaviest;
  }
}
