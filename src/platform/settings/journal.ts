import { SettingsError } from "./settings-error.js";

interface JournalEnvironment {
  CACHE_URL?: string | undefined;
  JOURNAL_MAX_BYTES: number;
  JOURNAL_MIRROR: boolean;
  JOURNAL_MIRROR_REPLICAS: number;
  JOURNAL_MIRROR_MAX_BYTES: number;
}

/**
 * DUR-21: the journal's limits. The mirror contains the same waiting records as the journal, so the smaller limit
 * applies.
 */
export function journalLimits(env: JournalEnvironment): {
  journalMaxBytes: number;
  journalMirror: boolean;
  journalMirrorReplicas: number;
} {
  const { JOURNAL_MAX_BYTES: bytesMax, JOURNAL_MIRROR_MAX_BYTES: mirrorBytesMax } = env;
  const isMirrored = env.JOURNAL_MIRROR;
  // The mirror is stored in the shared cache.
  if (isMirrored && env.CACHE_URL === undefined) {
    throw new SettingsError("JOURNAL_MIRROR: must be set with CACHE_URL");
  }
  return {
    journalMaxBytes: isMirrored ? Math.min(bytesMax, mirrorBytesMax) : bytesMax,
    journalMirror: isMirrored,
    journalMirrorReplicas: env.JOURNAL_MIRROR_REPLICAS,
  };
}
