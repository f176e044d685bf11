#!/usr/bin/env node
import { examine } from "./doctor/doctor.js";
import { reportText } from "./doctor/finding.js";

const USAGE = `usage: payinference doctor

  doctor   looks at the set-up of this node, by the environment that the service would start with,
           and changes nothing. Prints one line for each finding: ok, note, wrong or skipped.
           Exits with 1 if something is wrong.
`;

/** The operators' command. */
async function main([command, ...rest]: readonly string[]): Promise<number> {
  if (command !== "doctor" || rest.length > 0) {
    process.stderr.write(USAGE);
    return 1;
  }
  const found = await examine(process.env);
  process.stdout.write(reportText(found));
  return found.some(({ state }) => state === "wrong") ? 1 : 0;
}

process.exitCode = await main(process.argv.slice(2));
