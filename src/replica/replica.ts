import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { open, type Database } from "lmdb";
import type { Policy } from "../policy/policy.js";
import type { MerchantPrices } from "../pricing/merchant-pricing.js";
import type { DecisionMode, Mode, WorkspaceStatus } from "../shared/vocabulary.js";

/** What a decision needs to know of a workspace. */
export interface ReplicaWorkspace {
  status: WorkspaceStatus;
  /** spec `decision_mode`: "the workspace default, and if none, enforce". */
  default_decision_mode: DecisionMode | null;
  risk_block_threshold: number;
}

/** What a decision needs to know of a merchant; an entry exists for every merchant of the workspace. */
export interface ReplicaMerchant {
  /** The published policy in normal form, or null. */
  policy: Policy | null;
}

/** A merchant's 99th-percentile amount by currency, minor units; absent below 100 decisions. */
export type ReplicaAmounts = Readonly<Record<string, number>>;

/** Two counters that move with every change; readers look at them once per batch and decode nothing otherwise. */
export interface ReplicaVersions {
  catalog: number;
  health: number;
}

export const WORKSPACE_PREFIX = "workspace/";
export const MERCHANT_PREFIX = "merchant/";
export const workspaceKey = (workspaceId: string) => WORKSPACE_PREFIX + workspaceId;
export const merchantKey = (workspaceId: string, merchantId: string) =>
  `${MERCHANT_PREFIX}${workspaceId}/${merchantId}`;
/** Which policy a merchant's entry holds; `merchant`: what follows MERCHANT_PREFIX in its key. */
export const policyVersionKey = (merchant: string) => `policy_version/${merchant}`;
/** A key's last known grant, by its public id: for the time PostgreSQL is away. */
export const apiKeyKey = (publicId: string) => `api_key/${publicId}`;
export const amountsKey = (workspaceId: string, mode: Mode, merchantId: string) =>
  `amounts/${workspaceId}/${mode}/${merchantId}`;
/** A merchant's prices, and apart from them their version: a few bytes that tell whether those have changed. */
export const PRICE_VERSION_PREFIX = "price_version/";
export const priceVersionKey = (workspaceId: string, merchantId: string) =>
  `${PRICE_VERSION_PREFIX}${workspaceId}/${merchantId}`;
export const pricesKey = (workspaceId: string, merchantId: string) => `prices/${workspaceId}/${merchantId}`;
/** The snapshots in which the view of one workspace and mode differs from everybody's; absent where it does not. */
export const healthOverlayKey = (workspaceId: string, mode: Mode) =>
  `${HEALTH_OVERLAY_PREFIX}${mode}:${workspaceId}`;
const HEALTH_OVERLAY_PREFIX = "health/";
const HEALTH_KEY = "health";
const VERSIONS_KEY = "versions";

const NO_OVERLAYS: ReadonlyMap<string, string> = new Map();
const REPLICA_MAP_BYTES = 4 * 2 ** 30;

export interface ReplicaReader {
  /**
   * Steps to the newest committed state. Must be called once per batch: Piscina's atomics keep the thread from the
   * event loop on which lmdb-js would renew its read snapshot.
   */
  refresh(): ReplicaVersions;
  /**
   * Lets go of that state, until the next `refresh`. A thread that keeps one keeps every page that was in use then, and the
   * prober writes new ones each second: 85 KB a second for as long as the thread sleeps.
   */
  release(): void;
  /** The JSON text of an entry, or undefined. */
  read(key: string): string | undefined;
  /** What follows `prefix` in the keys that begin with it. */
  keysAfter(prefix: string): string[];
  /** The JSON text of the health snapshots, or undefined before the first one. */
  readHealth(): string | undefined;
  /** False when LMDB fails to answer. */
  isReadable(): boolean;
  close(): Promise<void>;
}

export interface CatalogEntry {
  key: string;
  /** null removes the entry. */
  value: ReplicaWorkspace | ReplicaMerchant | ReplicaAmounts | MerchantPrices | string | null;
}

export interface ReplicaWriter {
  /** Changes entries and moves the catalog version in one transaction: no decision sees half of it. */
  putCatalog(changes: readonly CatalogEntry[]): void;
  /** Makes the catalog hold exactly `entries` under the given prefixes. */
  replaceCatalog(prefixes: readonly string[], entries: readonly CatalogEntry[]): void;
  /** Everybody's snapshots and every overlay by its key, in one transaction; overlays that are not given end. */
  putHealth(snapshots: string, overlays?: ReadonlyMap<string, string>): void;
  /** A text outside of the versions: nothing a decision sees. `null` removes it. */
  putText(key: string, text: string | null): void;
  close(): Promise<void>;
}

/** One per thread: LMDB wants an environment opened once in each. */
export type Replica = ReplicaReader & ReplicaWriter;

/**
 * Opens DATA_DIR/replica. Values are JSON texts: a reader compares them before parsing, so that an unchanged entry
 * keeps what was compiled from it. A writer brings `assertRoom`, which throws when the disk is nearly full or
 * read-only; see journal/disk-room.ts.
 */
export function openReplica(dataDir: string, assertRoom: () => void = () => undefined): Replica {
  const path = join(dataDir, "replica");
  mkdirSync(path, { recursive: true, mode: 0o700 });
  // noSync: everything here is rebuilt from PostgreSQL and the prober.
  const env = open({
    path,
    maxDbs: 4,
    mapSize: REPLICA_MAP_BYTES,
    noSync: true,
    overlappingSync: false,
    maxReaders: 512,
  });
  const entries: Database<string, string> = env.openDB({ name: "entries", encoding: "string" });
  let versionsText = "";
  let known: ReplicaVersions = { catalog: 0, health: 0 };
  const bump = (field: keyof ReplicaVersions): void => {
    const text = entries.get(VERSIONS_KEY);
    const versions = text === undefined ? { catalog: 0, health: 0 } : (JSON.parse(text) as ReplicaVersions);
    entries.putSync(VERSIONS_KEY, JSON.stringify({ ...versions, [field]: versions[field] + 1 }));
  };
  const keysUnder = (prefix: string): string[] =>
    Array.from(entries.getKeys({ start: prefix, end: `${prefix}\u{10ffff}` }));
  const put = ({ key, value }: CatalogEntry): void => {
    if (value === null) entries.removeSync(key);
    else entries.putSync(key, JSON.stringify(value));
  };
  const transaction = (write: () => void): void => {
    assertRoom();
    env.transactionSync(write);
  };
  return {
    refresh() {
      env.resetReadTxn();
      const text = entries.get(VERSIONS_KEY);
      if (text !== undefined && text !== versionsText) {
        versionsText = text;
        known = JSON.parse(text) as ReplicaVersions;
      }
      return known;
    },
    release: () => env.resetReadTxn(),
    read: (key) => entries.get(key),
    keysAfter: (prefix) => keysUnder(prefix).map((key) => key.slice(prefix.length)),
    readHealth: () => entries.get(HEALTH_KEY),
    isReadable() {
      try {
        env.resetReadTxn();
        return entries.get(VERSIONS_KEY) !== undefined;
      } catch {
        return false;
      }
    },
    putCatalog(changes) {
      transaction(() => {
        changes.forEach(put);
        bump("catalog");
      });
    },
    replaceCatalog(prefixes, wanted) {
      transaction(() => {
        const next = new Map(wanted.map(({ key, value }) => [key, JSON.stringify(value)]));
        let changed = false;
        for (const prefix of prefixes) {
          for (const key of keysUnder(prefix)) {
            if (next.has(key)) continue;
            entries.removeSync(key);
            changed = true;
          }
        }
        for (const [key, text] of next) {
          if (entries.get(key) === text) continue;
          entries.putSync(key, text);
          changed = true;
        }
        if (changed) bump("catalog");
      });
    },
    putHealth(snapshots, overlays = NO_OVERLAYS) {
      transaction(() => {
        entries.putSync(HEALTH_KEY, snapshots);
        for (const key of keysUnder(HEALTH_OVERLAY_PREFIX)) if (!overlays.has(key)) entries.removeSync(key);
        for (const [key, text] of overlays) entries.putSync(key, text);
        bump("health");
      });
    },
    putText(key, text) {
      assertRoom();
      if (text === null) entries.removeSync(key);
      else entries.putSync(key, text);
    },
    close: () => env.close(),
  };
}
