import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openJournal, type Journal } from "../../src/path/journal/journal.js";
import { median } from "../harness/bench-rounds.js";
import { createRandom } from "../client/random.js";

export interface JournalBacklogFigure {
  /** The batches that wait for PostgreSQL in the long journal. The short one has almost none. */
  batches: number;
  /** The time of a commit into the long journal, divided by that into the short one: median over the removals. */
  ratio: number;
}

const BACKLOG_BATCHES = 3000;
const SHORT_BATCHES = 50;
/** The number of batches that are removed at once. The same number is added before the next removal. */
const REMOVED_AT_ONCE = 50;
const REMOVALS = 60;
/** The first removals do not count, because the list of free pages is still growing. */
const REMOVALS_UNCOUNTED = 20;
const DECISIONS_MAX = 32;
const DECISION_BYTES = 2200;

/**
 * Measures whether a commit costs more when the writer is behind. When it did, an overloaded node fell from 17,000 to
 * 5400 decisions a second within half a minute.
 */
export async function measureJournalBacklog(): Promise<JournalBacklogFigure> {
  const dir = await mkdtemp(join(tmpdir(), "payinference-bench-"));
  const behind = openAt(join(dir, "behind"));
  const short = openAt(join(dir, "short"));
  try {
    const random = createRandom(1);
    const batch = Buffer.alloc(DECISIONS_MAX * DECISION_BYTES, 1);
    const append = (journal: Journal): void => {
      const bytes = DECISION_BYTES * random.integer(1, DECISIONS_MAX);
      journal.transaction(() => journal.append(batch.subarray(0, bytes), 1));
    };
    const appendUs = (journal: Journal): number => {
      const startedMs = performance.now();
      for (let count = 0; count < REMOVED_AT_ONCE; count++) append(journal);
      return ((performance.now() - startedMs) * 1000) / REMOVED_AT_ONCE;
    };
    for (let count = 0; count < BACKLOG_BATCHES; count++) append(behind);
    for (let count = 0; count < SHORT_BATCHES; count++) append(short);
    const ratios: number[] = [];
    for (let removal = 0; removal < REMOVALS; removal++) {
      ratios.push(appendUs(behind) / appendUs(short));
      for (const [journal, kept] of [
        [behind, BACKLOG_BATCHES],
        [short, SHORT_BATCHES],
      ] as const) {
        journal.removeThrough(journal.lastSequence() - kept);
      }
    }
    return { batches: BACKLOG_BATCHES, ratio: median(ratios.slice(REMOVALS_UNCOUNTED)) };
  } finally {
    await Promise.all([behind.close(), short.close()]);
    await rm(dir, { recursive: true });
  }
}

function openAt(dataDir: string): Journal {
  return openJournal({ dataDir, bytesMax: 2 ** 30, syncEveryCommit: false });
}
