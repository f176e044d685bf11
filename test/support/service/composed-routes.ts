import { createLogger } from "../../../src/platform/telemetry/logger.js";
import { readSettings } from "../../../src/platform/settings/settings.js";
import { startService, type Service } from "../../../src/service.js";
import { createTestDatabase, temporaryDir } from "../postgres/postgres.js";
import { PROBED } from "./node.js";

let routes: Promise<Service["routes"]> | undefined;

/** Every route of the service. Only a start composes them, so this starts one in this process and stops it at once. */
export const composedRoutes = (): Promise<Service["routes"]> => (routes ??= startAndStop());

async function startAndStop(): Promise<Service["routes"]> {
  const [dataDir, { url }] = await Promise.all([temporaryDir(), createTestDatabase()]);
  const environment = { ...PROBED, DATABASE_URL: url, DATA_DIR: dataDir, PORT: "0", METRICS_PORT: "0" };
  const service = await startService(readSettings(environment), createLogger("silent"));
  await service.stop();
  return service.routes;
}
