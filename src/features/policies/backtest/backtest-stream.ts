import { TUNING } from "../../../domain/vocabulary/tuning.js";
import { READ_UNAVAILABLE, type ApiError } from "../../../platform/http/api-error.js";
import type { Exchange } from "../../../platform/http/exchange.js";
import type { Backtests, BacktestRun } from "./backtest-thread.js";
import type { BacktestReport } from "./messages.js";

type BacktestLine = BacktestReport | { type: "error"; message: string };

const NDJSON = "application/x-ndjson; charset=utf-8";
const TOO_MANY = "Too many backtests are waiting";
const FAILED = "The backtest could not be finished";
/** The number of decisions is unknown before the backtest's turn. */
const WAITING: BacktestLine = { type: "progress", replayed: 0, total: 0 };

/**
 * Answers with the reports of a backtest. The first line starts the stream. Until then a failure is answered by its
 * status: 503 when there is no place in the line or the decisions cannot be read. A backtest that waits for long sends
 * a line, because proxies treat a silent connection as dead.
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

/** The backtest never waits for the client. A slow client gets fewer progress lines and delays nobody else's turn. */
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
  // A thread that this node ended sends no last report.
  if (lines.hasBegun) await lines.end();
  else await lines.fail(READ_UNAVAILABLE, FAILED);
}

/** The lines on their way to a client. While the client accepts none, only the newest line waits. */
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

  /** Sends the last line again, because uWebSockets.js closes a streamed answer after ten seconds of silence. */
  repeat(): void {
    if (this.last !== null && this.writing === null) this.put(this.last);
  }

  /** Answers with `error` if no line was sent yet. Otherwise `message` goes into the last line. */
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
