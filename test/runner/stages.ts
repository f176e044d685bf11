import type { RunOptions } from "./options.js";

/** A part of a run. The stages of a run go side by side, since each waits for a third of its time. */
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
  for (const major of options.majors) stages.push({ kind: "PostgreSQL", major });
  return stages.length === 0 ? [{ kind: "quick" }] : stages;
}

export const inWords = (stage: Stage): string =>
  stage.kind === "PostgreSQL" ? `PostgreSQL ${stage.major}` : stage.kind;

/** A file that runs in several stages has a name in each: "two nodes: service/outcomes/outcomes.test.js". */
export const nameIn = (stage: Stage, file: string): string =>
  stage.kind === "two nodes" || stage.kind === "PostgreSQL" ? `${inWords(stage)}: ${file}` : file;

/** The file of a name, under dist/test/. */
export const fileOf = (name: string): string => name.slice(name.lastIndexOf(" ") + 1);
