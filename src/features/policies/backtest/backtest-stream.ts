import { TUNING } from "../../../domain/vocabulary/tuning.js";
import { READ_UNAVAILABLE, type ApiError } from "../../../platform/http/api-error.js";
import type { Exchange } from "../../../platform/http/exchange.js";
import type { Backtests, BacktestRun } from "./backtest-thread.js";
import type { BacktestReport } from "./messages.js";

type BacktestLine = BacktestReport | { type: "error"; message: string };

const NDJSON = "application/x-ndjson; charset=utf-8";
const TOO_MANY = "Too many backtests are waiting";
const FAILED = "The backtest could not be finished";
/** Before its turn a backtest knows of no decision. */
const WAITING: BacktestLine = { type: "progress", replayed: 0, total: 0 };

/**
 * Answers by what a backtest reports. Its first line begins the stream, and until then a failure is told as a status:
 * where the turn comes soon, that it has no place or cannot be read is a 503. One that waits for long tells so, because
 * proxies take what says nothing for dead.
 */
export async function streamBacktest(
  exchange: Exchange,
  start: (clientGone: AbortSignal) => ReturnType<Backtests["start"]>,
): Promise<void> {
  const lines = new Lines(exchange);
  const clientGone = new AbortController();
  exchange.onPeerGone(() => clientGone.abort());
  let isWaiting = true;
  const heartbeat = setInterval(() => {
    if (isWaiting && !lines.hasBegun) lines.send(WAITING);
    else lines.repeat();
  }, TUNING.streamHeartbeatMs);
  try {
    const run = await start(clientGone.signal);
    isWaiting = false;
    if (run === "gone") return;
    if (run === "full") return await lines.fail({ kind: "unavailable", message: TOO_MANY }, TOO_MANY);
    await sendReports(lines, run, () => clearInterval(heartbeat));
  } finally {
    clearInterval(heartbeat);
  }
}

/** Nothing waits for the client: one that reads slowly hears less of the progress, and keeps no other from its turn. */
async function sendReports(lines: Lines, run: BacktestRun, onLast: () => void): Promise<void> {
  try {
    for (let report = await run.next(); report !== null; report = await run.next()) {
      if (report.type !== "progress") onLast();
      if (report.type === "failed") return await lines.fail(READ_UNAVAILABLE, FAILED);
      lines.send(report);
    }
  } finally {
    run.stop();
  }
  // A thread that was ended by us has said nothing of it.
  if (lines.hasBegun) await lines.end();
  else await lines.fail(READ_UNAVAILABLE, FAILED);
}

/** Lines on their way to a client, of which the newest alone waits while it takes none. */
class Lines {
  private last: string | null = null;
  private unwritten: string | null = null;
  private writing: Promise<void> | null = null;

  constructor(private readonly exchange: Exchange) {}

  get hasBegun(): boolean {
    return this.last !== null;
  }

  send(line: BacktestLine): void {
    if (this.last === null) this.exchange.startStream(NDJSON);
    this.last = `${JSON.stringify(line)}\n`;
    this.put(this.last);
  }

  /** uWebSockets.js closes a streamed answer that stands still for ten seconds. */
  repeat(): void {
    if (this.last !== null && this.writing === null) this.put(this.last);
  }

  /** Answers `error` while there is no line yet, and else tells `message` in the last one. */
  async fail(error: ApiError, message: string): Promise<void> {
    if (this.last === null) return this.exchange.fail(error);
    this.send({ type: "error", message });
    await this.end();
  }

  async end(): Promise<void> {
    await this.writing;
    this.exchange.endStream();
  }

  private put(text: string): void {
    this.unwritten = text;
    this.writing ??= this.write();
  }

  private async write(): Promise<void> {
    for (let text = this.take(); text !== null; text = this.take()) {
      if (!(await this.exchange.writePart(text))) break;
    }
    this.writing = null;
  }

  private take(): string | null {
    const text = this.unwritten;
    this.unwritten = null;
    return text;
  }
}
