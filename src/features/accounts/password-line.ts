export interface Place {
  begin(): void;
  /** The line is full, and another has the place. */
  refuse(): void;
}

/**
 * What waits for its turn, round-robin by owner. A full line makes room for a newcomer at the expense of the owner with the
 * most places: only who asks for more than others is refused, unless all of them wait once.
 */
export class PasswordLine {
  private size = 0;
  /** The next owner first; none without any. */
  private readonly byOwner = new Map<string, Place[]>();

  constructor(private readonly max: number) {}

  add(owner: string, place: Place): void {
    const own = this.byOwner.get(owner) ?? [];
    if (this.size >= this.max && !this.makeRoom(own.length)) return place.refuse();
    this.size++;
    own.push(place);
    this.byOwner.set(owner, own);
  }

  next(): Place | undefined {
    for (const [owner, own] of this.byOwner) {
      this.byOwner.delete(owner);
      const first = own.shift();
      if (first === undefined) continue;
      this.size--;
      // To the end, or away.
      if (own.length > 0) this.byOwner.set(owner, own);
      return first;
    }
    return undefined;
  }

  /** False where nobody waits more often than who comes would. */
  private makeRoom(ownPlaces: number): boolean {
    let longest: Place[] = [];
    for (const places of this.byOwner.values()) if (places.length > longest.length) longest = places;
    if (longest.length <= ownPlaces + 1) return false;
    longest.pop()?.refuse();
    this.size--;
    return true;
  }
}
