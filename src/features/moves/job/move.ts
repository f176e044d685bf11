import { setTimeout as sleep } from "node:timers/promises";
import { MOVE_TUNING } from "../../../domain/vocabulary/tuning/moves.js";
import { refusalClasses } from "../../../platform/postgres/refusal-kind.js";
import { now } from "../../../platform/timing/clock.js";
import { reasonsAgainst } from "./check.js";
import { copyConfig } from "./config.js";
import { checkEdge, mapEntries, switchEdge, type EdgeAddress } from "./edge.js";
import { carryErasures } from "./erased.js";
import { copyFigures, emptyBatches, moveDeltas } from "./figures.js";
import { carryLast } from "./last.js";
import { carryAttempts, carryEvidence } from "./learnt.js";
import { copyHealthViews, copyLog, countLog, ensureWeeks, oldestTransaction, touchedHours } from "./log.js";
import { carryReplies, copyReplies, type Caches } from "./replies.js";
import type { Ends } from "./rows.js";
import {
  beginMove,
  endAtSource,
  freeze,
  goBack,
  leavingSinceMs,
  leavingStep,
  lockMove,
  noteSwitch,
  openAtTarget,
  untilSeen,
} from "./states.js";
import { CHUNK_TABLE, LOG_TABLES } from "./tables.js";

export interface Move extends Ends {
  caches: Caches;
  /** The name of the old cell. */
  from: string;
  to: string;
  edges: readonly EdgeAddress[];
  print(line: string): void;
}

/** CELL-7: moves a workspace, or continues a move that an earlier command began. Returns the exit code. */
export async function moveWorkspace(move: Move): Promise<number> {
  if (!(await lockMove(move))) return isMovedByAnother(move);
  const step = await leavingStep(move);
  const isSwitched = step === "switched" || step === "moved";
  const reasons = await reasonsAgainst(move, isSwitched);
  // After the switch a reason no longer counts, because the workspace may already be open in the new cell.
  if (reasons.length > 0 && !isSwitched) {
    for (const reason of reasons) move.print(reason);
    return 1;
  }
  for (const edge of move.edges) await checkEdge(edge, move.to);
  let copied: string | null = null;
  if (!isSwitched) {
    try {
      copied = await bringOver(move);
    } catch (error) {
      await goBack(move).catch(() => move.print("it could not go back: run this again, or with --give-up"));
      throw error;
    }
  }
  return goForward({ ...move, signal: null }, { wasMoved: step === "moved", copied });
}

/** CELL-12: takes back the move that a killed command began. Returns the exit code. */
export async function giveUp(move: Pick<Move, keyof Ends | "print">): Promise<number> {
  if (!(await lockMove(move))) return isMovedByAnother(move);
  const hasGone = !(await goBack(move));
  move.print(
    hasGone ? "the edge was switched already: the move only goes forward" : "everything is as before",
  );
  return hasGone ? 1 : 0;
}

function isMovedByAnother({ print }: Pick<Move, "print">): number {
  print("another command moves this workspace: wait until it has ended");
  return 1;
}

/**
 * The part of a move that can be taken back. It copies what there is, brings the workspace to a standstill, and copies
 * the rest. Returns the transaction before which all rows are copied.
 */
async function bringOver(move: Move): Promise<string> {
  const { target, workspaceId, caches, signal, print } = move;
  const began = new Date(now() - MOVE_TUNING.silentSeconds * 1000);
  await beginMove(move, await cellsOf(move));
  await carryErasures(move);
  print("copying while the workspace goes on");
  await ensureWeeks(move);
  const first = await oldestTransaction(move);
  await copyHealthViews(move, null);
  await copyConfig(move);
  await copyFigures(move);
  for (const log of [...LOG_TABLES, CHUNK_TABLE]) await copyLog(move, log);
  const late = deadline(MOVE_TUNING.silentSeconds * 1000, signal);
  const unseen = await untilSeen(target, workspaceId, "arriving", late);
  if (unseen.length > 0) throw new Error(`these nodes of the other cell do not answer: ${unseen.join(", ")}`);
  const isScanSlow = deadline(MOVE_TUNING.repliesAgainMsMax, signal);
  await copyReplies(caches, workspaceId);
  const areRepliesFew = !isScanSlow();
  let copied = first;
  for (let pass = 0; pass < MOVE_TUNING.passesMax; pass++) {
    const isSlow = deadline(MOVE_TUNING.lastPassMsMax, signal);
    copied = await copyStored(move, { since: began, copied });
    if (!isSlow()) break;
  }
  return standStill(move, { since: began, copied }, { first, areRepliesFew });
}

/** What a pass need not copy again. */
interface Passed {
  /** Health views that nobody has used since this time are not copied. Null copies all of them. */
  since: Date | null;
  /** Rows of transactions before this one are not copied. Null copies all rows of the hours. */
  copied: string | null;
}

/** Copies what was stored since the previous pass. Returns the transaction before which all rows are then copied. */
async function copyStored(move: Move, passed: Passed): Promise<string> {
  const copied = await oldestTransaction(move);
  await copyRecent(move, await touchedHours(move), passed);
  return copied;
}

/** CELL-8: the standstill ends with the switch, or after a time limit. */
async function standStill(
  move: Move,
  passed: Passed,
  /** All rows of transactions before `first` were copied before the passes began. */
  { first, areRepliesFew }: { first: string; areRepliesFew: boolean },
): Promise<string> {
  const { caches, workspaceId, signal, print } = move;
  print("standing still: changes are 503");
  const isLate = deadline(MOVE_TUNING.frozenMsMax, signal);
  await freeze(move, isLate);
  let copied = "";
  const steps: (() => Promise<unknown>)[] = [
    () => copyConfig(move),
    async () => (copied = await copyStored(move, passed)),
    ...[...LOG_TABLES.filter(({ isHourly }) => !isHourly), CHUNK_TABLE].map(
      (log) => () => copyLog(move, log, { fromTransaction: first }),
    ),
    () => carryEvidence(move),
    () => carryAttempts(move),
    // CELL-10: the new cell then has the replies even if the command is killed right after the switch.
    () => (areRepliesFew ? copyReplies(caches, workspaceId) : Promise.resolve()),
  ];
  for (const step of steps) {
    await step();
    if (isLate()) throw new Error("the standstill took too long");
  }
  if (!(await noteSwitch(move))) throw new Error("the standstill took too long");
  return copied;
}

/** The part of a move from the switch on. It cannot be taken back, but each step may be repeated. */
async function goForward(
  move: Move,
  { wasMoved, copied }: { wasMoved: boolean; copied: string | null },
): Promise<number> {
  const { source, target, workspaceId, caches, edges, to, print } = move;
  const isLate = deadline(MOVE_TUNING.closedMsMax, null);
  const entries = await mapEntries(move);
  const switchedMs = performance.now();
  const replies = await carryReplies(caches, workspaceId, async () => {
    for (const edge of edges) await switchEdge(edge, entries, to);
  });
  print(`switched: ${entries.length} entries in the edge's map, ${replies} replies to repeated requests`);
  // If an earlier command came this far, a late journal may have stored documents at any time since. All health views
  // are then copied.
  const since = wasMoved ? null : new Date((await leavingSinceMs(move)) - MOVE_TUNING.silentSeconds * 1000);
  const copyHours = (hours: readonly number[]): Promise<void> => copyRecent(move, hours, { since, copied });
  await moveDeltas(move, copyHours);
  await sleep(Math.max(0, switchedMs + MOVE_TUNING.inFlightMs - performance.now()));
  await endAtSource(move);
  const unseen = await untilSeen(source, workspaceId, "moved", isLate);
  await moveDeltas(move, copyHours);
  await carryAttempts(move);
  await carryLast(move);
  await openAtTarget(move);
  await target.query("select match_kept_outcomes($1, $2)", [refusalClasses("row"), refusalClasses("server")]);
  print(`open in cell ${to}, ${Math.round(performance.now() - switchedMs)} ms after the switch`);
  for (const entry of entries) print(`moved.map  ${entry} ${to}`);
  if (unseen.length > 0) {
    print(`not stored yet by ${unseen.join(", ")}: run this again once they have stored their journals`);
    return 1;
  }
  return compareCounts(move);
}

/** Copies the rows of the log of these hours, and the health views that documents have used. */
async function copyRecent(move: Move, hours: readonly number[], { since, copied }: Passed): Promise<void> {
  if (hours.length === 0) return;
  await ensureWeeks(move);
  await copyHealthViews(move, since);
  for (const log of LOG_TABLES) {
    if (log.isHourly) for (const hour of hours) await copyLog(move, log, { hour, fromTransaction: copied });
  }
}

/** The cells that are named in the workspace's keys. There are several if the workspace has moved before. */
async function cellsOf({ source, workspaceId, from }: Move): Promise<string[]> {
  const { rows } = await source.query<{ cell: string }>(
    `select cell from api_keys where workspace_id = $1 and cell is not null
     union select unnest(cells) from workspace_moves where workspace_id = $1`,
    [workspaceId],
  );
  return [...new Set([from, ...rows.map(({ cell }) => cell)])];
}

async function compareCounts(move: Move): Promise<number> {
  const { source, target, workspaceId, print } = move;
  const ours = await countLog(source, workspaceId, LOG_TABLES);
  const theirs = await countLog(target, workspaceId, LOG_TABLES);
  // The new cell has made decisions since the switch, so it may have more rows than the old one.
  const missing = Object.keys(ours).filter((table) => (theirs[table] ?? 0) < (ours[table] ?? 0));
  for (const table of Object.keys(ours)) print(`${table}: ${ours[table]} there, ${theirs[table]} here`);
  if (missing.length === 0) {
    await emptyBatches(move);
    return 0;
  }
  print(`rows are missing in ${missing.join(", ")}: run this again`);
  return 1;
}

/** The returned function says whether the time is over. It throws once the signal is aborted. */
function deadline(ms: number, signal: AbortSignal | null | undefined): () => boolean {
  const endMs = performance.now() + ms;
  return () => {
    signal?.throwIfAborted();
    return performance.now() > endMs;
  };
}
