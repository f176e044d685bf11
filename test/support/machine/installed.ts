import { spawnSync } from "node:child_process";

/** Programs that a machine may lack. Each constant is the reason to skip their tests, or false. */

const has = (command: string, argument: string): boolean =>
  spawnSync(command, [argument]).error === undefined;

/** The server of Valkey, or of Redis if only that is installed. */
export const cacheServer = (): string | undefined =>
  ["valkey-server", "redis-server"].find((name) => has(name, "--version"));

export const noCache = (server = cacheServer()): string | false =>
  server === undefined ? "neither valkey-server nor redis-server is installed here" : false;

export const noEdge = (): string | false =>
  !has("haproxy", "-v")
    ? "haproxy is not installed here (apt-get install haproxy)"
    : !has("openssl", "version")
      ? "openssl is not installed here"
      : false;
