import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { setTimeout as sleep } from "node:timers/promises";
import { Redis } from "ioredis";
import { closeLater } from "../closing.js";
import { temporaryDir } from "../postgres/postgres.js";
import { freePort } from "../machine/free-port.js";
import { cacheServer, noCache } from "../machine/installed.js";

const SERVER = cacheServer();

/** The reason to skip tests that need a real cache, or false. */
export const NO_VALKEY: string | false = noCache(SERVER);

/** A real Valkey or Redis on its own port. The test decides when it is up or down. */
export interface TestValkey {
  url: string;
  /** The test's own client. It works only while the server answers. */
  client: Redis;
  /** Sends SIGKILL. Connections break. */
  kill(): Promise<void>;
  /** Starts the server after `kill`, on the same port and empty. */
  start(): Promise<void>;
  /** Sends SIGSTOP. Connections stay open, but the server answers nothing. */
  freeze(): void;
  /** SIGCONT */
  thaw(): void;
}

/** `more` adds options to the server's command line. They override the test's own. */
export async function startValkey(more: readonly string[] = []): Promise<TestValkey> {
  const [port, dir] = await Promise.all([freePort(), temporaryDir()]);
  const options = ["--port", String(port), "--bind", "127.0.0.1", "--save", "", "--dir", dir, ...more];
  return superviseValkey({
    command: [SERVER as string, ...options],
    env: process.env,
    url: `redis://127.0.0.1:${port}`,
    ca: null,
  });
}

export interface ValkeyCommand {
  command: readonly string[];
  env: Readonly<Record<string, string | undefined>>;
  /** The address of the server, and the certificate authority that clients must trust. */
  url: string;
  ca: string | null;
}

/** Starts the server and resolves once it answers. */
export async function superviseValkey({ command, env, url, ca }: ValkeyCommand): Promise<TestValkey> {
  const tls = ca === null ? {} : { tls: { ca } };
  const client = new Redis(url, { lazyConnect: true, retryStrategy: () => 50, ...tls });
  client.on("error", () => undefined);
  const [file = "", ...args] = command;
  let child: ChildProcess;
  const start = async (): Promise<void> => {
    child = spawn(file, args, { env, stdio: "ignore" });
    await untilAnswered(url, tls);
  };
  const kill = async (): Promise<void> => {
    if (child.exitCode !== null || child.signalCode !== null) return;
    const exited = once(child, "exit");
    child.kill("SIGKILL");
    await exited;
  };
  closeLater(async () => {
    client.disconnect();
    await kill();
  });
  await start();
  const valkey: TestValkey = {
    url,
    client,
    kill,
    start,
    freeze: () => child.kill("SIGSTOP"),
    thaw: () => child.kill("SIGCONT"),
  };
  return valkey;
}

async function untilAnswered(url: string, tls: { tls?: { ca: string } }): Promise<void> {
  for (let attempt = 0; attempt < 200; attempt++) {
    const asked = new Redis(url, {
      lazyConnect: true,
      retryStrategy: null,
      connectTimeout: 1000,
      ...tls,
    });
    asked.on("error", () => undefined);
    try {
      await asked.connect();
      await asked.ping();
      return;
    } catch {
      await sleep(50);
    } finally {
      asked.disconnect();
    }
  }
  throw new Error(`no answer from ${url}`);
}
