import { readFileSync } from "node:fs";
import { parseArgs } from "node:util";
import { DEFAULT_MERCHANTS, DEFAULT_PROVIDERS } from "../client/traffic.js";

export interface LoadOptions {
  url: URL;
  key: string;
  connections: number;
  durationMs: number;
  /** The rate of the open loop. Undefined selects autocannon's closed loop. */
  ratePerSecond: number | undefined;
  seed: number;
  merchants: readonly string[];
  providers: readonly string[];
  /** Recorded bodies that replace generated ones. */
  bodies: readonly string[] | undefined;
  budgetMs: number;
  reportDir: string | undefined;
  allowStatus: boolean;
  json: boolean;
}

export const LOAD_HELP = `npm run load -- [options]

Sends decisions to a running service and fails when its p95 is over the budget.

  --url URL           where to send (default http://127.0.0.1:8080; /v1/decision is added to a bare address)
  --key KEY           API key, sent as x-api-key (default: the variable PAYINFERENCE_KEY)
  --connections N     keep-alive connections (default 64)
  --duration S        seconds (default 10)
  --rate N            requests a second, evenly spaced, timed from when each was due (open loop);
                      without it every reply sends the next request (closed loop, autocannon)
  --seed N            the same seed gives the same traffic (default 1)
  --merchants A,B     merchant ids to send for (default ${DEFAULT_MERCHANTS.join(",")})
  --providers A,B     provider ids to offer (default ${DEFAULT_PROVIDERS.join(",")})
  --requests FILE     recorded request bodies, one JSON object a line, instead of generated ones
  --budget-ms N       p95 over this many milliseconds is a failure (default 50)
  --allow-status      replies other than 200 are not a failure
  --report DIR        write report.html and latency.svg there
  --json              print one line of JSON instead of text
  --help              this text

Exit status: 0 within budget, 1 over budget or any failed request, 2 for bad arguments.
`;

/** The message is one line that names the invalid argument. */
export class LoadArgumentError extends Error {}

/** @throws {LoadArgumentError} */
export function parseLoadOptions(
  argv: readonly string[],
  env: Readonly<Record<string, string | undefined>>,
): LoadOptions | "help" {
  const values = parse(argv);
  if (values.help) return "help";
  return {
    url: target(values.url),
    key: values.key ?? env["PAYINFERENCE_KEY"] ?? "",
    connections: integer("--connections", values.connections, 1, 10_000),
    durationMs: Math.round(positive("--duration", values.duration, 86_400) * 1000),
    ratePerSecond: values.rate === undefined ? undefined : positive("--rate", values.rate, 1_000_000),
    seed: integer("--seed", values.seed, 0, 2 ** 32 - 1),
    merchants: list("--merchants", values.merchants),
    providers: list("--providers", values.providers),
    bodies: values.requests === undefined ? undefined : recordedBodies(values.requests),
    budgetMs: positive("--budget-ms", values["budget-ms"], 600_000),
    reportDir: values.report,
    allowStatus: values["allow-status"],
    json: values.json,
  };
}

function parse(argv: readonly string[]) {
  try {
    return parseArgs({
      args: [...argv],
      strict: true,
      allowPositionals: false,
      options: {
        url: { type: "string", default: "http://127.0.0.1:8080" },
        key: { type: "string" },
        connections: { type: "string", default: "64" },
        duration: { type: "string", default: "10" },
        rate: { type: "string" },
        seed: { type: "string", default: "1" },
        merchants: { type: "string", default: DEFAULT_MERCHANTS.join(",") },
        providers: { type: "string", default: DEFAULT_PROVIDERS.join(",") },
        requests: { type: "string" },
        "budget-ms": { type: "string", default: "50" },
        "allow-status": { type: "boolean", default: false },
        report: { type: "string" },
        json: { type: "boolean", default: false },
        help: { type: "boolean", default: false },
      },
    }).values;
  } catch (error) {
    // parseArgs explains positionals in several sentences. The first one names the argument.
    throw new LoadArgumentError((error as Error).message.split(/\.\s/)[0]);
  }
}

function target(text: string): URL {
  const url = URL.parse(text);
  if (url === null || !["http:", "https:"].includes(url.protocol)) {
    throw new LoadArgumentError(`--url must be an http or https address, not "${text}"`);
  }
  if (url.pathname === "/") url.pathname = "/v1/decision";
  return url;
}

function positive(name: string, text: string, max: number): number {
  const value = text.trim() === "" ? Number.NaN : Number(text);
  if (!(value > 0 && value <= max))
    throw new LoadArgumentError(`${name} must be a number over 0 and at most ${max}`);
  return value;
}

function integer(name: string, text: string, min: number, max: number): number {
  const value = text.trim() === "" ? Number.NaN : Number(text);
  if (!Number.isInteger(value) || value < min || value > max) {
    throw new LoadArgumentError(`${name} must be an integer from ${min} to ${max}`);
  }
  return value;
}

function list(name: string, text: string): string[] {
  const items = text.split(",").filter((item) => item !== "");
  if (items.length === 0) throw new LoadArgumentError(`${name} must name at least one, separated by commas`);
  return items;
}

function recordedBodies(path: string): string[] {
  let text: string;
  try {
    text = readFileSync(path, "utf8");
  } catch (error) {
    throw new LoadArgumentError(`--requests cannot be read: ${(error as Error).message}`);
  }
  const bodies: string[] = [];
  for (const [index, line] of text.split(/\r?\n/).entries()) {
    if (line.trim() === "") continue;
    if (!isJsonObject(line)) throw new LoadArgumentError(`--requests line ${index + 1} is not a JSON object`);
    bodies.push(line);
  }
  if (bodies.length === 0) throw new LoadArgumentError("--requests holds no request bodies");
  return bodies;
}

function isJsonObject(text: string): boolean {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === "object" && value !== null && !Array.isArray(value);
  } catch {
    return false;
  }
}
