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

interface OwnPlaces<P> {
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
  private readonly byOwner = new Map<string, OwnPlaces<P>>();
  private readonly max: number;
  private readonly ownMax: number;

  constructor({ max, ownMax = Math.ceil(max / 2) }: LineBounds) {
    this.max = max;
    this.ownMax = ownMax;
  }

  add(owner: string, place: P, weight = 1): void {
    const own = this.byOwner.get(owner) ?? { weight: 0, places: [] };
    const losers = own.weight + weight > this.ownMax ? null : this.makeRoom(own.weight + weight, weight);
    if (losers === null) return place.refuse();
    this.byOwner.set(owner, own);
    this.put(own, { place, weight });
    for (const loser of losers) loser.refuse();
  }

  /** An owner that `mayBegin` refuses keeps its turn. */
  next(mayBegin?: (owner: string) => boolean): P | undefined {
    for (const [owner, own] of this.byOwner) {
      if (mayBegin?.(owner) === false) continue;
      // To the end, or away.
      this.byOwner.delete(owner);
      const first = own.places.shift();
      if (first === undefined) continue;
      this.weight -= first.weight;
      own.weight -= first.weight;
      if (own.places.length > 0) this.byOwner.set(owner, own);
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
    const own = this.byOwner.get(owner);
    const at = own?.places.findIndex((one) => one.place === place) ?? -1;
    const [left] = at < 0 ? [] : (own?.places.splice(at, 1) ?? []);
    if (own === undefined || left === undefined) return;
    this.weight -= left.weight;
    own.weight -= left.weight;
    if (own.places.length === 0) this.byOwner.delete(owner);
  }

  private put(own: OwnPlaces<P>, weighed: WeighedPlace<P>): void {
    own.places.push(weighed);
    own.weight += weighed.weight;
    this.weight += weighed.weight;
  }

  /**
   * Takes the newest places of whoever has the most, until `weight` fits in. Null, and nobody loses any, where nobody has
   * more than the newcomer would have, which is `newcomersWeight`.
   */
  private makeRoom(newcomersWeight: number, weight: number): P[] | null {
    const taken: { own: OwnPlaces<P>; last: WeighedPlace<P> }[] = [];
    while (this.weight + weight > this.max) {
      const own = this.heaviest();
      const last = own !== null && own.weight > newcomersWeight ? own.places.pop() : undefined;
      if (own === null || last === undefined) {
        for (const { own: loser, last: lost } of taken.toReversed()) this.put(loser, lost);
        return null;
      }
      own.weight -= last.weight;
      this.weight -= last.weight;
      taken.push({ own, last });
    }
    return taken.map(({ last }) => last.place);
  }

  private heaviest(): OwnPlaces<P> | null {
    let heaviest: OwnPlaces<P> | null = null;
    for (const own of this.byOwner.values())
      if (heaviest === null || own.weight > heaviest.weight) heaviest = own;
    return heaviest;
  }
}
