import { randomFillSync } from "node:crypto";
import type { RandomUint32 } from "../../domain/ids/ids.js";

const WORDS = 1024;

/**
 * Random words from the operating system. They are fetched in batches, because a call for each word cost 2 % of the
 * front thread.
 */
export function createRandomSource(): RandomUint32 {
  const words = new Uint32Array(WORDS);
  let next = WORDS;
  return () => {
    if (next === WORDS) {
      randomFillSync(words);
      next = 0;
    }
    return words[next++] as number;
  };
}
