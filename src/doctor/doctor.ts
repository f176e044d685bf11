import { resolve } from "node:path";
import { dataDirHolder } from "../platform/node/data-dir.js";
import { readSettings, type Settings } from "../platform/settings/settings.js";
import { checkArchive } from "./archive.js";
import { checkCache } from "./cache.js";
import { checkClickHouse } from "./clickhouse.js";
import { checkDataDir } from "./data-dir.js";
import { findings, type Finding } from "./finding.js";
import { checkIdentityProvider } from "./identity-provider.js";
import { checkPostgres } from "./postgres.js";
import { checkPorts, checkProgram, checkTraces } from "./program.js";
import { checkSettings } from "./settings.js";

/**
 * Examines the whole set-up of a node without changing anything. If the settings are unusable, nothing after them is
 * examined.
 */
export async function examine(environment: Readonly<Record<string, string | undefined>>): Promise<Finding[]> {
  const program = await findings("program", checkProgram);
  let settings: Settings | null = null;
  const read = await findings("settings", (report) => {
    settings = readSettings(environment);
    checkSettings(settings, report);
  });
  return [...program, ...read, ...(settings === null ? [] : await surroundings(settings))];
}

async function surroundings(settings: Settings): Promise<Finding[]> {
  const dataDir = resolve(settings.dataDir);
  const holder = await dataDirHolder(dataDir);
  const parts = await Promise.all([
    findings("data dir", (report) => checkDataDir(dataDir, settings.journalMaxBytes, holder, report)),
    findings("ports", (report) => checkPorts(settings, holder, report)),
    checkPostgres(settings),
    findings("cache", (report) => checkCache(settings, report)),
    findings("archive", (report) => checkArchive(settings.archiveDir, report)),
    findings("clickhouse", (report) => checkClickHouse(settings.analyticsUrl, report)),
    findings("traces", (report) => checkTraces(settings.otlpEndpoint, report)),
    findings("oidc", (report) => checkIdentityProvider(settings.oidc, report)),
  ]);
  return parts.flat();
}
