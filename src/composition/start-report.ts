import { demoRequest, type Demo } from "./demo.js";
import { demoTriesText } from "./demo-tries.js";

/** The address of a node, and the reader of the report. */
export interface StartReport {
  url: string;
  metricsUrl: string;
  /** True if a person reads the output. Otherwise lines are collected, and TELE-10 requires JSON. */
  isTerminal: boolean;
  now(): Date;
}

/** The node listens, but PostgreSQL is not prepared yet. Decisions use the node's last copies. */
export function waitingReport(report: StartReport): string {
  return listening(report, "waiting", "waits for PostgreSQL, and decides from what it knew last,");
}

/** The node listens, PostgreSQL is prepared, and the demo can be tried if there is one. */
export function readyReport(report: StartReport, demo: Demo | null, providers: readonly string[]): string {
  const line = listening(report, "ready", "is ready");
  return demo === null ? line : line + demoReport(report.url, demo, providers);
}

const PINO_INFO = 30;

function listening({ url, metricsUrl, isTerminal, now }: StartReport, state: string, text: string): string {
  if (isTerminal) return `PayInference ${text} at ${url} (metrics: ${metricsUrl})\n`;
  // The fields of every log line (platform/telemetry/logger.ts). They do not depend on LOG_LEVEL, because this is the
  // command's output.
  const head = { level: PINO_INFO, time: now().toISOString(), service: "payinference" };
  return `${JSON.stringify({ ...head, url, metrics_url: metricsUrl, msg: state })}\n`;
}

/** SET-12: DEMO: key, login, URL and a ready-to-paste curl, for people, wherever stdout leads. */
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
