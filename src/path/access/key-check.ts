import { hasHeld, type Authentication, type RememberedKeys } from "./api-key-cache.js";
import { parseApiKey } from "./api-key.js";
import { takesOwn, type TakesCell } from "./cell.js";
import type { KeyGuesses, LookUpLeave } from "./key-guesses.js";

export interface KeyCheckOptions {
  keys: {
    cached(presented: string, nowMs: number): Authentication | null;
    lookUp(presented: string, nowMs: number): Promise<Authentication>;
  };
  remembered: Pick<RememberedKeys, "recall">;
  guesses: KeyGuesses;
  onTooMany(): void;
  /** CELL-2: a key of another cell is refused without a look-up, like a text that does not have the form of a key. */
  takes?: TakesCell;
}

/** Checks a presented key. `source` is called only if the key is not cached, and before the function first waits. */
export type CheckKey = (
  presented: string,
  nowMs: number,
  source: () => string,
) => Authentication | Promise<Authentication>;

/**
 * Checks keys. A cached key passes at once. A key that this node's disk remembers is always looked up, whatever else
 * its source tries, so that guesses lock out no holder. Any other key is looked up only while its source has guesses
 * left (RATE-9).
 */
export function createKeyCheck({
  keys,
  remembered,
  guesses,
  onTooMany,
  takes = takesOwn(null),
}: KeyCheckOptions): CheckKey {
  const lookUp = async (presented: string, nowMs: number, leave: LookUpLeave): Promise<Authentication> => {
    let wasUnknown = false;
    try {
      const result = await keys.lookUp(presented, nowMs);
      wasUnknown = result === "invalid_api_key";
      return result;
    } finally {
      leave.end(wasUnknown);
    }
  };

  const refuse = (): Authentication => {
    onTooMany();
    return "too_many_guesses";
  };

  return (presented, nowMs, source) => {
    const known = keys.cached(presented, nowMs);
    if (known !== null) return known;
    if (parseApiKey(presented, takes) === null)
      return guesses.countShapeless(source(), presented, nowMs) ? "invalid_api_key" : refuse();
    if (hasHeld(presented, remembered, takes)) return keys.lookUp(presented, nowMs);
    const leave = guesses.enter(source(), nowMs);
    if (leave === null) return refuse();
    if (!(leave instanceof Promise)) return lookUp(presented, nowMs, leave);
    return leave.then((grantedLeave) =>
      grantedLeave === null ? refuse() : lookUp(presented, nowMs, grantedLeave),
    );
  };
}
