import { createHash } from "node:crypto";
import { Redis } from "ioredis";
import { ByteCommand, CommandMemory } from "./byte-command.js";
import { monotonicMs } from "../timing/clock.js";
import { TUNING } from "../../domain/vocabulary/tuning.js";
import type { CacheOperation, CacheResult, CacheRoundTrip } from "./round-trip.js";

/**
 * A Lua script that runs atomically in the cache. It takes exactly one key, so that a cluster can run it on the node
 * that has the key.
 */
export interface CacheScript {
  source: string;
  sha1: string;
}

export function cacheScript(source: string): CacheScript {
  return { source, sha1: createHash("sha1").update(source).digest("hex") };
}

export interface ScriptCall {
  script: CacheScript;
  key: string;
  args: readonly (string | number)[];
}

/** The cache's address, and the certificates that verify it. */
export interface CacheServer {
  /** redis:// or rediss:// */
  url: string;
  /**
   * PEM certificates of the authorities that may sign a `rediss://` server's certificate. Null means those that Node
   * trusts.
   */
  ca: string | null;
}

/** The cache that nodes share. */
export interface SharedCache extends CacheServer {
  /** How long a request waits for the cache before the request continues without the cache. */
  timeoutMs: number;
  nodeId: string;
}

export interface CacheClientOptions extends CacheServer {
  /** The connection's name in CLIENT LIST. */
  name: string;
  /** All scripts that `call` will run. */
  scripts: readonly CacheScript[];
  /** How long a request waits for the cache before the request continues without the cache. */
  timeoutMs: number;
  onRoundTrip(trip: CacheRoundTrip): void;
}

/** A command's name and arguments. */
export type CacheCommand = readonly (string | Buffer)[];

export interface CacheClient {
  /** False if the cache is known to be away. Calls then return at once and send nothing. */
  isUp(): boolean;
  /** True if the cache has answered recently. /ready shows it. */
  isReachable(): boolean;
  /**
   * Runs all calls in one pipelined round trip. Resolves to null if the cache is away, is slow, or refuses a call.
   * Never rejects.
   */
  call(operation: CacheOperation, calls: readonly ScriptCall[]): Promise<readonly unknown[] | null>;
  /** Runs any commands in one pipelined round trip, like `call`. A command named `…Buffer` returns bytes. */
  send(operation: CacheOperation, commands: readonly CacheCommand[]): Promise<readonly unknown[] | null>;
  /** Sends the message to every subscriber of the channel. Returns false if the cache is away. */
  publish(channel: string, message: string): Promise<boolean>;
  /** Resolves when the cache is up, or when the wait for it is over. */
  started: Promise<void>;
  close(): void;
}

const CHECK_INTERVAL_MS = 100;
/** A connection that leaves a check unanswered for this long is replaced, because the server may be gone. */
const DEAF_AFTER_MS = 3000;
/** A busy machine delays a check for less than this. /ready must still report within 5 s that the cache is away. */
const UNREACHABLE_AFTER_MS = 2000;
const START_PATIENCE_MS = 1000;
const RECONNECT_DELAY_MS_MAX = 500;

/**
 * One connection to Valkey or Redis behind a circuit breaker. The breaker opens at the first round trip that fails or
 * takes longer than `timeoutMs`. While it is open no request waits, so a hanging cache costs each thread one timeout,
 * not one per request. Only a successful check closes the breaker. Checks run ten times a second, so requests need not
 * test the cache.
 */
export function createCacheClient({
  url,
  ca,
  name,
  scripts,
  timeoutMs,
  onRoundTrip,
}: CacheClientOptions): CacheClient {
  const redis = openConnection({ url, ca }, name);
  let up = false;
  let scriptsAreLoaded = false;
  let lastAnswerMs = Number.NEGATIVE_INFINITY;
  /** The start of the check that waits for an answer or for a connection. Null if no check waits. */
  let waitingSinceMs: number | null = null;
  /** Counts failures. A check closes the breaker only if no failure has happened since the check began. */
  let failures = 0;
  let onStarted: () => void = () => undefined;
  const started = new Promise<void>((resolve) => {
    onStarted = resolve;
  });
  const patience = setTimeout(() => onStarted(), START_PATIENCE_MS);

  const fail = (): void => {
    up = false;
    failures++;
  };
  redis.on("close", () => {
    scriptsAreLoaded = false;
    waitingSinceMs = null;
    fail();
  });

  const memory = new CommandMemory();
  const exchange = (commands: readonly CacheCommand[]) => exchangeOn(redis, commands, memory);

  const check = async (): Promise<void> => {
    const nowMs = monotonicMs();
    if (waitingSinceMs !== null) {
      if (nowMs - waitingSinceMs > DEAF_AFTER_MS) {
        waitingSinceMs = null;
        fail();
        redis.disconnect(true);
      }
      return;
    }
    waitingSinceMs = nowMs;
    if (redis.status !== "ready") return;
    const failuresBefore = failures;
    const load = scriptsAreLoaded ? [] : scripts.map(({ source }) => ["script", "load", source]);
    try {
      await exchange([...load, ["ping"]]);
      lastAnswerMs = monotonicMs();
      scriptsAreLoaded = true;
      if (failures === failuresBefore && lastAnswerMs - nowMs <= timeoutMs) {
        up = true;
        onStarted();
      }
    } catch {
      fail();
    } finally {
      waitingSinceMs = null;
    }
  };
  redis.on("ready", () => {
    waitingSinceMs = null;
    void check();
  });
  const checking = setInterval(() => void check(), CHECK_INTERVAL_MS);

  const noteError = (error: unknown): void => {
    const message = error instanceof Error ? error.message : "";
    if (message.startsWith("NOSCRIPT")) scriptsAreLoaded = false;
    // After a failover, this connection still leads to the old primary. A new connection may reach the new primary.
    if (message.startsWith("READONLY")) redis.disconnect(true);
    fail();
  };

  const roundTrip = (
    operation: CacheOperation,
    commands: readonly CacheCommand[],
  ): Promise<unknown[] | null> => {
    if (!up) {
      onRoundTrip({ operation, result: "skipped", seconds: 0 });
      return Promise.resolve(null);
    }
    const startedMs = monotonicMs();
    return new Promise((resolve) => {
      let settled = false;
      const settle = (result: CacheResult, replies: unknown[] | null): void => {
        if (settled) return;
        settled = true;
        clearTimeout(overdue);
        onRoundTrip({ operation, result, seconds: (monotonicMs() - startedMs) / 1000 });
        resolve(replies);
      };
      const overdue = setTimeout(() => {
        // The timer may be late because this thread was busy. Before the `setImmediate` callback runs, the thread reads
        // an answer that is already in the socket.
        setImmediate(() => {
          if (settled) return;
          fail();
          settle("timeout", null);
        });
      }, timeoutMs);
      exchange(commands).then(
        (replies) => settle("ok", replies),
        (error: unknown) => {
          noteError(error);
          settle("error", null);
        },
      );
    });
  };

  return {
    isUp: () => up,
    isReachable: () => monotonicMs() - lastAnswerMs < UNREACHABLE_AFTER_MS,
    call: (operation, calls) =>
      roundTrip(
        operation,
        calls.map(({ script, key, args }) => ["evalsha", script.sha1, "1", key, ...args.map(String)]),
      ),
    send: roundTrip,
    publish: async (channel, message) =>
      (await roundTrip("announce", [["publish", channel, message]])) !== null,
    started,
    close() {
      clearInterval(checking);
      clearTimeout(patience);
      up = false;
      redis.disconnect();
    },
  };
}

/** Resolves to the replies in order. Rejects with the first error among the replies. */
async function exchangeOn(
  redis: Redis,
  commands: readonly CacheCommand[],
  memory: CommandMemory,
): Promise<unknown[]> {
  const [[name, ...args] = [], ...others] = commands;
  // A pipeline copies all bytes of its commands once more.
  if (others.length === 0 && typeof name === "string" && !name.endsWith("Buffer")) {
    return [await answerTo(redis, name, args, memory)];
  }
  const replies = (await redis.pipeline(commands as unknown[][]).exec()) ?? [];
  const refused = replies.find(([error]) => error !== null)?.[0];
  if (refused !== undefined && refused !== null) throw refused;
  return replies.map(([, reply]) => reply);
}

async function answerTo(
  redis: Redis,
  name: string,
  args: CacheCommand,
  memory: CommandMemory,
): Promise<unknown> {
  if (!args.some((arg) => typeof arg !== "string")) return redis.call(name, [...args]);
  const command = new ByteCommand(name, args, memory);
  try {
    const reply = await redis.sendCommand(command);
    memory.giveBack(command);
    return reply;
  } catch (error) {
    memory.abandon(command);
    throw error;
  }
}

/** A connection that reconnects forever. While it is down, its commands fail at once. */
export function openConnection({ url, ca }: CacheServer, name: string): Redis {
  const redis = new Redis(url, {
    ...(ca === null ? {} : { tls: { ca } }),
    connectionName: name,
    enableOfflineQueue: false,
    autoResendUnfulfilledCommands: false,
    maxRetriesPerRequest: 0,
    connectTimeout: TUNING.cacheConnectTimeoutMs,
    retryStrategy: (attempt) => Math.min(50 * attempt, RECONNECT_DELAY_MS_MAX),
  });
  // Errors need no handling: missing answers show that the cache is away. Without a listener, ioredis prints them.
  redis.on("error", () => undefined);
  return redis;
}
