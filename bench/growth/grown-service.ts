import { stat } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { idFromHex } from "../../src/domain/ids/ids.js";
import { closeAll, type Closer, type Generator } from "../harness/bench-processes.js";
import { faultsOf } from "../harness/bench-rounds.js";
import { startServiceOn, type StartedService } from "../harness/bench-service.js";
import { TimeLimitError } from "../harness/quiet-host.js";
import type { LoadResult } from "../client/load-run.js";
import { spreadMerchantId, type Spread } from "../client/spread-source.js";
import { createTraffic, DEFAULT_PROVIDERS } from "../client/traffic.js";
import { livePolicyUuids, type GrownDatabase } from "./grown-database.js";
import { GROWN_RULES } from "./grown-policies.js";
import { grownKey } from "./grown-tenants.js";

/** The time limit of a start on an empty replica. A longer start fails the bench. */
const FILL_TIMEOUT_MS = 900_000;
const POLL_MS = 20;
const COMPLETE_POLL_MS = 500;
/**
 * The number of merchants whose decisions show that a replica is full: the first, the last, and others spaced evenly
 * between them.
 */
const SAMPLE_MERCHANTS = 20;
const PUBLISH_TIMEOUT_MS = 30_000;

/** The service of a database. `start` and `stop` keep its DATA_DIR. */
export interface GrownService {
  database: GrownDatabase;
  /** Resolves to the time from the spawn to the first 200 of /ready. */
  start(): Promise<number>;
  stop(): Promise<void>;
  /** The id of the running process. */
  pid(): number;
  load(generator: Generator, plan: SpreadPlan): Promise<LoadResult>;
  /**
   * Replies other than 200 and requests without a reply, over all loads. A fast wrong answer is a fault, not a fast
   * answer.
   */
  faults: ReadonlyMap<string, number>;
  /** Resolves once every sample merchant gets decisions by its own policy. */
  decidesForAll(): Promise<void>;
  /** Resolves once the replica holds every record. Until then the node looks up missing records. */
  holdsAll(): Promise<void>;
  /** The policy that decides for a merchant. Null without a policy, and while the merchant is unknown. */
  decide(workspace: number, merchantId: string): Promise<string | null>;
  publish(workspace: number, merchant: number): Promise<Published>;
}

export interface SpreadPlan {
  spread: Spread;
  connections: number;
  durationMs: number;
  ratePerSecond?: number;
}

interface Published {
  /** The duration of the call. */
  ms: number;
  policyId: string;
}

export function createGrownService(
  database: GrownDatabase,
  closers: Closer[],
  env: NodeJS.ProcessEnv = {},
): GrownService {
  const own: Closer[] = [];
  const stop = (): Promise<void> => closeAll(own);
  closers.push(stop);
  let started: StartedService | null = null;
  const faults = new Map<string, number>();
  const running = (): StartedService => {
    if (started === null) throw new Error("the service of this database does not run");
    return started;
  };
  const decide = async (workspace: number, merchantId: string): Promise<string | null> => {
    const body = JSON.stringify(
      createTraffic({ seed: 0, merchants: [merchantId], providers: DEFAULT_PROVIDERS }).next(),
    );
    const reply = await post(`${running().origin}/v1/decision`, grownKey(workspace), body);
    if (reply.status !== 200) return null;
    return (reply.json as { policy: { policy_id: string | null } }).policy.policy_id;
  };
  return {
    database,
    async start() {
      const settings = {
        DATABASE_URL: database.url,
        DEMO: "0",
        // All nodes of one service share the same key.
        SECRET_KEY: "the bench keeps no secrets, so this one may be read",
        ...env,
      };
      started = await startServiceOn(database.dataDir, own, settings, FILL_TIMEOUT_MS);
      return started.readyMs;
    },
    async stop() {
      await stop();
      started = null;
    },
    pid: () => running().pid,
    faults,
    async load(generator, plan) {
      const result = await generator.run({ url: `${running().origin}/v1/decision`, key: "", ...plan });
      for (const [kind, count] of Object.entries(faultsOf(result)))
        faults.set(kind, (faults.get(kind) ?? 0) + count);
      return result;
    },
    async holdsAll() {
      const giveUpMs = performance.now() + FILL_TIMEOUT_MS;
      while (performance.now() < giveUpMs) {
        const text = await (await fetch(running().metricsUrl)).text();
        if (/^payinference_copies_complete 1$/m.test(text)) return;
        await sleep(COMPLETE_POLL_MS);
      }
      throw new TimeLimitError(`a replica was not complete within ${FILL_TIMEOUT_MS / 1000} s`);
    },
    async decidesForAll() {
      const { workspaces, merchantsEach } = database.tenants;
      const sample = evenly(workspaces * merchantsEach, SAMPLE_MERCHANTS).map((number) => ({
        workspace: Math.floor(number / merchantsEach),
        merchantId: spreadMerchantId(number % merchantsEach),
      }));
      const live = await livePolicyUuids(database, sample);
      const giveUpMs = performance.now() + FILL_TIMEOUT_MS;
      await Promise.all(
        sample.map(async ({ workspace, merchantId }, position) => {
          const expected = idFromHex("pol", live[position] as string);
          while ((await decide(workspace, merchantId)) !== expected) {
            if (performance.now() > giveUpMs)
              throw new TimeLimitError(`a merchant was not decided for within ${FILL_TIMEOUT_MS / 1000} s`);
            await sleep(POLL_MS);
          }
        }),
      );
    },
    async publish(workspace, merchant) {
      const merchantId = spreadMerchantId(merchant);
      // The service assigns the ids.
      const rules = GROWN_RULES.map((rule) => ({ ...rule, rule_id: undefined }));
      const body = JSON.stringify({ merchant_id: merchantId, name: "Published", rules, publish: true });
      const beganMs = performance.now();
      const reply = await post(`${running().origin}/v1/policies`, grownKey(workspace), body);
      const ms = performance.now() - beganMs;
      if (reply.status !== 200) throw new Error(`a publish was answered ${reply.status}`);
      return { ms, policyId: (reply.json as { policy: { policy_id: string } }).policy.policy_id };
    },
    decide,
  };
}

async function post(url: string, key: string, body: string): Promise<{ status: number; json: unknown }> {
  const headers = { "x-api-key": key, "content-type": "application/json" };
  const signal = AbortSignal.timeout(PUBLISH_TIMEOUT_MS);
  const reply = await fetch(url, { method: "POST", headers, body, signal }).catch((error: Error) => {
    if (signal.aborted) throw new TimeLimitError(`no answer within ${PUBLISH_TIMEOUT_MS / 1000} s`);
    throw error;
  });
  return { status: reply.status, json: await reply.json() };
}

/** Up to `count` numbers below `total`, evenly spaced, including the first and the last. */
export function evenly(total: number, count: number): number[] {
  if (total <= count) return Array.from({ length: total }, (_, number) => number);
  return Array.from({ length: count }, (_, at) => Math.round((at * (total - 1)) / (count - 1)));
}

/** The replica's size on disk. */
export async function replicaBytes({ dataDir }: GrownDatabase): Promise<number> {
  const { blocks } = await stat(join(dataDir, "replica", "data.mdb"));
  return blocks * 512;
}
