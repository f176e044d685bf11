import { execFileSync } from "node:child_process";
import {
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { inTurn } from "./turn.mjs";
import { processesFrom } from "./processes.mjs";

/**
 * `dist` is a link to the newest of the folders `.dist-*`. There is one folder for each build. Node resolves the link
 * when a process starts, so a process keeps the files it started with, even for threads that start later. The folders
 * stand at the root, because compiled files find the root by their depth.
 */
const LINK = "dist";
const PREFIX = ".dist-";
/** This file is written last, so a folder without it is no complete build. It holds the hashes of the inputs. */
const STAMP = ".built.json";
/** tsc writes this file whenever it writes anything. If it is newer than the stamp, somebody ran tsc by hand. */
const COMPILER_STATE = ".tsbuildinfo";
/** The number of unused builds that are kept. A switch back to another branch then needs no build. */
const SPARE_BUILDS = 2;
/** The longest time between a process's start and its look at the link, on a busy machine. */
const START_SLACK_MS = 60_000;

/**
 * Does nothing if `dist` was built from these inputs. `make(dir, known, wanted)` fills a folder that begins as the last
 * build.
 */
export async function ensureBuilt({ root, hashInputs, make, log }) {
  if (isOf(join(root, LINK), hashInputs())) return;
  await inTurn(root, log, async () => {
    const wanted = hashInputs();
    if (isOf(join(root, LINK), wanted)) return;
    const made =
      builds(root).find((dir) => isOf(dir, wanted)) ?? (await build({ root, wanted, hashInputs, make, log }));
    pointTo(root, made);
    clean(root);
  });
}

async function build({ root, wanted, hashInputs, make, log }) {
  const startMs = performance.now();
  log("building…");
  const dir = newFolder(root);
  const last = join(root, LINK);
  const known = stampOf(last)?.inputs ?? {};
  try {
    mkdirSync(dir);
    if (existsSync(last)) execFileSync("cp", ["-a", `${last}/.`, dir]);
    rmSync(join(dir, STAMP), { force: true });
    await make(dir, known, wanted);
    // Sources that changed meanwhile may or may not be in this build, so the next command builds again.
    const isSame = hashInputs().all === wanted.all;
    const stamp = { inputs: isSame ? wanted : {}, builtMs: Date.now(), compiledMs: compiledMs(dir) };
    writeFileSync(join(dir, STAMP), JSON.stringify(stamp));
  } catch (error) {
    rmSync(dir, { recursive: true, force: true });
    throw error;
  }
  log(`built in ${((performance.now() - startMs) / 1000).toFixed(1)} s`);
  return dir;
}

const newFolder = (root) => join(root, `${PREFIX}${Date.now().toString(36)}-${process.pid}`);

function stampOf(dir) {
  try {
    return JSON.parse(readFileSync(join(dir, STAMP), "utf8"));
  } catch {
    return null;
  }
}

const compiledMs = (dir) => statSync(join(dir, COMPILER_STATE), { throwIfNoEntry: false })?.mtimeMs ?? null;

function isOf(dir, wanted) {
  const stamp = stampOf(dir);
  return stamp !== null && stamp.inputs.all === wanted.all && stamp.compiledMs === compiledMs(dir);
}

function builds(root) {
  return readdirSync(root, { withFileTypes: true })
    .filter((entry) => entry.isDirectory() && entry.name.startsWith(PREFIX))
    .map((entry) => join(root, entry.name));
}

/** A single rename, so that `dist` exists at every moment. */
function pointTo(root, dir) {
  const link = join(root, LINK);
  const old = lstatSync(link, { throwIfNoEntry: false });
  // A real folder comes from tsc alone, or from a build before there were links.
  if (old?.isDirectory()) renameSync(link, newFolder(root));
  else if (old !== undefined) noteEnd(link);
  const next = `${dir}.link`;
  rmSync(next, { force: true });
  symlinkSync(dir.slice(root.length + 1), next);
  renameSync(next, link);
}

/** The stamp's time is the latest time at which a process may have started from the build. */
function noteEnd(dir) {
  if (stampOf(dir) !== null) utimesSync(join(dir, STAMP), new Date(), new Date());
}

/**
 * Removes builds that no live process runs from, except the newest and the spare ones. If one cannot be removed now, a
 * later build removes it.
 */
function clean(root) {
  const current = realpathSync(join(root, LINK));
  const processes = processesFrom(root, LINK);
  const spare = builds(root)
    .filter((dir) => dir !== current && stampOf(dir) !== null)
    .toSorted((one, other) => endMs(other) - endMs(one))
    .slice(0, SPARE_BUILDS);
  for (const entry of readdirSync(root)) {
    const path = join(root, entry);
    if (!entry.startsWith(PREFIX) || path === current || spare.includes(path)) continue;
    if (stampOf(path) !== null && processes.some((one) => runsFrom(one, path))) continue;
    try {
      rmSync(path, { recursive: true, force: true });
    } catch {
      // A step of a killed build may still write there.
    }
  }
}

const endMs = (dir) => statSync(join(dir, STAMP)).mtimeMs;

function runsFrom({ startMs, files, isByLink }, dir) {
  if (files.some((file) => file.startsWith(`${dir}/`))) return true;
  return isByLink && startMs > stampOf(dir).builtMs - START_SLACK_MS && startMs <= endMs(dir) + 1000;
}
