import { mkdtemp, rm, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Report } from "./finding.js";

/** RET-10: checks that the archive's folder exists and is writable, because the service does not create it. */
export async function checkArchive(archiveDir: string | null, report: Report): Promise<void> {
  if (archiveDir === null) return report("skipped", "ARCHIVE_URL is not set: what is past its limit is gone");
  const found = await stat(archiveDir);
  if (!found.isDirectory()) return report("wrong", `${archiveDir} is no folder`);
  const probe = await mkdtemp(join(archiveDir, ".doctor-"));
  try {
    await writeFile(join(probe, "write-probe"), "", { flush: true });
  } finally {
    await rm(probe, { recursive: true, force: true });
  }
  report("ok", `${archiveDir} is writable`);
}
