import { availableParallelism } from "node:os";
import type { Settings } from "../platform/settings/settings.js";
import { TUNING } from "../domain/vocabulary/tuning.js";
import type { Report } from "./finding.js";

/** DOC-3: finds settings that are valid by themselves, but contradict each other or do not suit the host. */
export function checkSettings(settings: Settings, report: Report): void {
  const contradictions = CONTRADICTIONS.filter(({ holds }) => holds(settings));
  for (const { state, text } of contradictions) report(state, text);
  if (contradictions.every(({ state }) => state === "note")) report("ok", "do not contradict each other");
}

interface Contradiction {
  state: "note" | "wrong";
  text: string;
  holds(settings: Settings): boolean;
}

const CONTRADICTIONS: readonly Contradiction[] = [
  {
    state: "wrong",
    text: "CACHE_URL is set and DATABASE_URL is not: nodes that share a cache must share a PostgreSQL",
    holds: ({ cacheUrl, database }) => cacheUrl !== null && database.kind === "embedded",
  },
  {
    state: "wrong",
    text: "PORT and METRICS_PORT are the same on one address",
    holds: ({ host, port, metricsHost, metricsPort }) =>
      port !== 0 && port === metricsPort && (host === metricsHost || isEvery(host) || isEvery(metricsHost)),
  },
  {
    state: "wrong",
    text: "PAYINFERENCE_BENCH_NO_PERSISTENCE is for benches: decisions are answered and not stored",
    holds: ({ benchNoPersistence }) => benchNoPersistence,
  },
  {
    state: "wrong",
    text: "PAYINFERENCE_TEST_PATIENCE is for tests: it stretches the time limits of the service",
    holds: ({ patience }) => patience.databaseReadTimeoutMs !== TUNING.databaseReadTimeoutMs,
  },
  {
    state: "note",
    text: "SECRET_KEY is not set: webhook secrets and event endpoints cannot be stored",
    holds: ({ secretKey, database }) => secretKey === null && database.kind === "external",
  },
  {
    state: "note",
    text: "SMTP_URL is not set: links to invitations and new passwords are shown to who asks, and nobody who forgot a password gets one",
    holds: ({ mail, database }) => mail === null && database.kind === "external",
  },
  {
    state: "note",
    text: "SMTP_URL is smtp:// and not of this host: the letters' tokens are encrypted only where the mail server offers STARTTLS",
    holds: ({ mail }) => mail !== null && isPlainMailAndAway(mail.smtpUrl),
  },
  {
    state: "note",
    text: "DEMO=1 on a PostgreSQL of your own: each start prints the key and login of a demo workspace",
    holds: ({ demo, database }) => demo && database.kind === "external",
  },
  {
    state: "note",
    text: "PLATFORM_ADMIN_EMAIL is not set: nobody can suspend a workspace or see what was set aside",
    holds: ({ platformAdmin, database }) => platformAdmin === null && database.kind === "external",
  },
  {
    state: "note",
    text: "DECISION_WORKERS is more than the cores of this host, and they take turns",
    holds: ({ decisionWorkers }) => decisionWorkers > availableParallelism(),
  },
  {
    state: "note",
    text: "SHUTDOWN_GRACE_MS is 0: a stop does not wait for requests and leaves the journal to the next start",
    holds: ({ shutdownGraceMs }) => shutdownGraceMs === 0,
  },
  {
    state: "note",
    text: "RATE_LIMIT_PER_MINUTE is 0: one tenant may take all of a node",
    holds: ({ rateLimitPerMinute }) => rateLimitPerMinute === 0,
  },
  {
    state: "note",
    text: "EVENTS_ALLOW_PRIVATE=1: who may add an event endpoint can reach addresses of your network",
    holds: ({ eventsAllowPrivate }) => eventsAllowPrivate,
  },
  {
    state: "note",
    text: "CACHE_URL is redis:// and not of this host: keys and hashed requests travel unencrypted",
    holds: ({ cacheUrl }) => cacheUrl !== null && isPlainAndAway(cacheUrl),
  },
];

function isPlainMailAndAway(smtpUrl: string): boolean {
  const { protocol, hostname } = new URL(smtpUrl);
  return protocol === "smtp:" && !/^(localhost|127\.\d+\.\d+\.\d+|\[::1\])$/.test(hostname);
}

const isEvery = (host: string): boolean => host === "0.0.0.0" || host === "::";

function isPlainAndAway(cacheUrl: string): boolean {
  const { protocol, hostname } = new URL(cacheUrl);
  return protocol === "redis:" && !/^(localhost|127\.\d+\.\d+\.\d+|\[::1\])$/.test(hostname);
}
