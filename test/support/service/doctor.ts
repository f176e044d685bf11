import { spawn } from "node:child_process";
import { once } from "node:events";
import { text } from "node:stream/consumers";
import { ownFile } from "../../../src/platform/node/own-files.js";
import { freePort } from "../machine/free-port.js";
import { temporaryDir } from "../postgres/postgres.js";

export interface DoctorLine {
  state: string;
  subject: string;
  text: string;
}

export interface DoctorReport {
  exitCode: number | null;
  output: string;
  lines: DoctorLine[];
  /** The lines about a subject, each as `state: text`. */
  of(subject: string): string[];
}

/** Runs the operators' command. Gives it a DATA_DIR and ports where `env` has none. */
export async function runDoctor(
  env: Readonly<Record<string, string>>,
  words: readonly string[] = ["doctor"],
): Promise<DoctorReport> {
  const [dataDir, port, metricsPort] = await Promise.all([temporaryDir(), freePort(), freePort()]);
  const child = spawn(process.execPath, [ownFile("service/payinference.js"), ...words], {
    env: {
      PATH: process.env["PATH"],
      DATA_DIR: dataDir,
      PORT: String(port),
      METRICS_PORT: String(metricsPort),
      ...env,
    },
    stdio: ["ignore", "pipe", "pipe"],
  });
  const [stdout, stderr, [exitCode]] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    once(child, "close") as Promise<[number | null]>,
  ]);
  const output = stdout + stderr;
  const lines = output
    .trimEnd()
    .split("\n")
    .map((line) => ({
      state: line.slice(0, 9).trim(),
      subject: line.slice(9, 21).trim(),
      text: line.slice(21),
    }));
  const of = (subject: string): string[] =>
    lines.filter((line) => line.subject === subject).map((line) => `${line.state}: ${line.text}`);
  return { exitCode, output, lines, of };
}
