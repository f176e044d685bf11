/** A binary heap of events, ordered by time. Events with the same time come in any order. */
export interface EventQueue<E> {
  push(at: number, event: E): void;
  /** The earliest event, or undefined where none is left. */
  pop(): { at: number; event: E } | undefined;
  readonly size: number;
}

export function createEventQueue<E>(): EventQueue<E> {
  const times: number[] = [];
  const events: E[] = [];

  function swap(one: number, other: number): void {
    [times[one], times[other]] = [times[other] as number, times[one] as number];
    [events[one], events[other]] = [events[other] as E, events[one] as E];
  }

  function sink(from: number): void {
    for (let at = from; ;) {
      const left = 2 * at + 1;
      let least = at;
      for (const child of [left, left + 1])
        if (child < times.length && (times[child] as number) < (times[least] as number)) least = child;
      if (least === at) return;
      swap(at, least);
      at = least;
    }
  }

  return {
    push(at, event) {
      let child = times.push(at) - 1;
      events.push(event);
      while (child > 0) {
        const parent = (child - 1) >> 1;
        if ((times[parent] as number) <= (times[child] as number)) return;
        swap(child, parent);
        child = parent;
      }
    },
    pop() {
      if (times.length === 0) return undefined;
      swap(0, times.length - 1);
      const earliest = { at: times.pop() as number, event: events.pop() as E };
      sink(0);
      return earliest;
    },
    get size() {
      return times.length;
    },
  };
}
