import { demoRequest, type Demo } from "./demo.js";
import { demoTriesText } from "./demo-tries.js";

/** Where a node listens, and for whom the report is. */
export interface StartReport {
  url: string;
  metricsUrl: string;
  /** A terminal has a reader; anything else collects lines, and TELE-10 makes log lines JSON. */
  isTerminal: boolean;
  now(): Date;
}

/** It listens, and PostgreSQL has not been prepared yet: decisions are made from what this node knew last. */
export function waitingReport(report: StartReport): string {
  return listening(report, "waiting", "waits for PostgreSQL, and decides from what it knew last,");
}

/** It listens, PostgreSQL is prepared, and the demo, where there is one, can be tried. */
export function readyReport(report: StartReport, demo: Demo | null, providers: readonly string[]): string {
  const line = listening(report, "ready", "is ready");
  return demo === null ? line : line + demoReport(report.url, demo, providers);
}

const PINO_INFO = 30;

function listening({ url, metricsUrl, isTerminal, now }: StartReport, state: string, text: string): string {
  if (isTerminal) return `PayInference ${text} at ${url} (metrics: ${metricsUrl})\n`;
  // The fields of every log line (platform/telemetry/logger.ts), whatever LOG_LEVEL is: this is what the command says.
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
