import type { DecisionRecordView } from "../journal/decision-record.js";
import type { StoredAmounts } from "./amount-queries.js";
import { amountsKey, type CatalogEntry } from "../replica/replica.js";
import { idFromHex } from "../../domain/ids/ids.js";
import { LIMITS } from "../../domain/vocabulary/limits.js";
import { TUNING } from "../../domain/vocabulary/tuning.js";
import { MODES, type Mode } from "../../domain/vocabulary/vocabulary.js";

export interface AmountTrackerOptions {
  nodeId: string;
  save(amounts: readonly StoredAmounts[]): Promise<void>;
  /** Loads the shares of all nodes (path/writer/amount-queries.ts). */
  loadChanged(withinSeconds: number): Promise<StoredAmounts[]>;
  publish(entries: readonly CatalogEntry[]): void;
}

interface Share {
  workspaceId: string;
  mode: Mode;
  merchantId: string;
  currency: string;
  sketch: AmountSketch;
  changed: boolean;
}

/** A workspace may name any merchant in its decisions. Its names must leave room for other workspaces. */
const WORKSPACE_SHARES_MAX = TUNING.amountSketchesMax / 2;
/** Longer than two refreshes, so that no node's change is missed. */
const LOOK_BACK_SECONDS = 150;
const ALL_SECONDS = 100 * 365 * 86_400;
/** Mode, workspace, currency, and a merchant with at most 3 bytes per UTF-16 unit. */
const ROW_KEY_BYTES_MAX = 1 + 16 + 3 + 3 * LIMITS.merchantIdCharsMax;

/**
 * NORMAL_AMOUNT_FOR_MERCHANT (RISK-13): writes each merchant's 99th-percentile amount by currency to the replica, each
 * minute. A kill may lose a minute of this node's counts. That is accepted, because the amount is only advice.
 */
export function createAmountTracker({ nodeId, save, loadChanged, publish }: AmountTrackerOptions) {
  const shares = createShares();
  /** True if the share that this node stored before its start has been added. */
  let loaded = false;
  /** True if older changes of other nodes may be missing: before the first publication, and after a failed refresh. */
  let mustLoadAll = true;

  // Shares are found by a row's bytes as one string. The key of `shares` would take four strings and 2 µs per row.
  const sharesByRow = new Map<string, Share>();
  const rowKey = Buffer.alloc(ROW_KEY_BYTES_MAX);
  const shareOfRow = ({ workspaceId, mode, currency, merchantId }: DecisionRecordView): Share | null => {
    rowKey[0] = mode;
    // The merchant comes last, because only its length varies. A workspace has 16 bytes and a currency 3 letters.
    const length = merchantId.copyTo(rowKey, currency.copyTo(rowKey, workspaceId.copyTo(rowKey, 1)));
    const key = rowKey.toString("latin1", 0, length);
    const known = sharesByRow.get(key);
    if (known !== undefined) return known;
    const id = idFromHex("ws", workspaceId.toString("hex"));
    const share = shares.of(id, MODES[mode] as Mode, merchantId.toString(), currency.toString());
    if (share !== null) sharesByRow.set(key, share);
    return share;
  };

  const load = async (): Promise<void> => {
    const stored = await loadChanged(ALL_SECONDS);
    for (const { workspaceId, mode, merchantId, currency, sketch, ...share } of stored) {
      if (share.nodeId !== nodeId) continue;
      // The stored share is added to what was counted since the start.
      const nodeShare = shares.of(workspaceId, mode, merchantId, currency);
      if (nodeShare !== null) addStored(nodeShare.sketch, sketch);
    }
    loaded = true;
  };

  const toStored = ({ workspaceId, mode, merchantId, currency, sketch }: Share): StoredAmounts => ({
    workspaceId,
    mode,
    merchantId,
    currency,
    nodeId,
    decisionCount: sketch.total,
    sketch: JSON.stringify(toCounts(sketch)),
  });

  return {
    add(row: DecisionRecordView): void {
      const share = shareOfRow(row);
      if (share === null) return;
      addAmount(share.sketch, row.amountMinor);
      share.changed = true;
    },

    /** Saves this node's changes, and publishes the changes of all nodes. Rejects while PostgreSQL is away. */
    async refresh(): Promise<void> {
      const withinSeconds = mustLoadAll ? ALL_SECONDS : LOOK_BACK_SECONDS;
      mustLoadAll = true;
      if (!loaded) await load();
      const changed = shares.all().filter((share) => share.changed);
      // Flags are cleared before the save, so that records counted during the save are included in the next one.
      for (const share of changed) share.changed = false;
      if (changed.length > 0) {
        await save(changed.map(toStored)).catch((error: unknown) => {
          for (const share of changed) share.changed = true;
          throw error;
        });
      }
      const entries = toEntries(await loadChanged(withinSeconds));
      if (entries.length > 0) publish(entries);
      mustLoadAll = false;
    },
  };
}

/** The shares of this node. */
function createShares() {
  const shares = new Map<string, Share>();
  const workspaceShares = new Map<string, number>();
  return {
    all: (): Share[] => [...shares.values()],
    /** Null if the node, or the workspace, has as many shares as it may have. */
    of(workspaceId: string, mode: Mode, merchantId: string, currency: string): Share | null {
      const key = `${workspaceId} ${mode} ${merchantId} ${currency}`;
      let share = shares.get(key);
      if (share === undefined) {
        const own = workspaceShares.get(workspaceId) ?? 0;
        if (shares.size >= TUNING.amountSketchesMax || own >= WORKSPACE_SHARES_MAX) return null;
        workspaceShares.set(workspaceId, own + 1);
        share = { workspaceId, mode, merchantId, currency, sketch: createAmountSketch(), changed: false };
        shares.set(key, share);
      }
      return share;
    },
  };
}

export type AmountTracker = ReturnType<typeof createAmountTracker>;

function addStored(into: AmountSketch, text: string): void {
  addCounts(into, JSON.parse(text) as AmountCounts);
}

/** Makes one entry per workspace, mode and merchant. It sums the nodes' shares of each currency. */
function toEntries(stored: readonly StoredAmounts[]): CatalogEntry[] {
  const merged = new Map<string, Map<string, AmountSketch>>();
  for (const { workspaceId, mode, merchantId, currency, sketch } of stored) {
    const key = amountsKey(workspaceId, mode, merchantId);
    const currencies = merged.get(key) ?? new Map<string, AmountSketch>();
    merged.set(key, currencies);
    const sum = currencies.get(currency) ?? createAmountSketch();
    currencies.set(currency, sum);
    addStored(sum, sketch);
  }
  return Array.from(merged, ([key, currencies]) => {
    const value: Record<string, number> = {};
    for (const [currency, sketch] of currencies) {
      const max = normalAmountMax(sketch);
      if (max !== null) value[currency] = max;
    }
    return { key, value };
  });
}

/**
 * Counts of amounts in buckets. A bucket is an amount rounded up to three significant digits. Amounts below 1000 minor
 * units are exact, and larger ones are within 1 %. A decade of amounts has at most 900 buckets. Sketches of several
 * nodes can be added.
 */
export interface AmountSketch {
  counts: Map<number, number>;
  total: number;
}

const SIGNIFICANT = 1000;
/** RISK-13: the decisions that a percentile needs. */
const DECISIONS_MIN = 100;
const PERCENTILE = 0.99;

export function createAmountSketch(): AmountSketch {
  return { counts: new Map(), total: 0 };
}

/** The bucket of an amount: the amount rounded up to three significant digits. */
export function amountBucketMax(amountMinor: number): number {
  let unit = 1;
  while (amountMinor / unit >= SIGNIFICANT) unit *= 10;
  return Math.ceil(amountMinor / unit) * unit;
}

export function addAmount(sketch: AmountSketch, amountMinor: number, count = 1): void {
  const bucket = amountBucketMax(amountMinor);
  sketch.counts.set(bucket, (sketch.counts.get(bucket) ?? 0) + count);
  sketch.total += count;
}

/** The 99th percentile by nearest rank, in minor units. Null below DECISIONS_MIN decisions. */
export function normalAmountMax(sketch: AmountSketch): number | null {
  if (sketch.total < DECISIONS_MIN) return null;
  const rank = Math.ceil(sketch.total * PERCENTILE);
  let cumulativeCount = 0;
  for (const bucket of [...sketch.counts.keys()].toSorted((a, b) => a - b)) {
    cumulativeCount += sketch.counts.get(bucket) ?? 0;
    if (cumulativeCount >= rank) return bucket;
  }
  return null;
}

/** The stored form of a sketch. */
type AmountCounts = readonly (readonly [bucket: number, count: number])[];

export function toCounts(sketch: AmountSketch): AmountCounts {
  return [...sketch.counts];
}

export function addCounts(into: AmountSketch, counts: AmountCounts): void {
  for (const [bucket, count] of counts) addAmount(into, bucket, count);
}
