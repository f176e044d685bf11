import { readdirSync, readFileSync, readlinkSync } from "node:fs";
import { resolve } from "node:path";

/** The tick of /proc/<pid>/stat. Linux reports a hundred ticks a second to every program. */
const TICK_MS = 10;

/**
 * The live processes whose command line names files of a build: below `root`/`link`, which is the build at that moment,
 * or below a build's own folder. Empty on a system without /proc, which the service does not support.
 */
export function processesFrom(root, link) {
  return pids().flatMap((pid) => {
    try {
      const cwd = workingFolder(pid) ?? root;
      const files = readFileSync(`/proc/${pid}/cmdline`, "utf8")
        .split("\0")
        .slice(1)
        .map((argument) => resolve(cwd, argument.replace(/^file:\/\//, "")))
        .filter((file) => file.startsWith(`${root}/`));
      const isByLink = files.some((file) => file.startsWith(`${root}/${link}/`));
      return files.length === 0 ? [] : [{ startMs: startMs(pid), files, isByLink }];
    } catch {
      // The process has ended meanwhile.
      return [];
    }
  });
}

function pids() {
  try {
    return readdirSync("/proc").filter((name) => /^\d+$/.test(name));
  } catch {
    return [];
  }
}

/** Null for another user's process, which may be a service of this checkout. */
function workingFolder(pid) {
  try {
    return readlinkSync(`/proc/${pid}/cwd`);
  } catch (error) {
    if (error.code === "EACCES") return null;
    throw error;
  }
}

function startMs(pid) {
  const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
  // The program's name may contain blanks. The third field follows its bracket, and the start is the 22nd.
  const ticks = Number(stat.slice(stat.lastIndexOf(")") + 2).split(" ")[19]);
  const upSeconds = Number(readFileSync("/proc/uptime", "utf8").split(" ")[0]);
  return Date.now() - (upSeconds * 1000 - ticks * TICK_MS);
}
