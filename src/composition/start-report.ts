import { demoRequest, type Demo } from "./demo.js";
import { demoTriesText } from "./demo-tries.js";

/** A node's addresses, and how the report is read. */
export interface StartReport {
  url: string;
  metricsUrl: string;
  /** True if a person reads the output. Otherwise lines are collected as a log, and TELE-10 requires JSON. */
  isTerminal: boolean;
  now(): Date;
}

/** The report of a node that listens before PostgreSQL is prepared. It decides with its last copies. */
export function waitingReport(report: StartReport): string {
  return listening(report, "waiting", "waits for PostgreSQL, and decides from what it knew last,");
}

/** The report of a node that listens when PostgreSQL is prepared. It includes the demo, if there is one. */
export function readyReport(report: StartReport, demo: Demo | null, providers: readonly string[]): string {
  const line = listening(report, "ready", "is ready");
  return demo === null ? line : line + demoReport(report.url, demo, providers);
}

const PINO_INFO = 30;

function listening({ url, metricsUrl, isTerminal, now }: StartReport, state: string, text: string): string {
  if (isTerminal) return `PayInference ${text} at ${url} (metrics: ${metricsUrl})\n`;
  // The same fields as in a log line (platform/telemetry/logger.ts). The line does not depend on LOG_LEVEL, because it
  // is the command's output.
  const head = { level: PINO_INFO, time: now().toISOString(), service: "payinference" };
  return `${JSON.stringify({ ...head, url, metrics_url: metricsUrl, msg: state })}\n`;
}

/**
 * SET-12: the demo's key, login, URL and a ready-to-paste curl. They are for people, even if stdout is not a terminal.
 */
function demoReport(url: string, demo: Demo, providers: readonly string[]): string {
  return `
  URL      ${url}
  API key  ${demo.api_key}
  login    ${demo.email} / ${demo.password}

Try it:

curl -s ${url}/v1/decision \\
  -H 'x-api-key: ${demo.api_key}' \\
  -H 'content-type: application/json' \\
  -d '${demoRequest(demo, providers)}'

The other instructions:

${demoTriesText(url, demo, providers)}
`;
}
