import type { SharedCache } from "../../platform/cache/cache-client.js";
import type { Settings } from "../../platform/settings/settings.js";
import type { Logger } from "../../platform/telemetry/logger.js";
import type { Metrics } from "../../platform/telemetry/metrics.js";
import type { JournalOptions } from "../journal/journal.js";
import type { MirrorGate } from "./mirror-signal.js";

/** The front's interface to the mirror of this node's journal. */
export interface FrontMirror {
  /** The memory that connects the decide workers' gates with the mirror. Null without JOURNAL_MIRROR. */
  memory: SharedArrayBuffer | null;
  /** The gate at which the pool's answers wait. Null without JOURNAL_MIRROR. */
  gate: MirrorGate | null;
  /** Returns false if a decision would not be acknowledged now. Null without JOURNAL_MIRROR. */
  isOpen: (() => boolean) | null;
  /** Resolves when the mirror is open, or after the longest time that a start waits for it. */
  started(): Promise<void>;
  /** Sets the function that returns PostgreSQL's position. */
  follow(position: () => number): void;
  close(): Promise<void> | void;
}

export interface FrontMirrorParts {
  settings: Pick<Settings, "journalMirror" | "journalMirrorReplicas">;
  journal: JournalOptions;
  /** Null without CACHE_URL. */
  sharedCache: SharedCache | null;
  metrics: Metrics;
  log: Logger;
}

const NONE: FrontMirror = {
  memory: null,
  gate: null,
  isOpen: null,
  started: () => Promise.resolve(),
  follow: () => undefined,
  close: () => undefined,
};

/** Loads the mirror's modules only if the journal is mirrored. */
export async function openFrontMirror(parts: FrontMirrorParts): Promise<FrontMirror> {
  const { settings, sharedCache } = parts;
  if (!settings.journalMirror || sharedCache === null) return NONE;
  return (await import("./open-mirror.js")).openMirror({ ...parts, sharedCache });
}
