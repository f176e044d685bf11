import { readFile } from "node:fs/promises";

/** Resident memory of a process in bytes (field 2 of /proc/<pid>/statm, in pages of 4 KiB). */
export async function residentBytesOf(pid: number | undefined): Promise<number> {
  return Number((await readFile(`/proc/${pid}/statm`, "utf8")).split(" ")[1]) * 4096;
}
