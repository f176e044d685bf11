import { join } from "node:path";
import { createEdgeCertificate } from "../support/edge/edge-certificate.js";
import { noCache, noEdge } from "../support/machine/installed.js";
import { POSTGRES_BIN_VARIABLE, startTestPostgres } from "../support/postgres/postgres-server.js";
import { postgresBinaries } from "../support/postgres/postgres-versions.js";
import { makeTemplate, relaxServer, TEMPLATE_VARIABLE } from "../support/postgres/test-server.js";
import { TWO_NODES_VARIABLE } from "../support/two-nodes-mode.js";
import type { Stage } from "./stages.js";

export type Environment = Record<string, string>;

export interface EnvironmentParts {
  /** The directory below which each stage's server keeps its data. */
  dataDir: string;
  migrationsDir: string;
  /** False where performance is measured, because the server must then do its full work. */
  isRelaxed: boolean;
  signal: AbortSignal;
  /** The run calls these in reverse order at its end. */
  closers: (() => Promise<unknown>)[];
  tell(line: string): void;
}

/** Creates the environment of each stage. Stages of one PostgreSQL version share a server. */
export function createEnvironments(parts: EnvironmentParts) {
  const { dataDir, signal, tell } = parts;
  let packaged: Promise<Environment> | undefined;
  /** Variables that Node reads only at its start. All processes of the run have them. */
  const atStart: Environment = {};

  /** Starts a server that test files share, with a template of the schema for their databases. */
  async function startServer(serverDir: string, binDir?: string): Promise<Environment> {
    const log = {
      info: () => undefined,
      warn(fields: object, message: string) {
        if (!signal.aborted) tell(`${message} ${JSON.stringify(fields)}`);
      },
    };
    const postgres = await startTestPostgres({ dataDir: serverDir, log }, binDir);
    parts.closers.push(() => postgres.stop());
    if (parts.isRelaxed) await relaxServer(postgres.adminUrl);
    const template = await makeTemplate(postgres.adminUrl, parts.migrationsDir);
    return { TEST_DATABASE_URL: postgres.adminUrl, [TEMPLATE_VARIABLE]: template };
  }

  return {
    /**
     * The environment of a stage beyond what all processes of the run have, or the reason why the stage cannot run
     * here.
     */
    async of(stage: Stage, needsDatabases: boolean): Promise<{ env: Environment } | { missing: string }> {
      if (stage.kind === "PostgreSQL") {
        const serverDir = join(dataDir, `server-${stage.major}`);
        const found = await postgresBinaries(stage.major, dataDir, signal);
        if ("missing" in found) return found;
        tell(`PostgreSQL ${stage.major} is ${found.binDir}`);
        const databases = needsDatabases ? await startServer(serverDir, found.binDir) : {};
        return { env: { [POSTGRES_BIN_VARIABLE]: found.binDir, ...databases } };
      }
      if (stage.kind === "two nodes") {
        const missing = noEdge() || noCache();
        if (missing !== false) return { missing };
      }
      if (needsDatabases) packaged ??= startServer(dataDir);
      const databases = { ...(await packaged) };
      if (stage.kind !== "two nodes") return { env: databases };
      const { file, certificateFile } = await createEdgeCertificate(dataDir);
      atStart["NODE_EXTRA_CA_CERTS"] = certificateFile;
      return { env: { ...databases, [TWO_NODES_VARIABLE]: file } };
    },
    atStart,
  };
}
