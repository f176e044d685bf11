/**
 * Arguments for a Node that lives for seconds. Most of its functions end before their optimised code has paid for
 * itself, so V8 waits eight times as long as by default. That saves a tenth of the tests' CPU. Each version of V8
 * counts in units of its own: bytes of bytecode that ran, or calls.
 */
const BY_MAJOR: Readonly<Record<string, readonly string[]>> = {
  20: ["--interrupt-budget=1056000"],
  22: ["--invocation-count-for-turbofan=24000"],
};

/** V8 does not shrink the heap while a process waits. So an idle service takes a third less CPU. */
const ALL = ["--no-memory-reducer"];

export const SHORT_LIVED_ARGUMENTS: readonly string[] = [
  ...ALL,
  ...(BY_MAJOR[process.versions.node.split(".")[0] as string] ?? []),
];

/**
 * Arguments for a process of tests. Simulations and generated cases leave much garbage behind, so it is collected less
 * often: in MB, the least and the most of each half of V8's young generation. That saves a fourteenth of the unit
 * tests' CPU. A service gains nothing by it.
 */
export const GARBAGE_ARGUMENTS: readonly string[] = ["--min-semi-space-size=32", "--max-semi-space-size=64"];
