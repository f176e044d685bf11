import { execFile } from "node:child_process";
import { readFile, writeFile } from "node:fs/promises";
import { cpus, release, totalmem } from "node:os";
import { promisify } from "node:util";
import type { Figures } from "../support/load/figures.js";

const BEGIN = "<!-- figures:begin -->";
const END = "<!-- figures:end -->";
const HEAD = "| Fault | Promised | Measured | Run |\n|---|---|---|---|";

/** The figures of a run, as its test files wrote them: one JSON text a line. */
export function parseFigures(lines: string): Figures[] {
  return lines
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => JSON.parse(line) as Figures);
}

/**
 * Returns RELIABILITY.md with these figures in its table. A new line replaces the line of the same fault. A fault
 * without a new measurement keeps its line, which names the run that measured it.
 */
export function withFigures(document: string, figures: readonly Figures[], run: string): string {
  const [before = "", rest = ""] = document.split(BEGIN);
  const [table, after] = rest.split(END);
  if (table === undefined || after === undefined)
    throw new RangeError(`no ${BEGIN} … ${END} in the document`);
  const lines = new Map<string, string>();
  for (const line of table
    .split("\n")
    .filter((text) => text.startsWith("| "))
    .slice(1)) {
    lines.set(line.split(" | ")[0]?.slice(2) ?? "", line);
  }
  for (const { fault, promised, measured } of figures) {
    lines.set(cell(fault), `| ${[fault, promised, measured, run].map(cell).join(" | ")} |`);
  }
  return `${before}${BEGIN}\n\n${HEAD}\n${[...lines.values()].join("\n")}\n\n${END}${after}`;
}

const cell = (text: string): string => text.replaceAll("|", "/").replaceAll("\n", " ");

/** The last column: the date, the version and the host. */
export async function describeRun(quick: boolean): Promise<string> {
  const git = (...args: string[]) =>
    promisify(execFile)("git", args).then(
      ({ stdout }) => stdout.trim(),
      () => "",
    );
  const commit = (await git("rev-parse", "--short", "HEAD")) || "no commit";
  const changed =
    (await git("status", "--porcelain", "--", "src", "workers", "migrations")) === "" ? "" : "+";
  const [first] = cpus();
  const machine = `${cpus().length} × ${first?.model.trim() ?? "?"}, ${Math.round(totalmem() / 2 ** 30)} GiB, Linux ${release()}, Node ${process.version}`;
  const date = `${new Date().toISOString().slice(0, 16).replace("T", " ")} UTC`;
  return `${quick ? "shortened, " : ""}${commit}${changed}, ${date}, ${machine}`;
}

export async function writeReliability(file: string, figuresFile: string, quick: boolean): Promise<void> {
  const figures = parseFigures(await readFile(figuresFile, "utf8").catch(() => ""));
  if (figures.length === 0) return;
  await writeFile(file, withFigures(await readFile(file, "utf8"), figures, await describeRun(quick)));
}
