import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { createRandom } from "../bench/client/random.js";
import { openJournal } from "../src/path/journal/journal.js";
import { createCards } from "./retries/cards.js";
import { checkRetryFloors, retryTable } from "./retries/report.js";
import { HASTY, PATIENT, simulateRetries } from "./retries/simulate.js";

const HELP = `npm run sim:retries -- [--cards 100000] [--hasty 5000] [--seed 1]

Cards whose first attempt was declined, over 30 days, on a clock of their own. Whether and when each could be approved is
known. A patient merchant spreads its retries; a hasty one asks every hour. Each answer and each attempt is compared with
a reference that counts by brute force, and the value with that of an oracle that keeps the same rules. Exits 1 when a
floor is missed.
`;

const DAYS = 30;
const FIRST_DAY_MS = Date.UTC(2026, 0, 5);
const JOURNAL_BYTES_MAX = 64 * 2 ** 20;

const { values } = parseArgs({
  options: {
    cards: { type: "string", default: "100000" },
    hasty: { type: "string", default: "5000" },
    seed: { type: "string", default: "1" },
    help: { type: "boolean", default: false },
  },
});

if (values.help) process.stdout.write(HELP);
else await run();

async function run(): Promise<void> {
  const beganMs = performance.now();
  const dataDir = await mkdtemp(join(tmpdir(), "payinference-sim-retries-"));
  const journal = openJournal({ dataDir, bytesMax: JOURNAL_BYTES_MAX, syncEveryCommit: false });
  try {
    const random = createRandom(Number(values.seed));
    const merchants = [
      { merchant: PATIENT, count: Number(values.cards) },
      { merchant: HASTY, count: Number(values.hasty) },
    ];
    const rows = merchants.flatMap(({ merchant, count }) => {
      const cards = createCards(random, count, FIRST_DAY_MS);
      return simulateRetries({ cards, merchant, fromMs: FIRST_DAY_MS, days: DAYS, journal, random });
    });
    for (const line of retryTable(rows)) print(line);
    print("");
    const floors = checkRetryFloors(rows);
    for (const { passed, line } of floors) print(`${passed ? "ok  " : "FAIL"}  ${line}`);
    print(`\n${((performance.now() - beganMs) / 1000).toFixed(0)} s in all`);
    if (floors.some(({ passed }) => !passed)) {
      print("A floor is missed (exit 1)");
      process.exitCode = 1;
    }
  } finally {
    await journal.close();
    await rm(dataDir, { recursive: true, force: true });
  }
}

function print(line: string): void {
  process.stdout.write(`${line}\n`);
}
