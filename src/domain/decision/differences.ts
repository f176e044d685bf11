/** One place where two JSON values differ. */
export interface Difference {
  /** Dotted, array positions from 0; `""` for the value itself. */
  path: string;
  /** null where there is nothing on that side. */
  recorded: unknown;
  replayed: unknown;
}

/** Every leaf at which two JSON values differ, in the order of `recorded`; objects are compared without regard to order. */
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
