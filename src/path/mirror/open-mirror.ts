import { MIRROR } from "../../domain/vocabulary/tuning/mirror.js";
import { createCacheClient, type SharedCache } from "../../platform/cache/cache-client.js";
import { monotonicMs } from "../../platform/timing/clock.js";
import { openJournal } from "../journal/journal.js";
import type { FrontMirror, FrontMirrorParts } from "./front-mirror.js";
import { JournalMirror } from "./journal-mirror.js";
import { allocateMirrorSignal, openMirrorSignal } from "./mirror-signal.js";
import { createMirrorStore, MIRROR_SCRIPTS } from "./mirror-store.js";

/** Opens the mirror on the front thread. The mirror has its own connection to the cache. */
export function openMirror({
  settings,
  sharedCache: { url, ca, nodeId },
  journal: journalOptions,
  metrics,
  log,
}: FrontMirrorParts & { sharedCache: SharedCache }): FrontMirror {
  const memory = allocateMirrorSignal();
  const journal = openJournal(journalOptions);
  const cache = createCacheClient({
    url,
    ca,
    name: "payinference-mirror",
    scripts: MIRROR_SCRIPTS,
    timeoutMs: MIRROR.waitMsMax,
    onRoundTrip: metrics.cacheRoundTrip,
  });
  let position = (): number => -1;
  metrics.mirror.open(false);
  const mirror = new JournalMirror({
    journal,
    store: createMirrorStore({ cache, nodeId, replicas: settings.journalMirrorReplicas }),
    // WAIT keeps the whole connection waiting for the replicas. A second entry would only be later for it.
    entriesUnderWayMax: settings.journalMirrorReplicas === 0 ? MIRROR.entriesUnderWayMax : 1,
    position: () => position(),
    onMirrored: (sequence) => signal.mirrored(sequence),
    onChange(isOpen) {
      metrics.mirror.open(isOpen);
      if (isOpen) log.info("the shared cache takes the journal's mirror");
      else log.error("the shared cache does not take the journal's mirror; decisions are answered 503");
    },
    onRestored: (batches) =>
      log.warn({ batches }, "the journal has back from its mirror what this disk had lost"),
    onRestoreError: (error) => log.error({ err: error }, "the journal takes nothing back from its mirror"),
    now: monotonicMs,
  });
  const signal = openMirrorSignal(memory, mirror.wake);
  const looking = setInterval(() => {
    mirror.look();
    metrics.mirror.stats(mirror.stats());
  }, MIRROR.ownLookIntervalMs);
  const tending = setInterval(() => void mirror.tend(), MIRROR.leaseRenewalMs);
  return {
    memory,
    gate: mirror,
    isOpen: mirror.isOpen,
    started: () => mirror.started(MIRROR.startPatienceMs),
    follow(of) {
      position = of;
    },
    async close() {
      clearInterval(looking);
      clearInterval(tending);
      signal.close();
      await mirror.tend();
      cache.close();
      await journal.close();
    },
  };
}
