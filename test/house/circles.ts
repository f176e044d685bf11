import { posix } from "node:path";

export interface Edge {
  readonly from: string;
  readonly to: string;
}

/**
 * Groups of folders that import each other: the strongly connected components with more than one folder. Each group is
 * sorted.
 */
export function folderCircles(imports: readonly Edge[]): string[][] {
  const next = new Map<string, Set<string>>();
  for (const { from, to } of imports) {
    const [folder, other] = [posix.dirname(from), posix.dirname(to)];
    if (folder === other) continue;
    next.set(folder, (next.get(folder) ?? new Set()).add(other));
  }
  // Tarjan's algorithm: a component is complete at the folder whose lowest reachable place is its own.
  const places = new Map<string, number>();
  const lowest = new Map<string, number>();
  const open: string[] = [];
  const circles: string[][] = [];
  const visit = (folder: string): number => {
    places.set(folder, places.size);
    let low = places.size - 1;
    const place = low;
    open.push(folder);
    for (const other of next.get(folder) ?? []) {
      if (!places.has(other)) low = Math.min(low, visit(other));
      else if (open.includes(other)) low = Math.min(low, lowest.get(other) ?? places.get(other) ?? low);
    }
    lowest.set(folder, low);
    if (low === place) {
      const circle = open.splice(open.indexOf(folder));
      if (circle.length > 1) circles.push(circle.toSorted());
    }
    return low;
  };
  for (const folder of next.keys()) if (!places.has(folder)) visit(folder);
  return circles.toSorted((a, b) => (a.join() < b.join() ? -1 : 1));
}

/** The imports of one shortest path around the circle. */
export function wayRound(circle: readonly string[], imports: readonly Edge[]): Edge[] {
  const inside = imports.filter(
    ({ from, to }) =>
      circle.includes(posix.dirname(from)) &&
      circle.includes(posix.dirname(to)) &&
      posix.dirname(from) !== posix.dirname(to),
  );
  let shortest: Edge[] = [];
  for (const start of circle) {
    const ways: Edge[][] = inside.filter(({ from }) => posix.dirname(from) === start).map((edge) => [edge]);
    const visited = new Set<string>();
    for (const way of ways) {
      const end = posix.dirname(way.at(-1)?.to ?? "");
      if (end === start) {
        if (shortest.length === 0 || way.length < shortest.length) shortest = way;
        break;
      }
      if (visited.has(end)) continue;
      visited.add(end);
      ways.push(...inside.filter(({ from }) => posix.dirname(from) === end).map((edge) => [...way, edge]));
    }
  }
  return shortest;
}
