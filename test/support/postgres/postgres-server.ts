import { chmod, mkdir } from "node:fs/promises";
import { join } from "node:path";
import {
  startEmbeddedPostgres,
  type EmbeddedPostgres,
  type EmbeddedPostgresOptions,
} from "../../../src/platform/postgres/embedded/embedded-postgres.js";
import { serverUser } from "../../../src/platform/postgres/embedded/install.js";

/**
 * The name of the variable that names the directory of the PostgreSQL binaries. Unset: the packaged binaries, as in the
 * service.
 */
export const POSTGRES_BIN_VARIABLE = "TEST_POSTGRES_BIN";

/** Older versions have no built-in locale that knows letters. This locale of the C library sorts the same way. */
const LIBC_LOCALE = ["--locale=C.UTF-8"] as const;

/** Starts a server as the service starts its own, in the version that this run tests. */
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
  // To find its binaries, a server before version 16 changes its working directory, and returns to it by the absolute
  // path. Its user must therefore be able to pass through `dataDir`, which is on that path.
  await mkdir(options.dataDir, { recursive: true });
  await chmod(options.dataDir, 0o711);
  return startEmbeddedPostgres({ ...options, install });
}
