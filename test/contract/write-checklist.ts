import { writeFileSync } from "node:fs";
import { makeChecklist } from "./checklist.js";

/** `npm run checklist`: writes dist/SPEC-CHECKLIST.md, which shows for each clause the tests that hold it. */
const ROOT = new URL("../../../", import.meta.url);

const { markdown, faults } = makeChecklist(ROOT);
for (const fault of faults) process.stderr.write(`${fault}\n`);
if (faults.length > 0) process.exitCode = 1;
else {
  writeFileSync(new URL("../../SPEC-CHECKLIST.md", import.meta.url), markdown);
  process.stdout.write("dist/SPEC-CHECKLIST.md\n");
}
