import { setImmediate as nextTurn } from "node:timers/promises";
import type { Change, ChangeCursor, ApplyChangesNow } from "./change-queries.js";
import type { RecordKey } from "./copied-records.js";
import {
  CHANGE_CURSOR_KEY,
  COPY_PREFIXES,
  COPY_PROBE_KEY,
  COPY_PROGRESS_KEY,
  type Replica,
} from "../replica/replica.js";
import { coalesce } from "../../platform/timing/coalesce.js";
import { TUNING } from "../../domain/vocabulary/tuning.js";
import { within } from "../../platform/timing/within.js";
import { createChangeFeed, type ChangeFeedOptions } from "./change-feed.js";
import { compareInBackground } from "./comparison.js";
import { createFullCopy, type FullCopyProgress } from "./full-copy.js";
import { isolateRecords, type IsolatedCopy } from "./isolated-copy.js";
import { oneAtATime } from "../../platform/timing/one-at-a-time.js";
import type { RecordCopy } from "./record-copy.js";

export interface NodeCopiesOptions {
  /** The copied kinds, in the order in which an empty node needs them. */
  kinds: Readonly<Record<CopiedKind, RecordCopy>>;
  /** Called when an incident that a provider reported has begun or ended. */
  incidentsChanged(): void;
  feed: Pick<ChangeFeedOptions, "source" | "now" | "isGood" | "read">;
  dropOldChanges(): Promise<unknown>;
  replica: Pick<Replica, "refresh" | "read" | "keysAfter" | "putCatalog" | "putText">;
  /** Makes the prober stop using the copies. It is called before the copies are removed. */
  forget(): Promise<void>;
  /** False while PostgreSQL is known to be away. */
  isReachable(): boolean;
  /** Makes the other nodes look for changes, because they may not receive PostgreSQL's notifications. */
  announce(): void;
  /** True while requests are being answered. */
  isServing(): boolean;
  onCopied(changes: readonly Change[]): void;
  onCaughtUp(): void;
  /** Called with true when a copy of everything begins, and with false when it ends. */
  onCopyingAll(isCopying: boolean): void;
  onDifferences(count: number): void;
  /** Called when the copy of one record fails. The other records are copied. */
  onSkipped(kind: CopiedKind, record: RecordKey, error: unknown): void;
  onError(error: unknown): void;
}

export type CopiedKind = "workspace" | "pin" | "webhook_secret" | "api_key" | "merchant";

export interface NodeCopies {
  /**
   * Resolves when no copy on this node is older than PostgreSQL's record. Afterwards the node follows the changes. If
   * the node has no copies, or too old ones for the change feed, it begins without copies and copies in the background.
   * Rejects while PostgreSQL is away.
   */
  start(): Promise<void>;
  /** Makes the node look for changes soon. */
  wake(): void;
  applyChangesNow: ApplyChangesNow;
  /** True while not all records are copied, so that a record may be missing. */
  mayLackRecords(): boolean;
  /** True if every webhook secret is copied. */
  hasWebhookSecrets(): boolean;
  close(): Promise<void>;
}

/** The longest wait for the last copy, because its query may hang as long as PostgreSQL does. */
const CLOSE_PATIENCE_MS = 1000;
const COPIED_AS: Readonly<Record<Change["kind"], CopiedKind | null>> = {
  workspace: "workspace",
  merchant: "merchant",
  policy: "merchant",
  pricing: "merchant",
  api_key: "api_key",
  pin: "pin",
  webhook_secret: "webhook_secret",
  incident: null,
};
const REMOVED_AT_ONCE = 1000;

/**
 * Keeps this node's copies of PostgreSQL's records. The change feed brings the changes. A comparison finds what the
 * feed missed.
 */
export function createNodeCopies(options: NodeCopiesOptions): NodeCopies {
  const { replica, isReachable, onError } = options;
  const names = Object.keys(options.kinds) as CopiedKind[];
  const kinds = isolatedKinds(options, names);
  // Copies run one at a time, so that no older version of a record is written after a newer one.
  const inTurn = oneAtATime();
  let closed = false;
  const copy = async (changes: readonly Change[]): Promise<void> => {
    const records = new Map(names.map((name): [CopiedKind, RecordKey[]] => [name, []]));
    for (const change of changes) {
      const name = COPIED_AS[change.kind];
      if (name === null) options.incidentsChanged();
      else records.get(name)?.push(change);
    }
    for (const [name, changed] of records) {
      for (let at = 0; at < changed.length; at += TUNING.recordsCopiedAtOnce) {
        // `close` was called, and the replica will be closed next.
        if (closed) throw new Error("this node is stopping");
        await inTurn(() => kinds[name].copy(changed.slice(at, at + TUNING.recordsCopiedAtOnce)));
      }
    }
    options.onCopied(changes);
  };

  /** Waits for the running copy. A record copied during the removal would lose contents shared with other records. */
  const forget = (): Promise<void> =>
    inTurn(async () => {
      await options.forget();
      await removeCopies(replica);
    });

  const fullCopy = createFullCopy({
    kinds,
    pageRows: TUNING.recordsCopiedAtOnce,
    inTurn,
    held: () => heldJson(replica, COPY_PROGRESS_KEY) as FullCopyProgress<CopiedKind> | null,
    keep: (progress) =>
      replica.putText(COPY_PROGRESS_KEY, progress === null ? null : JSON.stringify(progress)),
    onCopying: options.onCopyingAll,
    isBusy: options.isServing,
    retryMs: TUNING.changesIntervalMs,
    onError: (error) => isReachable() && onError(error),
  });
  const feed = createChangeFeed({
    ...options.feed,
    copy,
    async copyAll(isFirst) {
      // An old copy is worse than a missing one, because a request looks up a missing record.
      if (isFirst) await forget();
      fullCopy.begin();
    },
    held: () => heldJson(replica, CHANGE_CURSOR_KEY) as ChangeCursor | null,
    keep: (cursor) => replica.putText(CHANGE_CURSOR_KEY, JSON.stringify(cursor)),
    sourceIntervalMs: TUNING.changeSourceIntervalMs,
    cursorIntervalMs: TUNING.changeCursorIntervalMs,
    nowMs: () => performance.now(),
  });

  let failing = false;
  const attempt = async (work: () => Promise<unknown>): Promise<void> => {
    if (closed || !isReachable()) return;
    try {
      await work();
      failing = false;
    } catch (error) {
      // Logs only the first of several errors, because the work is retried every second.
      if (!failing && !closed) onError(error);
      failing = true;
    }
  };
  const follow = async (): Promise<void> => {
    await feed.follow();
    options.onCaughtUp();
  };

  let waiting: Change[] = [];
  const copyWaiting = coalesce(async () => {
    const changes = waiting;
    waiting = [];
    await copy(changes);
  });

  let timers: NodeJS.Timeout[] = [];
  let comparison: { close(): void } | null = null;
  return {
    async start() {
      // The feed runs first, so that no decision is made from an earlier process's outdated copies.
      await follow();
      fullCopy.resume();
      await within(fullCopy.done(), TUNING.firstCopyPatienceMs, undefined);
      // `start` may be called again if a later part of the node's start failed.
      if (closed || timers.length > 0) return;
      timers = [
        setInterval(() => void attempt(follow), TUNING.changesIntervalMs).unref(),
        setInterval(() => void attempt(options.dropOldChanges), TUNING.changesSweepIntervalMs).unref(),
      ];
      comparison = compareInBackground({
        kinds: names.map((name) => kinds[name]),
        pageRows: TUNING.recordsCopiedAtOnce,
        inTurn,
        recordsPerSecond: TUNING.recordsComparedPerSecond,
        pauseMs: TUNING.comparisonPauseMs,
        mayCompare: () => isReachable() && !fullCopy.isCopying(),
        onDifferences: options.onDifferences,
        onError: (error) => isReachable() && onError(error),
      });
    },
    wake: () => void attempt(follow),
    async applyChangesNow(changes) {
      options.announce();
      waiting.push(...changes);
      await copyWaiting();
      // Only the caller whose change cannot be copied gets this error.
      if (changes.some((change) => isSkipped(kinds, change)))
        throw new Error("this node cannot copy what was changed");
    },
    mayLackRecords: () => fullCopy.isCopying(),
    hasWebhookSecrets: () => isStarted(replica) && !fullCopy.isCopying("webhook_secret"),
    async close() {
      closed = true;
      for (const timer of timers) clearInterval(timer);
      comparison?.close();
      fullCopy.close();
      // Waits for the running copy, because the replica is closed next.
      await within(
        inTurn(() => Promise.resolve()),
        CLOSE_PATIENCE_MS,
        undefined,
      );
    },
  };
}

async function removeCopies(replica: NodeCopiesOptions["replica"]): Promise<void> {
  replica.putText(CHANGE_CURSOR_KEY, null);
  for (const prefix of COPY_PREFIXES) {
    for (;;) {
      replica.refresh();
      const keys = replica.keysAfter(prefix, "", REMOVED_AT_ONCE);
      if (keys.length === 0) break;
      replica.putCatalog(keys.map((key) => ({ key: prefix + key, value: null })));
      await nextTurn();
    }
  }
}

function isSkipped(kinds: Readonly<Record<CopiedKind, IsolatedCopy>>, { kind, ...record }: Change): boolean {
  const name = COPIED_AS[kind];
  return name !== null && kinds[name].isSkipped(record);
}

function isolatedKinds(
  { kinds, feed, replica, onSkipped }: NodeCopiesOptions,
  names: readonly CopiedKind[],
): Record<CopiedKind, IsolatedCopy> {
  const works = async (): Promise<void> => {
    await feed.source();
    // The text differs each time, because the replica does not write a text that it already has.
    replica.putText(COPY_PROBE_KEY, String(performance.now()));
  };
  const isolated = names.map((name): [CopiedKind, IsolatedCopy] => [
    name,
    isolateRecords({
      copy: kinds[name],
      works,
      onSkipped: (record, error) => onSkipped(name, record, error),
    }),
  ]);
  return Object.fromEntries(isolated) as Record<CopiedKind, IsolatedCopy>;
}

function heldJson(replica: Pick<Replica, "refresh" | "read">, key: string): unknown {
  replica.refresh();
  const text = replica.read(key);
  return text === undefined ? null : JSON.parse(text);
}

/** True if a full copy has begun since the copies were last removed. */
function isStarted(replica: Pick<Replica, "refresh" | "read">): boolean {
  replica.refresh();
  return replica.read(CHANGE_CURSOR_KEY) !== undefined;
}
