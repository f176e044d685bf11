import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import cliProgress from "cli-progress";
import { histogramChart } from "./load/histogram-chart.js";
import { openConnection } from "./client/http-connection.js";
import { runAutocannon } from "./load/load-autocannon.js";
import { LOAD_HELP, LoadArgumentError, parseLoadOptions, type LoadOptions } from "./load/load-options.js";
import { latencySvg, reportHtml } from "./load/load-report.js";
import { runLoad, type LoadPlan } from "./client/load-run.js";
import { summarize, summaryLines, verdict } from "./load/load-summary.js";
import { createRecordedSource, createTrafficSource } from "./client/request-source.js";

process.exitCode = await main();

/** Resolves to the exit status: 0 within budget, 1 over it, 2 for bad arguments. */
async function main(): Promise<number> {
  let options: LoadOptions | "help";
  try {
    options = parseLoadOptions(process.argv.slice(2), process.env);
  } catch (error) {
    if (!(error instanceof LoadArgumentError)) throw error;
    process.stderr.write(`load: ${error.message} (--help lists the options)\n`);
    return 2;
  }
  if (options === "help") {
    process.stdout.write(LOAD_HELP);
    return 0;
  }
  const unreachable = await connectFailure(options.url);
  if (unreachable !== undefined) {
    process.stderr.write(`load: ${options.url.origin} cannot be reached: ${unreachable}\n`);
    return 1;
  }
  return measure(options);
}

async function measure(options: LoadOptions): Promise<number> {
  const source =
    options.bodies === undefined
      ? createTrafficSource(options, options)
      : createRecordedSource(options, options.bodies);
  const stop = new AbortController();
  process.once("SIGINT", () => stop.abort());
  const plan: LoadPlan = {
    url: options.url,
    connections: options.connections,
    durationMs: options.durationMs,
    signal: stop.signal,
    ...(options.ratePerSecond === undefined ? {} : { ratePerSecond: options.ratePerSecond }),
  };
  const bar = progressBar(options.durationMs);
  const result = await (plan.ratePerSecond === undefined ? runAutocannon : runLoad)(plan, source, bar.update);
  bar.stop();

  const summary = summarize(result);
  const failures = verdict(summary, options);
  if (options.json) {
    process.stdout.write(`${JSON.stringify({ ...summary, verdict: failures })}\n`);
  } else {
    const lines = [
      ...setting(options).map(([name, value]) => `${name.padEnd(10)} ${value}`),
      "",
      ...histogramChart(result.latency, options.budgetMs),
      "",
      ...summaryLines(summary),
      "",
      ...(failures.length === 0
        ? [`PASS       p95 ${summary.p95Ms.toFixed(2)} ms is within the budget of ${options.budgetMs} ms`]
        : failures.map((line) => `FAIL       ${line}`)),
    ];
    process.stdout.write(`${lines.join("\n")}\n`);
  }
  if (options.reportDir !== undefined) {
    const input = {
      title: `Load on ${options.url.host}`,
      setting: setting(options),
      summary,
      latency: result.latency,
      budgetMs: options.budgetMs,
      verdict: failures,
    };
    await mkdir(options.reportDir, { recursive: true });
    await writeFile(join(options.reportDir, "report.html"), reportHtml(input));
    await writeFile(join(options.reportDir, "latency.svg"), latencySvg(input));
  }
  return failures.length === 0 ? 0 : 1;
}

function setting(options: LoadOptions): Array<readonly [string, string]> {
  return [
    ["target", options.url.href],
    [
      "load",
      `${options.connections} connections, ` +
        (options.ratePerSecond === undefined
          ? "closed loop (autocannon)"
          : `${options.ratePerSecond} req/s, open loop, timed from the scheduled send`),
    ],
    [
      "traffic",
      options.bodies === undefined ? `seed ${options.seed}` : `${options.bodies.length} recorded bodies`,
    ],
  ];
}

/** autocannon would retry a refused connection in a busy loop for the whole run, so this checks first. */
async function connectFailure(url: URL): Promise<string | undefined> {
  try {
    const connection = await openConnection(url, { onReply() {}, onFailure() {} });
    connection.close();
    return undefined;
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    return code ?? message;
  }
}

/** Only a person at a terminal wants a progress bar. It goes to stderr, so that stdout has only the result. */
function progressBar(durationMs: number): { update(elapsedMs: number, replies: number): void; stop(): void } {
  if (!process.stderr.isTTY) return { update() {}, stop() {} };
  const bar = new cliProgress.SingleBar({
    format: "{bar} {percentage}%  {replies} answered",
    clearOnComplete: true,
    hideCursor: true,
  });
  bar.start(durationMs, 0, { replies: 0 });
  return {
    update: (elapsedMs, replies) => bar.update(Math.min(durationMs, Math.round(elapsedMs)), { replies }),
    stop: () => bar.stop(),
  };
}
