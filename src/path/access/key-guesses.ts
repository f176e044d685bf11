import { hash } from "node:crypto";
import { ACCESS_LIMITS } from "../../domain/vocabulary/access-limits.js";
import { createMinuteTable } from "./rate-window.js";

/** The name that all sources beyond `unknownKeySourcesMax` share. */
const THE_REST = "";

/** One source in the current minute. */
interface Source {
  unknown: number;
  /** The number of running look-ups. Each may turn out to be a guess. */
  asking: number;
  waiting: ((mayAsk: boolean) => void)[];
  /** The hash of the last text that counted. */
  last: string;
}

/** Permission to look up one key. */
export interface LookUpLeave {
  /** Call it one time, after the look-up: with the presented key if that is unknown, and with null otherwise. */
  end(unknown: string | null): void;
}

/**
 * RATE-9: limits the unknown keys that a source may show in a minute. A running look-up counts as a guess until its
 * result is known, so that a source cannot look up a thousand keys at the same time. Further look-ups of the source
 * wait for these results, and are refused only if the limit is then used up.
 */
export function createKeyGuesses(limitPerMinute: number = ACCESS_LIMITS.unknownKeysPerMinute) {
  let waiting = 0;
  const sourcesAt = createMinuteTable<Source>();

  const sourceOf = (address: string, nowMs: number): Source => {
    const sources = sourcesAt(nowMs);
    const name =
      sources.has(address) || sources.size < ACCESS_LIMITS.unknownKeySourcesMax ? address : THE_REST;
    let source = sources.get(name);
    if (source === undefined) sources.set(name, (source = newSource()));
    return source;
  };

  const isSpent = (source: Source): boolean => source.unknown >= limitPerMinute;
  const hasRoom = (source: Source): boolean => source.unknown + source.asking < limitPerMinute;

  const startLookUp = (source: Source): LookUpLeave => {
    source.asking++;
    return {
      end(unknown) {
        source.asking--;
        // Each look-up counts, also of the same key, because PostgreSQL was asked.
        if (unknown !== null) {
          source.unknown++;
          source.last = hashOf(unknown);
        }
        while (source.waiting.length > 0 && (isSpent(source) || hasRoom(source))) {
          waiting--;
          source.waiting.shift()?.(!isSpent(source));
        }
      },
    };
  };

  return {
    /**
     * Gives permission to look a key up, at once or after the source's running look-ups. Null if the source's limit is
     * used up, or if too many requests wait.
     */
    enter(address: string, nowMs: number): LookUpLeave | null | Promise<LookUpLeave | null> {
      const source = sourceOf(address, nowMs);
      if (hasRoom(source)) return startLookUp(source);
      if (isSpent(source) || waiting >= ACCESS_LIMITS.keyLookupsWaitingMax) return null;
      waiting++;
      return new Promise((resolve) => {
        source.waiting.push((mayAsk) => resolve(mayAsk ? startLookUp(source) : null));
      });
    },

    /**
     * Counts a text that needs no look-up, because it is no key for certain. The same text twice in a row counts once.
     * False if the source's limit was already used up.
     */
    countCertain(address: string, presented: string, nowMs: number): boolean {
      const source = sourceOf(address, nowMs);
      if (isSpent(source)) return false;
      const text = hashOf(presented);
      if (source.last !== text) source.unknown++;
      source.last = text;
      return true;
    },
  };
}

export type KeyGuesses = ReturnType<typeof createKeyGuesses>;

const hashOf = (presented: string): string => hash("sha1", presented, "base64");

function newSource(): Source {
  return { unknown: 0, asking: 0, waiting: [], last: "" };
}
