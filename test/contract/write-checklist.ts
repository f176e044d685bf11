import { readFileSync, writeFileSync } from "node:fs";
import { CHECKLIST, makeChecklist } from "./checklist.js";

/** `npm run checklist`: writes SPEC-CHECKLIST.md. With `--check` it only says what is wrong. */
const ROOT = new URL("../../../", import.meta.url);
const file = new URL(CHECKLIST, ROOT);

const { markdown, faults } = makeChecklist(ROOT);
for (const fault of faults) process.stderr.write(`${fault}\n`);
if (faults.length > 0) process.exitCode = 1;
else if (!process.argv.includes("--check")) writeFileSync(file, markdown);
else if (readFileSync(file, "utf8") !== markdown) {
  process.stderr.write(`${CHECKLIST} is stale: npm run checklist\n`);
  process.exitCode = 1;
}
