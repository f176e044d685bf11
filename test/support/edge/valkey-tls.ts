import { execFile, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { mkdir, readFile, symlink } from "node:fs/promises";
import { delimiter, join } from "node:path";
import { promisify } from "node:util";
import { readRoot, type ValkeyStart } from "../machine/deploy-files.js";
import { freePort } from "../machine/free-port.js";
import { temporaryDir } from "../postgres/postgres.js";
import { superviseValkey, type TestValkey } from "./valkey.js";

const run = promisify(execFile);

/** The section of docs/deployment.md that makes a certificate authority and Valkey's certificate. */
const COMMANDS =
  /^## Valkey's certificate$.*?^```sh\n(.*?)^```$/ms.exec(readRoot("docs/deployment.md"))?.[1] ?? "";

/** Makes ca.crt, tls.crt and tls.key with the operator's commands, but for this machine. */
async function makeValkeyTls(): Promise<string> {
  const cwd = await temporaryDir();
  const commands = COMMANDS.replace("DNS:valkey", "DNS:valkey,DNS:localhost,IP:127.0.0.1");
  await run("sh", ["-eu", "-c", commands], { cwd });
  return join(cwd, "valkey-tls");
}

export interface SecureValkey extends TestValkey {
  caFile: string;
  ca: string;
  password: string;
  /** The address of the same server over plain TCP. */
  plainUrl: string;
  /**
   * Runs the health probe of the deploy file and resolves to its exit code. `password` becomes the probe's environment
   * variable.
   */
  probe(password: string): Promise<number>;
  /** The server's command as `ps` shows it. */
  commandLine(): Promise<string>;
}

const PASSWORD = "5f0c2d1e9a7b";

/** Starts a real server as a file of deploy/ does: with that file's shell, options, password and certificate. */
export async function startSecureValkey(
  { entrypoint, options, probe }: ValkeyStart,
  more: readonly string[] = [],
): Promise<SecureValkey> {
  const [tlsDir, path, port] = await Promise.all([makeValkeyTls(), valkeyPath(), freePort()]);
  const here = (words: readonly string[]): string[] =>
    words.map((word) => (word === "6379" ? String(port) : word.replace(/^\/run\/valkey/, tlsDir)));
  const ca = await readFile(join(tlsDir, "ca.crt"), "utf8");
  const pidFile = join(tlsDir, "pid");
  const valkey = await superviseValkey({
    command: [...here([...entrypoint, ...options]), "--bind", "127.0.0.1", "--pidfile", pidFile, ...more],
    env: { PATH: path, REDISCLI_AUTH: PASSWORD },
    url: `rediss://:${PASSWORD}@localhost:${port}`,
    ca,
  });
  const [cli = "", ...asked] = here(probe);
  return {
    ...valkey,
    ca,
    caFile: join(tlsDir, "ca.crt"),
    password: PASSWORD,
    plainUrl: `redis://:${PASSWORD}@localhost:${port}`,
    probe: async (password) => {
      const child = spawn(cli, ["-p", String(port), ...asked], {
        env: { PATH: path, REDISCLI_AUTH: password },
        stdio: "ignore",
      });
      const [code] = (await once(child, "exit")) as [number | null];
      return code ?? -1;
    },
    commandLine: async () => readFile(`/proc/${(await readFile(pidFile, "utf8")).trim()}/cmdline`, "utf8"),
  };
}

/** A PATH with Valkey's program names. If only Redis is installed, they point to its programs. */
async function valkeyPath(): Promise<string> {
  const bin = join(await temporaryDir(), "bin");
  await mkdir(bin);
  for (const tool of ["server", "cli"]) {
    if (spawnSync(`valkey-${tool}`, ["--version"]).error === undefined) continue;
    const { stdout } = await run("sh", ["-c", `command -v redis-${tool}`]);
    await symlink(stdout.trim(), join(bin, `valkey-${tool}`));
  }
  return bin + delimiter + (process.env["PATH"] ?? "");
}
