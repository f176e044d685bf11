import type { DecisionRecordView } from "../journal/decision-record.js";
import type { StoredAmounts } from "./amount-queries.js";
import { amountsKey, type CatalogEntry } from "../replica/replica.js";
import {
  addAmount,
  createAmountSketch,
  mergeSketch,
  normalAmountMax,
  serializeSketch,
  type AmountSketch,
} from "../../domain/risk/amount-sketch.js";
import { ByteKeyedMap } from "../../platform/bytes/byte-keyed-map.js";
import { idFromHex } from "../../domain/ids/ids.js";
import { LIMITS } from "../../domain/vocabulary/limits.js";
import { MODES, type Mode } from "../../domain/vocabulary/vocabulary.js";

export interface AmountTrackerOptions {
  nodeId: string;
  save(amounts: readonly StoredAmounts[]): Promise<void>;
  /** Shares of all nodes; see path/writer/amount-queries.ts. */
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

/** Longer than two refreshes, so that no node's change is missed between two looks. */
const LOOK_BACK_SECONDS = 150;
const ALL_SECONDS = 100 * 365 * 86_400;
/** Mode, workspace, currency and merchant, at most 3 bytes to a UTF-16 unit. */
const ROW_KEY_BYTES_MAX = 1 + 16 + 3 + 3 * LIMITS.merchantIdCharsMax;

/**
 * NORMAL_AMOUNT_FOR_MERCHANT (RISK-13): each merchant's 99th-percentile amount by currency, refreshed each minute
 * in the replica. Advisory: a kill loses at most a minute of this node's counts, and never a decision.
 */
export function createAmountTracker({ nodeId, save, loadChanged, publish }: AmountTrackerOptions) {
  const shares = new Map<string, Share>();
  /** This node's own share of an earlier run is counted in. */
  let loaded = false;
  /** Other nodes' changes may be older than the look back: nothing was published yet, or refreshes have failed. */
  let mustLoadAll = true;

  // Turning 16 bytes into an id costs more than all the rest of a row here, and merchants repeat.
  const sharesByRow = new ByteKeyedMap<Share>();
  const rowKey = Buffer.alloc(ROW_KEY_BYTES_MAX);
  const shareOfRow = (row: DecisionRecordView): Share | null => {
    const { workspaceId, mode, currency, merchantId } = row;
    rowKey[0] = mode;
    // Neither a workspace's 16 bytes nor a currency's 3 letters vary in length: the merchant ends the key.
    const length = merchantId.copyTo(rowKey, currency.copyTo(rowKey, workspaceId.copyTo(rowKey, 1)));
    const known = sharesByRow.get(rowKey, length);
    if (known !== undefined) return known;
    const id = idFromHex("ws", workspaceId.toString("hex"));
    const share = shareOf(id, MODES[mode] as Mode, merchantId.toString(), currency.toString());
    if (share !== null) sharesByRow.add(rowKey, length, share);
    return share;
  };

  const load = async (): Promise<void> => {
    const stored = await loadChanged(ALL_SECONDS);
    for (const { workspaceId, mode, merchantId, currency, sketch, ...share } of stored) {
      if (share.nodeId !== nodeId) continue;
      // What was counted since the start is added to, not replaced.
      const nodeShare = shareOf(workspaceId, mode, merchantId, currency);
      if (nodeShare !== null) mergeSketch(nodeShare.sketch, sketch);
    }
    loaded = true;
  };

  const shareOf = (workspaceId: string, mode: Mode, merchantId: string, currency: string): Share | null => {
    const key = `${workspaceId} ${mode} ${merchantId} ${currency}`;
    let share = shares.get(key);
    if (share === undefined) {
      if (shares.size >= LIMITS.amountSketchesMax) return null;
      share = { workspaceId, mode, merchantId, currency, sketch: createAmountSketch(), changed: false };
      shares.set(key, share);
    }
    return share;
  };

  const toStored = ({ workspaceId, mode, merchantId, currency, sketch }: Share): StoredAmounts => ({
    workspaceId,
    mode,
    merchantId,
    currency,
    nodeId,
    decisionCount: sketch.total,
    sketch: serializeSketch(sketch),
  });

  return {
    add(row: DecisionRecordView): void {
      const share = shareOfRow(row);
      if (share === null) return;
      addAmount(share.sketch, row.amountMinor);
      share.changed = true;
    },

    /** Saves what changed here, reads what changed anywhere, publishes it. Rejects while PostgreSQL is away. */
    async refresh(): Promise<void> {
      const withinSeconds = mustLoadAll ? ALL_SECONDS : LOOK_BACK_SECONDS;
      mustLoadAll = true;
      if (!loaded) await load();
      const changed = [...shares.values()].filter((share) => share.changed);
      // Before the save, so that what is counted while it runs is saved by the next one.
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

export type AmountTracker = ReturnType<typeof createAmountTracker>;

/** One entry per workspace, mode and merchant: the nodes' shares of each currency added up. */
function toEntries(stored: readonly StoredAmounts[]): CatalogEntry[] {
  const merged = new Map<string, Map<string, AmountSketch>>();
  for (const { workspaceId, mode, merchantId, currency, sketch } of stored) {
    const key = amountsKey(workspaceId, mode, merchantId);
    const currencies = merged.get(key) ?? new Map<string, AmountSketch>();
    merged.set(key, currencies);
    const sum = currencies.get(currency) ?? createAmountSketch();
    currencies.set(currency, sum);
    mergeSketch(sum, sketch);
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
