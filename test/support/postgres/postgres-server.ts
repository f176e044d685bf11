import { chmod, mkdir } from "node:fs/promises";
import { join } from "node:path";
import {
  startEmbeddedPostgres,
  type EmbeddedPostgres,
  type EmbeddedPostgresOptions,
} from "../../../src/platform/postgres/embedded/embedded-postgres.js";
import { serverUser } from "../../../src/platform/postgres/embedded/install.js";

/** Names the directory of the binaries that a run's servers are of; unset: the packaged ones, as in the service. */
export const POSTGRES_BIN_VARIABLE = "TEST_POSTGRES_BIN";

/** Older versions have no locale of their own that knows letters; this one of the C library sorts alike. */
const LIBC_LOCALE = ["--locale=C.UTF-8"] as const;

/** A server as the service's own one is, of the version that the run is for. */
export async function startTestPostgres(
  options: EmbeddedPostgresOptions,
  binDir = process.env[POSTGRES_BIN_VARIABLE],
): Promise<EmbeddedPostgres> {
  if (binDir === undefined) return startEmbeddedPostgres(options);
  const install = {
    initdb: join(binDir, "initdb"),
    postgres: join(binDir, "postgres"),
    user: await serverUser(),
    locale: LIBC_LOCALE,
  };
  // Before version 16 a server looks for its binaries by leaving its directory and coming back by the full path.
  await mkdir(options.dataDir, { recursive: true });
  await chmod(options.dataDir, 0o711);
  return startEmbeddedPostgres({ ...options, install });
}
