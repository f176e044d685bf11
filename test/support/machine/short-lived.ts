/**
 * Arguments for a Node that lives for seconds. Most of its functions end before their optimised code has paid for
 * itself, so V8 waits eight times as long as by default. That saves a tenth of the tests' CPU. Each version of V8
 * counts in units of its own: bytes of bytecode that ran, or calls.
 */
const BY_MAJOR: Readonly<Record<string, readonly string[]>> = {
  20: ["--interrupt-budget=1056000"],
  22: ["--invocation-count-for-turbofan=24000"],
};

export const SHORT_LIVED_ARGUMENTS: readonly string[] =
  BY_MAJOR[process.versions.node.split(".")[0] as string] ?? [];
