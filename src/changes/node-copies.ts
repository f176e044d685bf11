import { setImmediate as nextTurn } from "node:timers/promises";
import type { Change, ChangeCursor, GoByNow } from "../persistence/change-queries.js";
import type { RecordKey } from "../persistence/copied-records.js";
import { CHANGE_CURSOR_KEY, COPY_PREFIXES, type Replica } from "../replica/replica.js";
import { coalesce } from "../shared/coalesce.js";
import { LIMITS } from "../shared/limits.js";
import { within } from "../shared/within.js";
import { createChangeFeed, type ChangeFeedOptions } from "./change-feed.js";
import { compareInBackground, copyAllOf } from "./copy-all.js";
import { oneAtATime } from "./one-at-a-time.js";
import type { RecordCopy } from "./record-copy.js";

export interface NodeCopiesOptions {
  /** What is copied, in the order in which a node with nothing needs it. */
  kinds: Readonly<Record<CopiedKind, RecordCopy>>;
  /** A provider said that something is wrong with it, or is no more. */
  incidentsChanged(): void;
  feed: Pick<ChangeFeedOptions, "source" | "now" | "isGood" | "read">;
  dropOldChanges(): Promise<unknown>;
  replica: Pick<Replica, "refresh" | "read" | "keysAfter" | "putCatalog" | "putText">;
  /** What is shown of copies outside of the replica is taken back, before those go. */
  forget(): Promise<void>;
  /** False while PostgreSQL is known to be away. */
  isReachable(): boolean;
  /** Wakes the other nodes, where they do not hear PostgreSQL. */
  announce(): void;
  onCopied(changes: readonly Change[]): void;
  onCaughtUp(): void;
  onDifferences(count: number): void;
  onError(error: unknown): void;
}

export type CopiedKind = "workspace" | "pin" | "webhook_secret" | "api_key" | "merchant";

export interface NodeCopies {
  /**
   * Resolves once this node goes by what PostgreSQL holds, and follows from there on. One with no copies, or with copies
   * that are too old to be mended by changes, begins with nothing: it goes on copying in the background. Rejects while
   * PostgreSQL is away.
   */
  start(): Promise<void>;
  /** Something changed: looks soon. */
  wake(): void;
  goByNow: GoByNow;
  /** A record may be missing here, since not all are copied yet. */
  mayLackRecords(): boolean;
  /** Every webhook secret is here. */
  hasWebhookSecrets(): boolean;
  close(): void;
}

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

/** Keeps this node's copies of PostgreSQL's records: by the feed of changes, and by a comparison that finds what that missed. */
export function createNodeCopies(options: NodeCopiesOptions): NodeCopies {
  const { kinds, replica, isReachable, onError } = options;
  const names = Object.keys(kinds) as CopiedKind[];
  // A copy that was read before a change must not be written after the one that was read behind it.
  const inTurn = oneAtATime();
  let hasSecrets = heldCursor(replica) !== null;

  const copy = async (changes: readonly Change[]): Promise<void> => {
    const records = new Map<CopiedKind, RecordKey[]>();
    for (const change of changes) {
      const name = COPIED_AS[change.kind];
      if (name === null) options.incidentsChanged();
      else records.set(name, [...(records.get(name) ?? []), change]);
    }
    for (const name of names) {
      const changed = records.get(name) ?? [];
      for (let at = 0; at < changed.length; at += LIMITS.recordsCopiedAtOnce) {
        await inTurn(() => kinds[name].copy(changed.slice(at, at + LIMITS.recordsCopiedAtOnce)));
      }
    }
    options.onCopied(changes);
  };

  /** In one turn: a record that is copied in between would lose what it shares with others. */
  const forget = (): Promise<void> =>
    inTurn(async () => {
      await options.forget();
      hasSecrets = false;
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
    });

  const feed = createChangeFeed({
    ...options.feed,
    copy,
    async copyAll() {
      for (const name of names) {
        await copyAllOf(kinds[name], { pageRows: LIMITS.recordsCopiedAtOnce, inTurn });
        if (name === "webhook_secret") hasSecrets = true;
      }
    },
    forget,
    held: () => heldCursor(replica),
    keep: (cursor) => replica.putText(CHANGE_CURSOR_KEY, JSON.stringify(cursor)),
    sourceIntervalMs: LIMITS.changeSourceIntervalMs,
    cursorIntervalMs: LIMITS.changeCursorIntervalMs,
    nowMs: () => performance.now(),
  });

  let failing = false;
  const attempt = async (work: () => Promise<unknown>): Promise<void> => {
    if (!isReachable()) return;
    try {
      await work();
      failing = false;
    } catch (error) {
      // Said once: it is tried every second.
      if (!failing) onError(error);
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
  let closed = false;
  return {
    async start() {
      const first = follow();
      // Told where it matters: here, or by the next look.
      first.catch(() => undefined);
      const isDone = await within(
        first.then(() => true),
        LIMITS.firstCopyPatienceMs,
        false,
      );
      // Whoever has copies to go on from must not decide by what has changed meanwhile.
      if (!isDone && !feed.isCopyingAll()) await first;
      if (closed) return;
      timers = [
        setInterval(() => void attempt(follow), LIMITS.changesIntervalMs).unref(),
        setInterval(() => void attempt(options.dropOldChanges), LIMITS.changesSweepIntervalMs).unref(),
      ];
      comparison = compareInBackground({
        kinds: names.map((name) => kinds[name]),
        pageRows: LIMITS.recordsCopiedAtOnce,
        inTurn,
        recordsPerSecond: LIMITS.recordsComparedPerSecond,
        pauseMs: LIMITS.comparisonPauseMs,
        mayCompare: () => isReachable() && !feed.isCopyingAll(),
        onDifferences: options.onDifferences,
        onError: (error) => isReachable() && onError(error),
      });
    },
    wake: () => void attempt(follow),
    goByNow(changes) {
      options.announce();
      waiting.push(...changes);
      return copyWaiting();
    },
    mayLackRecords: () => feed.isCopyingAll(),
    hasWebhookSecrets: () => hasSecrets,
    close() {
      closed = true;
      for (const timer of timers) clearInterval(timer);
      comparison?.close();
    },
  };
}

function heldCursor(replica: Pick<Replica, "refresh" | "read">): ChangeCursor | null {
  replica.refresh();
  const text = replica.read(CHANGE_CURSOR_KEY);
  return text === undefined ? null : (JSON.parse(text) as ChangeCursor);
}
