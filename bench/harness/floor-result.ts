export interface FloorResult {
  passed: boolean;
  /** One line of text that states the required value and the measured one. */
  line: string;
}

/**
 * A fast wrong answer does not count, so each kind of reply other than 200 is a missed floor. `faults` has a record for
 * each round.
 */
export function faultFloors(name: string, faults: readonly Record<string, number>[]): FloorResult[] {
  const totals = new Map<string, number>();
  for (const ofRound of faults) {
    for (const [kind, count] of Object.entries(ofRound)) totals.set(kind, (totals.get(kind) ?? 0) + count);
  }
  return Array.from(totals, ([kind, count]) => ({
    passed: false,
    line: `${name} ${count} requests without a 200: ${kind}`,
  }));
}
