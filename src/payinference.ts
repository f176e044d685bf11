#!/usr/bin/env node
import { examine } from "./doctor/doctor.js";
import { inOneLine, reportText } from "./doctor/finding.js";
import { isId } from "./domain/ids/ids.js";
import { CELL_NAME } from "./domain/vocabulary/access-limits.js";
import { archivePath } from "./platform/settings/validators.js";

const USAGE = `usage: payinference doctor
       payinference archive verify <url>
       payinference analytics reconcile [--repair] [--days <n>]
       payinference move-workspace <ws_…> --to <cell> --edge <host:port | socket> [--edge …]
       payinference move-workspace <ws_…> --to <cell> --give-up

  doctor          looks at the set-up of this node, by the environment that the service would start with,
                  and changes nothing. Prints one line for each finding: ok, note, wrong or skipped.
                  Exits with 1 if something is wrong.
  archive verify  reads the archive at a file:/// URL again, and changes nothing. Prints one line for each
                  part: ok, note or wrong. Exits with 1 if something is wrong.

  analytics reconcile
                  compares the log in PostgreSQL with ClickHouse's (ANALYTICS_URL), hour by hour over the last
                  7 or <n> days. Prints a line for each hour that differs: PostgreSQL's counts / ClickHouse's.
                  --repair sends ClickHouse what it lacks. Exits with 1 if hours differ at the end.

  move-workspace  moves a workspace to another cell while it decides. The environment is that of a node which it
                  leaves; TARGET_DATABASE_URL and TARGET_CACHE_URL are the other cell's. --edge is the runtime
                  API of an edge, each of them. Run it again if it did not end with 0. Ctrl-C before the switch
                  leaves everything as it was; --give-up does so after a command that was killed.
`;

const DAYS_DEFAULT = 7;
const CELL = new RegExp(`^${CELL_NAME}$`);

/** The operators' commands. */
async function main(words: readonly string[]): Promise<number> {
  const [command, ...rest] = words;
  if (command === "doctor" && rest.length === 0) return doctor();
  const root =
    command === "archive" && rest[0] === "verify" && rest.length === 2 ? archivePath(rest[1] ?? "") : null;
  if (root !== null) return verify(root);
  const options = command === "analytics" && rest[0] === "reconcile" ? optionsOf(rest.slice(1)) : null;
  if (options !== null) return reconcileLog(options);
  const move = command === "move-workspace" ? moveOf(rest) : null;
  if (move !== null) return moveWorkspace(move);
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

interface Options {
  repairs: boolean;
  days: number;
}

/** Null if a word is not a valid option. */
function optionsOf(words: readonly string[]): Options | null {
  const options: Options = { repairs: false, days: DAYS_DEFAULT };
  for (let at = 0; at < words.length; at++) {
    const word = words[at];
    if (word === "--repair") options.repairs = true;
    else if (word === "--days" && /^[1-9]\d{0,4}$/.test(words[at + 1] ?? ""))
      options.days = Number(words[++at]);
    else return null;
  }
  return options;
}

interface WantedMove {
  workspaceId: string;
  to: string;
  edges: string[];
  givesUp: boolean;
}

/** Null if the words are not the arguments of a move. */
function moveOf([workspaceId = "", ...words]: readonly string[]): WantedMove | null {
  const move: WantedMove = { workspaceId, to: "", edges: [], givesUp: false };
  for (let at = 0; at < words.length; at++) {
    if (words[at] === "--give-up") {
      move.givesUp = true;
      continue;
    }
    const value = words[at + 1] ?? "";
    if (words[at] === "--to" && move.to === "") move.to = value;
    else if (words[at] === "--edge" && value !== "") move.edges.push(value);
    else return null;
    at++;
  }
  const isWhole = isId(workspaceId, "ws") && CELL.test(move.to) && (move.givesUp || move.edges.length > 0);
  return isWhole ? move : null;
}

async function moveWorkspace(move: WantedMove): Promise<number> {
  const { runMove } = await import("./move-command.js");
  const print = (line: string): void => void process.stdout.write(`${line}\n`);
  try {
    return await runMove({ environment: process.env, ...move, print });
  } catch (error) {
    process.stderr.write(`${inOneLine(error)}\n`);
    return 1;
  }
}

async function reconcileLog(options: Options): Promise<number> {
  const { reconcile } = await import("./reconcile-command.js");
  const { now } = await import("./platform/timing/clock.js");
  const print = (line: string): void => void process.stdout.write(`${line}\n`);
  try {
    return await reconcile({ environment: process.env, ...options, print, now });
  } catch (error) {
    process.stderr.write(`${inOneLine(error)}\n`);
    return 1;
  }
}

process.exitCode = await main(process.argv.slice(2));
