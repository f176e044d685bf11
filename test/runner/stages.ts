import type { RunOptions } from "./options.js";

/** The oldest supported version of PostgreSQL. */
export const OLDEST_MAJOR = "15";

/** A part of a run. Stages run at the same time, because each spends a third of its time waiting. */
export type Stage =
  | { kind: "quick" | "processes" | "installed" | "changed" | "long" | "two nodes" }
  | { kind: "PostgreSQL"; major: string };

export function stagesOf(options: RunOptions): Stage[] {
  if (options.isLong) return [{ kind: "long" }];
  if (options.isChanged) return [{ kind: "changed" }];
  const stages: Stage[] = [];
  if (options.isTwoNodes) stages.push({ kind: "two nodes" });
  if (options.isProcesses) stages.push({ kind: "processes" });
  if (options.isInstalled) stages.push({ kind: "installed" });
  if (options.isAgain && !options.majors.includes(OLDEST_MAJOR)) stages.push({ kind: "quick" });
  for (const major of options.majors) stages.push({ kind: "PostgreSQL", major });
  return stages.length === 0 ? [{ kind: "quick" }] : stages;
}

export const inWords = (stage: Stage): string =>
  stage.kind === "PostgreSQL" ? `PostgreSQL ${stage.major}` : stage.kind;

/**
 * A file's name within a stage. A file that runs in several stages has several names: "two nodes:
 * service/outcomes/outcomes.test.js".
 */
export const nameIn = (stage: Stage, file: string): string =>
  stage.kind === "two nodes" || stage.kind === "PostgreSQL" ? `${inWords(stage)}: ${file}` : file;

/** The file that a name belongs to, under dist/test/. */
export const fileOf = (name: string): string => name.slice(name.lastIndexOf(" ") + 1);
