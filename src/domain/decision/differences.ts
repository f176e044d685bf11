/** A place at which two JSON values differ. */
export interface Difference {
  /** The path with dots. Array positions count from 0. `""` is the value itself. */
  path: string;
  /** Null if that side has no value. */
  recorded: unknown;
  replayed: unknown;
}

/**
 * Lists every leaf at which two JSON values differ, in the order of `recorded`. It ignores the order of object members.
 */
export function differencesOf(recorded: unknown, replayed: unknown, path = ""): Difference[] {
  if (
    !isContainer(recorded) ||
    !isContainer(replayed) ||
    Array.isArray(recorded) !== Array.isArray(replayed)
  ) {
    return recorded === replayed ? [] : [{ path, recorded: recorded ?? null, replayed: replayed ?? null }];
  }
  const names = new Set([...Object.keys(recorded), ...Object.keys(replayed)]);
  return [...names].flatMap((name) =>
    differencesOf(recorded[name], replayed[name], path === "" ? name : `${path}.${name}`),
  );
}

function isContainer(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null;
}
