/** HLTH-29: (events + weight · prior) / (of + weight): the rate of `events` in `of`, shrunk towards a prior 0..1. */
export function shrunk(events: number, of: number, prior: number, weight: number): number {
  return of + weight <= 0 ? prior : (events + weight * prior) / (of + weight);
}
