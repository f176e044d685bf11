#!/usr/bin/env node
import { examine } from "./doctor/doctor.js";
import { reportText } from "./doctor/finding.js";
import { archivePath } from "./platform/settings/validators.js";

const USAGE = `usage: payinference doctor
       payinference archive verify <url>

  doctor          looks at the set-up of this node, by the environment that the service would start with,
                  and changes nothing. Prints one line for each finding: ok, note, wrong or skipped.
                  Exits with 1 if something is wrong.
  archive verify  reads the archive at a file:/// URL again, and changes nothing. Prints one line for each
                  part: ok, note or wrong. Exits with 1 if something is wrong.
`;

/** The operators' commands. */
async function main(words: readonly string[]): Promise<number> {
  const [command, verb, url] = words;
  if (command === "doctor" && words.length === 1) return doctor();
  const root =
    command === "archive" && verb === "verify" && words.length === 3 ? archivePath(url ?? "") : null;
  if (root !== null) return verify(root);
  process.stderr.write(USAGE);
  return 1;
}

async function doctor(): Promise<number> {
  const found = await examine(process.env);
  process.stdout.write(reportText(found));
  return found.some(({ state }) => state === "wrong") ? 1 : 0;
}

async function verify(root: string): Promise<number> {
  const { verifyArchive } = await import("./features/retention/archive/verify-archive.js");
  let exitCode = 0;
  for await (const finding of verifyArchive(root)) {
    process.stdout.write(reportText([finding]));
    if (finding.state === "wrong") exitCode = 1;
  }
  return exitCode;
}

process.exitCode = await main(process.argv.slice(2));
