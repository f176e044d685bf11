import { availableParallelism } from "node:os";
import { bool, cleanEnv, str } from "envalid";
import { journalLimits } from "./journal.js";
import { MAIL_SPECS, mailOf, type MailSettings } from "./mail-settings.js";
import { OIDC_SPECS, readOidc, type OidcSettings } from "./oidc.js";
import { SettingsError } from "./settings-error.js";
import {
  archiveUrl,
  cellName,
  clickHouseUrl,
  currencyList,
  email,
  httpUrl,
  integer,
  nonEmpty,
  password,
  postgresUrl,
  providerList,
  redisUrl,
  secretKey,
} from "./validators.js";
import { KEPT, type KeptLimits } from "../../domain/vocabulary/kept-limits.js";
import { LIMITS } from "../../domain/vocabulary/limits.js";
import { patienceOf, type Patience } from "../../domain/vocabulary/patience.js";

/** If DATABASE_URL is unset, the service starts its own PostgreSQL under DATA_DIR. */
export type DatabaseSetting = { kind: "embedded" } | { kind: "external"; url: string };

/** One field per setting. */
export interface Settings {
  host: string;
  port: number;
  metricsHost: string;
  metricsPort: number;
  database: DatabaseSetting;
  /** The Valkey or Redis that the nodes share. Null if a node's only cache is LMDB under DATA_DIR. */
  cacheUrl: string | null;
  /** PEM certificates of the authorities for a `rediss://` cache. Null means the authorities that Node trusts. */
  cacheCaFile: string | null;
  /** How long a request waits for the shared cache before the request continues without the cache. */
  cacheTimeoutMs: number;
  dataDir: string;
  /** CELL-1: the name of this node's cell. Null means that the deployment has one cell. */
  cell: string | null;
  decisionWorkers: number;
  /** True if decide workers request real-time scheduling. */
  decisionRealTime: boolean;
  /** Requests per minute. 0 turns the limit off. */
  rateLimitPerMinute: number;
  authRateLimitPerMinute: number;
  webhookRateLimitPerMinute: number;
  trustProxyHops: number;
  demo: boolean;
  /** ACC-10: true if anybody may register. The first account is always allowed. */
  registrationIsOpen: boolean;
  providers: readonly string[];
  probeCurrencies: readonly string[];
  /** 0 turns probes off. */
  probeIntervalMs: number;
  riskBlockThreshold: number;
  /** RET-2: the number of days for which decisions are kept. 0 keeps all. */
  retentionDays: number;
  /** RET-10: the folder to which ARCHIVE_URL leads. Null if removed data is not archived. */
  archiveDir: string | null;
  /** SET-14: the limits on records that a workspace keeps forever. 0 means no limit. */
  kept: KeptLimits;
  logLevel: LogLevel;
  shutdownGraceMs: number;
  journalMaxBytes: number;
  journalSync: JournalSync;
  /** DUR-17: true if each answer waits until the shared cache has its record. */
  journalMirror: boolean;
  /** How many of the cache's replicas must also have the record. */
  journalMirrorReplicas: number;
  /** The key that encrypts secrets at rest. Null if SECRET_KEY is not set. */
  secretKey: string | null;
  /** EVT-10: true if events may be sent to addresses of private networks, and without TLS. */
  eventsAllowPrivate: boolean;
  /** ACC-27: null means that the service shows tokens to the person who requests them and sends no mail. */
  mail: MailSettings | null;
  /** CH-1: the address of the ClickHouse that has a copy of the log. Null if there is none. */
  analyticsUrl: string | null;
  /** The address of the receiver of traces. Null if there is none. */
  otlpEndpoint: string | null;
  /** ADM-7: the person who may suspend and activate workspaces. Null if nobody may. */
  platformAdmin: { email: string; password: string } | null;
  /** Null if people sign in with passwords alone. */
  oidc: OidcSettings | null;
  /** For benches only: true if decisions are answered, but neither journalled nor stored. */
  benchNoPersistence: boolean;
  /** The service's time limits. Tests on a busy host lengthen them. */
  patience: Patience;
}

export const LOG_LEVELS = ["trace", "debug", "info", "warn", "error", "fatal", "silent"] as const;
export type LogLevel = (typeof LOG_LEVELS)[number];

const REGISTRATIONS = ["open", "closed"] as const;

export const JOURNAL_SYNCS = ["interval", "always"] as const;
export type JournalSync = (typeof JOURNAL_SYNCS)[number];

export { SettingsError } from "./settings-error.js";

function refuseFirst([first]: readonly [name: string, error: Parameters<typeof describe>[1]][]): void {
  if (first !== undefined) throw new SettingsError(`${first[0]}: ${describe(first[0], first[1])}`);
}

const KEPT_SPECS = {
  MERCHANTS_MAX: integer(0, 1e9)({ default: KEPT.merchants.max }),
  POLICIES_PER_MERCHANT_MAX: integer(0, 1e9)({ default: KEPT.policies.max }),
  CONTRACTS_PER_MERCHANT_MAX: integer(0, 1e9)({ default: KEPT.contracts.max }),
  API_KEYS_MAX: integer(0, 1e9)({ default: KEPT.apiKeys.max }),
  INVITATIONS_MAX: integer(0, 1e9)({ default: KEPT.invitations.max }),
  WEBHOOK_SECRETS_MAX: integer(0, 1e9)({ default: KEPT.webhookSecrets.max }),
};

const RETENTION_SPECS = {
  RETENTION_DAYS: integer(0, LIMITS.retentionDaysMax)({ default: 400 }),
  ARCHIVE_URL: archiveUrl({ default: undefined }),
};

const JOURNAL_SPECS = {
  JOURNAL_SYNC: str({ choices: JOURNAL_SYNCS, default: "interval" }),
  JOURNAL_MAX_BYTES: integer(1024 * 1024, 2 ** 46)({ default: 8 * 2 ** 30 }),
  JOURNAL_MIRROR: bool({ default: false }),
  JOURNAL_MIRROR_REPLICAS: integer(0, 16)({ default: 0 }),
  JOURNAL_MIRROR_MAX_BYTES: integer(1024 * 1024, 2 ** 46)({ default: 2 ** 30 }),
};

const NODE_SPECS = {
  CELL: cellName({ default: undefined }),
  DATA_DIR: nonEmpty({ default: "./data" }),
  DECISION_WORKERS: integer(1, 256)({ default: Math.max(1, availableParallelism() - 1) }),
  DECISION_REALTIME: bool({ default: true }),
};

/** The settings of the other systems that receive the service's data. */
const SECOND_HOME_SPECS = {
  ANALYTICS_URL: clickHouseUrl({ default: undefined }),
  OTEL_EXPORTER_OTLP_ENDPOINT: httpUrl({ default: undefined }),
};

const ADMIN_SPECS = {
  PLATFORM_ADMIN_EMAIL: email({ default: undefined }),
  PLATFORM_ADMIN_PASSWORD: password({ default: undefined }),
};

const TEST_SPECS = {
  PAYINFERENCE_BENCH_NO_PERSISTENCE: bool({ default: false }),
  // For tests only: the factor by which time limits are stretched.
  PAYINFERENCE_TEST_PATIENCE: integer(1, 100)({ default: 1 }),
};

const secondHomes = (
  env: Readonly<Partial<Record<keyof typeof SECOND_HOME_SPECS, string | undefined>>>,
): Pick<Settings, "analyticsUrl" | "otlpEndpoint"> => ({
  analyticsUrl: env.ANALYTICS_URL ?? null,
  otlpEndpoint: env.OTEL_EXPORTER_OTLP_ENDPOINT ?? null,
});

const keptLimits = (env: Readonly<Record<keyof typeof KEPT_SPECS, number>>): KeptLimits => ({
  merchants: env.MERCHANTS_MAX,
  policies: env.POLICIES_PER_MERCHANT_MAX,
  contracts: env.CONTRACTS_PER_MERCHANT_MAX,
  apiKeys: env.API_KEYS_MAX,
  invitations: env.INVITATIONS_MAX,
  webhookSecrets: env.WEBHOOK_SECRETS_MAX,
});

const PROVIDERS_DEFAULT = ["provider_1", "provider_2", "provider_3", "provider_4", "provider_5"];
const PROBE_CURRENCIES_DEFAULT = ["USD", "EUR", "GBP", "NGN", "KES", "INR", "BRL", "JPY"];

/** Reads the environment. Throws SettingsError with one line that names the first invalid setting. */
export function readSettings(environment: Readonly<Record<string, string | undefined>>): Settings {
  const env = cleanEnv(
    environment,
    {
      HOST: nonEmpty({ default: "127.0.0.1" }),
      PORT: integer(0, 65535)({ default: 8080 }),
      METRICS_HOST: nonEmpty({ default: "127.0.0.1" }),
      METRICS_PORT: integer(0, 65535)({ default: 9464 }),
      DATABASE_URL: postgresUrl({ default: undefined }),
      CACHE_URL: redisUrl({ default: undefined }),
      CACHE_CA_FILE: nonEmpty({ default: undefined }),
      CACHE_TIMEOUT_MS: integer(1, 1000)({ default: 15 }),
      ...NODE_SPECS,
      RATE_LIMIT_PER_MINUTE: integer(0, 1e9)({ default: 2000 }),
      AUTH_RATE_LIMIT_PER_MINUTE: integer(0, 1e9)({ default: 10 }),
      WEBHOOK_RATE_LIMIT_PER_MINUTE: integer(0, 1e9)({ default: 600 }),
      TRUST_PROXY_HOPS: integer(0, 32)({ default: 0 }),
      DEMO: bool({ default: undefined }),
      REGISTRATION: str({ choices: REGISTRATIONS, default: undefined }),
      PROVIDERS: providerList({ default: PROVIDERS_DEFAULT }),
      PROBE_CURRENCIES: currencyList({ default: PROBE_CURRENCIES_DEFAULT }),
      PROBE_INTERVAL_MS: integer(100, 60_000, 0)({ default: 1000 }),
      RISK_BLOCK_THRESHOLD: integer(0, 100)({ default: 90 }),
      ...RETENTION_SPECS,
      ...KEPT_SPECS,
      LOG_LEVEL: str({ choices: LOG_LEVELS, default: "info" }),
      SHUTDOWN_GRACE_MS: integer(0, 600_000)({ default: 10_000 }),
      ...JOURNAL_SPECS,
      SECRET_KEY: secretKey({ default: undefined }),
      EVENTS_ALLOW_PRIVATE: bool({ default: false }),
      ...MAIL_SPECS,
      ...SECOND_HOME_SPECS,
      ...OIDC_SPECS,
      ...ADMIN_SPECS,
      ...TEST_SPECS,
    },
    { reporter: ({ errors }) => refuseFirst(Object.entries(errors)) },
  );
  const url = env.DATABASE_URL;
  return {
    host: env.HOST,
    port: env.PORT,
    metricsHost: env.METRICS_HOST,
    metricsPort: env.METRICS_PORT,
    database: url === undefined ? { kind: "embedded" } : { kind: "external", url },
    cacheUrl: env.CACHE_URL ?? null,
    cacheCaFile: readCacheCaFile(env.CACHE_CA_FILE, env.CACHE_URL),
    cacheTimeoutMs: env.CACHE_TIMEOUT_MS,
    dataDir: env.DATA_DIR,
    cell: env.CELL ?? null,
    decisionWorkers: env.DECISION_WORKERS,
    decisionRealTime: env.DECISION_REALTIME,
    rateLimitPerMinute: env.RATE_LIMIT_PER_MINUTE,
    authRateLimitPerMinute: env.AUTH_RATE_LIMIT_PER_MINUTE,
    webhookRateLimitPerMinute: env.WEBHOOK_RATE_LIMIT_PER_MINUTE,
    trustProxyHops: env.TRUST_PROXY_HOPS,
    demo: env.DEMO ?? url === undefined,
    registrationIsOpen: isOpen(env.REGISTRATION, env.DEMO ?? url === undefined),
    providers: env.PROVIDERS,
    probeCurrencies: env.PROBE_CURRENCIES,
    probeIntervalMs: env.PROBE_INTERVAL_MS,
    riskBlockThreshold: env.RISK_BLOCK_THRESHOLD,
    retentionDays: env.RETENTION_DAYS,
    archiveDir: env.ARCHIVE_URL ?? null,
    kept: keptLimits(env),
    logLevel: env.LOG_LEVEL,
    shutdownGraceMs: env.SHUTDOWN_GRACE_MS,
    ...journalLimits(env),
    journalSync: env.JOURNAL_SYNC,
    secretKey: env.SECRET_KEY ?? null,
    eventsAllowPrivate: env.EVENTS_ALLOW_PRIVATE,
    mail: mailOf(env),
    ...secondHomes(env),
    platformAdmin: readPlatformAdmin(env.PLATFORM_ADMIN_EMAIL, env.PLATFORM_ADMIN_PASSWORD),
    oidc: readOidc(env),
    benchNoPersistence: env.PAYINFERENCE_BENCH_NO_PERSISTENCE,
    patience: patienceOf(env.PAYINFERENCE_TEST_PATIENCE),
  };
}

/** Refuses CACHE_CA_FILE without TLS: nothing would check the certificate, although the operator may rely on it. */
function readCacheCaFile(path: string | undefined, cacheUrl: string | undefined): string | null {
  if (path === undefined) return null;
  if (cacheUrl !== undefined && new URL(cacheUrl).protocol === "rediss:") return path;
  throw new SettingsError("CACHE_CA_FILE: must be set with a rediss:// CACHE_URL");
}

/**
 * Refuses a start with only one of the two settings: the operator would wait for an administrator that is never
 * created.
 */
function readPlatformAdmin(
  email: string | undefined,
  password: string | undefined,
): Settings["platformAdmin"] {
  if (email !== undefined && password !== undefined) return { email, password };
  if (email === undefined && password === undefined) return null;
  const [missing, other] = email === undefined ? ["EMAIL", "PASSWORD"] : ["PASSWORD", "EMAIL"];
  throw new SettingsError(`PLATFORM_ADMIN_${missing}: must be set with PLATFORM_ADMIN_${other}`);
}

const SWITCHES: ReadonlySet<string> = new Set([
  "DECISION_REALTIME",
  "DEMO",
  "EVENTS_ALLOW_PRIVATE",
  "JOURNAL_MIRROR",
  "PAYINFERENCE_BENCH_NO_PERSISTENCE",
]);

/** ACC-10: if the setting is absent, registration is open only in the demo. */
function isOpen(registration: "open" | "closed" | undefined, demo: boolean): boolean {
  return registration === undefined ? demo : registration === "open";
}

/** Returns the rule that a setting violates. It replaces messages of envalid that would repeat the invalid value. */
function describe(name: string, error: unknown): string {
  if (name === "LOG_LEVEL") return `must be one of ${LOG_LEVELS.join(", ")}`;
  if (name === "REGISTRATION") return `must be one of ${REGISTRATIONS.join(", ")}`;
  if (name === "JOURNAL_SYNC") return `must be one of ${JOURNAL_SYNCS.join(", ")}`;
  if (SWITCHES.has(name)) return "must be 0 or 1";
  return error instanceof TypeError ? error.message : "is not usable";
}
