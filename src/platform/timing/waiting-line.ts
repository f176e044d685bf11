/** What waits for its turn. Either of the two is called, once, unless it leaves before. */
export interface Place {
  begin(): void;
  /** There is no place for it, or another has it now. */
  refuse(): void;
}

export interface LineBounds {
  /** Of all that waits together; places count as 1 unless they say otherwise. */
  max: number;
  /** Of one owner; half of `max` where it is left out. */
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
 * What waits for a bounded resource, served round-robin by owner (OPS-13). An owner may have `ownMax` of the line. A full
 * line makes room for a newcomer at the expense of the owner that has the most: only who asks for more than others is
 * refused, unless all of them have as much.
 */
export class WaitingLine<P extends Place = Place> {
  private weight = 0;
  /** The next owner first; none without any. */
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

  /** An owner that `mayBegin` refuses keeps its turn. */
  next(mayBegin?: (owner: string) => boolean): P | undefined {
    for (const [owner, ownerLine] of this.byOwner) {
      if (mayBegin?.(owner) === false) continue;
      // To the end, or away.
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

  /** What has waited longest of that owner. */
  oldest(owner: string): P | undefined {
    return this.byOwner.get(owner)?.places[0]?.place;
  }

  /** Of what nobody waits for any more. */
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
   * Takes the newest places of whoever has the most, until `weight` fits in. Null, and nobody loses any, where nobody has
   * more than the newcomer would have, which is `newcomersWeight`.
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
