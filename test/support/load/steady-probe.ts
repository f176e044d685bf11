import { after } from "node:test";
import { startGenerator, startRowServer, type Closer } from "../../../bench/harness/bench-processes.js";
import type { LoadResult } from "../../../bench/client/load-run.js";
import { median, ms } from "./figures.js";
import type { RunningService } from "../service/service.js";

const closers: Closer[] = [];
after(async () => {
  for (const close of closers.toReversed()) await close();
});

/** Makes decisions at a steady pace. At the same time it measures the host's effect on a server that does no work. */
export interface SteadyProbe {
  /**
   * Runs an open loop for `durationMs`. Other processes time each answer from the moment its request was due. `bare` is
   * a uWebSockets.js server with a constant answer: it shows how much of a latency comes from the host.
   */
  run(durationMs: number): Promise<{ decisions: LoadResult; bare: LoadResult }>;
}

const DECISIONS_PER_SECOND = 200;
const BARE_PER_SECOND = 100;
const CONNECTIONS = 16;

export async function startSteadyProbe({
  url,
  key,
}: Pick<RunningService, "url" | "key">): Promise<SteadyProbe> {
  const { url: bareUrl } = await startRowServer("bare", closers);
  const [ours, theirs] = [startGenerator(closers), startGenerator(closers)];
  return {
    async run(durationMs) {
      const common = { key, connections: CONNECTIONS, durationMs };
      const [decisions, bare] = await Promise.all([
        ours.run({ ...common, url: `${url}/v1/decision`, ratePerSecond: DECISIONS_PER_SECOND }),
        theirs.run({ ...common, url: bareUrl, ratePerSecond: BARE_PER_SECOND }),
      ]);
      return { decisions, bare };
    },
  };
}

export const DECISION_P99_MS_MAX = 50;
/** If even the bare server is this slow, a latency measured beside it says nothing about the service. */
const BARE_P99_MS_MAX = DECISION_P99_MS_MAX / 4;

/** One part of an absence, with the 99th percentiles measured in it. */
export interface Round {
  p99Ms: number;
  bareMs: number;
}

export function toRound({ decisions, bare }: { decisions: LoadResult; bare: LoadResult }): Round {
  return { p99Ms: decisions.latency.percentileMs(99), bareMs: bare.latency.percentileMs(99) };
}

/**
 * Describes several rounds in words and says whether they keep the budget. Only rounds on a quiet host count, by their
 * median. `isInTime` is null when fewer than half of the rounds were quiet.
 */
export function judgeRounds(rounds: readonly Round[]): { text: string; isInTime: boolean | null } {
  const quiet = rounds.filter(({ bareMs }) => bareMs <= BARE_P99_MS_MAX);
  const isJudged = quiet.length >= rounds.length / 2;
  const p99Ms = median((isJudged ? quiet : rounds).map((round) => round.p99Ms));
  const bareMs = median((isJudged ? quiet : rounds).map((round) => round.bareMs));
  const of = `median of ${isJudged ? quiet.length : rounds.length} rounds`;
  const verdict = isJudged ? "" : ", not judged: the host is too noisy";
  return {
    text: `p99 ${ms(p99Ms)} (${of}; a bare server beside it ${ms(bareMs)}${verdict})`,
    isInTime: isJudged ? p99Ms < DECISION_P99_MS_MAX : null,
  };
}
