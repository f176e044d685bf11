import { setTimeout as sleep } from "node:timers/promises";
import { MOVE_TUNING } from "../../../domain/vocabulary/tuning/moves.js";
import { refusalClasses } from "../../../platform/postgres/refusal-kind.js";
import { now } from "../../../platform/timing/clock.js";
import { reasonsAgainst } from "./check.js";
import { copyConfig } from "./config.js";
import { checkEdge, mapEntries, switchEdge, type EdgeAddress } from "./edge.js";
import { copyFigures, emptyBatches, moveDeltas } from "./figures.js";
import { carryLast } from "./last.js";
import { carryAttempts, carryEvidence } from "./learnt.js";
import { copyHealthViews, copyLog, countLog, ensureWeeks, touchedHours } from "./log.js";
import { carryReplies, type Caches } from "./replies.js";
import type { Ends } from "./rows.js";
import {
  beginMove,
  endAtSource,
  freeze,
  goBack,
  leavingStep,
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

/** CELL-7: moves a workspace, or goes on where an earlier command ended. Returns the exit code. */
export async function moveWorkspace(move: Move): Promise<number> {
  const step = await leavingStep(move);
  const isSwitched = step === "switched" || step === "moved";
  const reasons = await reasonsAgainst(move, isSwitched);
  // After the switch the workspace may be open in the other cell already.
  if (reasons.length > 0 && !isSwitched) {
    for (const reason of reasons) move.print(reason);
    return 1;
  }
  for (const edge of move.edges) await checkEdge(edge, move.to);
  if (!isSwitched) await bringOver(move);
  return goForward(move);
}

/** All that can go back: copies what there is, brings the workspace to a standstill, and copies the rest. */
async function bringOver(move: Move): Promise<void> {
  const { target, workspaceId, print } = move;
  const beganAt = new Date(now());
  await beginMove(move, await cellsOf(move));
  print("copying while the workspace goes on");
  await ensureWeeks(move);
  await copyHealthViews(move, null);
  await copyConfig(move);
  await copyFigures(move);
  for (const log of [...LOG_TABLES, CHUNK_TABLE]) await copyLog(move, log);
  await copyRecent(move, await touchedHours(move), beganAt);
  const late = deadline(MOVE_TUNING.silentSeconds * 1000);
  const unseen = await untilSeen(target, workspaceId, "arriving", late);
  if (unseen.length > 0) {
    await goBack(move);
    throw new Error(`these nodes of the other cell do not answer: ${unseen.join(", ")}`);
  }
  try {
    print("standing still: changes are 503");
    const isLate = deadline(MOVE_TUNING.frozenMsMax);
    await freeze(move, isLate);
    await copyConfig(move);
    await copyRecent(move, await touchedHours(move), beganAt);
    for (const log of [...LOG_TABLES.filter(({ isHourly }) => !isHourly), CHUNK_TABLE])
      await copyLog(move, log);
    await carryEvidence(move);
    await carryAttempts(move);
    if (isLate() || !(await noteSwitch(move))) throw new Error("the standstill took too long");
  } catch (error) {
    await goBack(move);
    throw error;
  }
}

/** From the switch on nothing goes back. Each step may be repeated. */
async function goForward(move: Move): Promise<number> {
  const { source, target, workspaceId, caches, edges, to, print } = move;
  const isLate = deadline(MOVE_TUNING.closedMsMax);
  const entries = await mapEntries(move);
  const switchedMs = performance.now();
  const replies = await carryReplies(caches, workspaceId, async () => {
    for (const edge of edges) await switchEdge(edge, entries, to);
  });
  print(`switched: ${entries.length} entries in the edge's map, ${replies} replies to repeated requests`);
  const since = new Date(now() - MOVE_TUNING.silentSeconds * 1000);
  const copyHours = (hours: readonly number[]): Promise<void> => copyRecent(move, hours, since);
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

/** Copies the rows of the log of these hours, and the health views that documents have used since `since`. */
async function copyRecent(move: Move, hours: readonly number[], since: Date): Promise<void> {
  if (hours.length === 0) return;
  await ensureWeeks(move);
  await copyHealthViews(move, since);
  for (const log of LOG_TABLES) {
    if (log.isHourly) for (const hour of hours) await copyLog(move, log, { hour });
  }
}

/** The cells whose names are in what opens the workspace: it may have moved before. */
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
  // The new cell has decided since.
  const missing = Object.keys(ours).filter((table) => (theirs[table] ?? 0) < (ours[table] ?? 0));
  for (const table of Object.keys(ours)) print(`${table}: ${ours[table]} there, ${theirs[table]} here`);
  if (missing.length === 0) {
    await emptyBatches(move);
    return 0;
  }
  print(`rows are missing in ${missing.join(", ")}: run this again`);
  return 1;
}

function deadline(ms: number): () => boolean {
  const endMs = performance.now() + ms;
  return () => performance.now() > endMs;
}
