import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { open, type Database } from "lmdb";
import type { HealthSnapshot } from "../../domain/health/snapshot.js";
import type { MerchantPrices } from "../../domain/pricing/merchant-pricing.js";
import type { DecisionMode, Mode, WorkspaceStatus } from "../../domain/vocabulary/vocabulary.js";

/** The part of a workspace that a decision needs. */
export interface ReplicaWorkspace {
  status: WorkspaceStatus;
  /** REQ-4: the workspace's default, else `enforce`. */
  default_decision_mode: DecisionMode | null;
  /** Null means the setting of the reading process: RISK_BLOCK_THRESHOLD, and for the next RETENTION_DAYS. */
  risk_block_threshold: number | null;
  retention_days: number | null;
}

/** The part of a merchant that a decision needs. Every merchant of the workspace has an entry. */
export interface ReplicaMerchant {
  /** The live policy, or null. */
  policy: ReplicaPolicy | null;
  /** The version of the merchant's own prices, or null for none. */
  prices: string | null;
}

/** One live policy. The rules are a separate entry, which merchants with the same rules share. */
export interface ReplicaPolicy {
  policy_id: string;
  /** `v1`, `v2`, … per merchant. */
  version: string;
  /** The name of its content: see `policyContentKey`. */
  content: string;
}

/** Writes health as an entry has it: JSON. */
export function writeSnapshots(snapshots: readonly HealthSnapshot[]): string {
  return JSON.stringify(snapshots);
}

/** Reads the text of `writeSnapshots`. Throws SyntaxError on text that is not JSON. */
export function readSnapshots(text: string): HealthSnapshot[] {
  return JSON.parse(text) as HealthSnapshot[];
}

/** A merchant's 99th-percentile amount by currency, minor units; absent below 100 decisions. */
export type ReplicaAmounts = Readonly<Record<string, number>>;

/**
 * Two counters that grow with every change. Readers compare them once per batch, and read entries only if they grew.
 */
export interface ReplicaVersions {
  catalog: number;
  health: number;
}

export const WORKSPACE_PREFIX = "workspace/";
export const MERCHANT_PREFIX = "merchant/";
export const workspaceKey = (workspaceId: string) => WORKSPACE_PREFIX + workspaceId;
export const merchantKey = (workspaceId: string, merchantId: string) =>
  `${MERCHANT_PREFIX}${workspaceId}/${merchantId}`;
/** The key of a policy's rules, by the name derived from their text (domain/policy/policy-content.ts). */
export const policyContentKey = (content: string) => `policy/${content}`;
/** The key of the number of merchants whose policy has these rules. */
export const policyUsesKey = (content: string) => `policy_uses/${content}`;
/**
 * The key of the rule ids of a merchant's live policy, in evaluation order. Simulations need them; decisions do not.
 */
export const ruleIdsKey = (workspaceId: string, merchantId: string) =>
  `rule_ids/${workspaceId}/${merchantId}`;
/** The key of an API key's last known grant, by its public id. It is used while PostgreSQL is away. */
export const apiKeyKey = (publicId: string) => `api_key/${publicId}`;
export const amountsKey = (workspaceId: string, mode: Mode, merchantId: string) =>
  `amounts/${workspaceId}/${mode}/${merchantId}`;
/** The key of a merchant's own prices. The merchant's entry names their version as well. */
export const pricesKey = (workspaceId: string, merchantId: string) => `prices/${workspaceId}/${merchantId}`;
/** The prefix of the pins of each workspace. */
export const PINS_PREFIX = "pins/";
export const pinsKey = (workspaceId: string) => PINS_PREFIX + workspaceId;
/** The prefix of the sealed webhook secrets of one workspace; `route` is `<provider>/<merchant_id>`. */
export const WEBHOOK_SECRET_PREFIX = "webhook_secret/";
export const webhookSecretKey = (route: string, workspaceId: string) =>
  `${WEBHOOK_SECRET_PREFIX}${route}/${workspaceId}`;
/** The prefixes of all copies of PostgreSQL's records. */
export const COPY_PREFIXES: readonly string[] = [
  WORKSPACE_PREFIX,
  MERCHANT_PREFIX,
  policyContentKey(""),
  "policy_uses/",
  "rule_ids/",
  "prices/",
  PINS_PREFIX,
  WEBHOOK_SECRET_PREFIX,
  apiKeyKey(""),
];
/** The key of the cursor up to which the copies follow PostgreSQL. Absent before the first copy. */
export const CHANGE_CURSOR_KEY = "change_cursor";
/** The key of the progress of a full copy. Absent once everything is copied. */
export const COPY_PROGRESS_KEY = "copy_progress";
/** The key of a text that is written only to find out whether the disk can be written. */
export const COPY_PROBE_KEY = "copy_probe";
/** The key of the snapshots in which a workspace's view in a mode differs from the common view. Absent without any. */
export const healthOverlayKey = (workspaceId: string, mode: Mode) =>
  `${HEALTH_OVERLAY_PREFIX}${mode}:${workspaceId}`;
/** The key of the snapshots of an owner's levels in one country. Absent if it has none. */
export const healthLevelsKey = (workspaceId: string, mode: Mode, country: string) =>
  `${healthOverlayKey(workspaceId, mode)}/${country}`;
/** The key of the results of an owner's retries, as RecoveryRow[]. Absent without any. */
export const recoveriesKey = (workspace: string, mode: Mode) =>
  `${healthOverlayKey(workspace, mode)}/retries`;
const HEALTH_OVERLAY_PREFIX = "health/";
const HEALTH_KEY = "health";
const VERSIONS_KEY = "versions";

const NO_OVERLAYS: ReadonlyMap<string, string | null> = new Map();
/** This is address space, not disk. A million merchants with policies of their own take 4 GiB. */
const REPLICA_MAP_BYTES = 64 * 2 ** 30;
/** The key of the list of entries that one catalog version changed. The list is null if they are too many to name. */
const changedKey = (catalogVersion: number) => `changed/${catalogVersion}`;
/** The number of versions whose changes are kept. A reader further behind drops everything it has cached. */
const CHANGES_REMEMBERED = 4096;
const CHANGED_KEYS_MAX = 1000;

export interface ReplicaReader {
  /**
   * Steps to the newest committed state. It must be called once per batch. Because of Piscina's atomics, the thread
   * does not reach the event loop on which lmdb-js would renew its read snapshot.
   */
  refresh(): ReplicaVersions;
  /**
   * Releases that state until the next `refresh`. While a thread holds a state, no page of that time can be reused.
   * The prober writes new pages each second, so a sleeping thread would cost 85 KB a second.
   */
  release(): void;
  /**
   * The keys of the entries that changed after a catalog version, up to the state of the last `refresh`. Null if they
   * are too many to name: any entry may then have changed.
   */
  changedSince(catalogVersion: number): readonly string[] | null;
  /** The JSON text of an entry, or undefined. */
  read(key: string): string | undefined;
  /** Lists at most `limit` keys after `after` that begin with `prefix`, in order and without the prefix. */
  keysAfter(prefix: string, after?: string, limit?: number): string[];
  /** The JSON text of the health snapshots, or undefined before the first one. */
  readHealth(): string | undefined;
  /** Returns false if LMDB fails to answer. */
  isReadable(): boolean;
  close(): Promise<void>;
}

export interface CatalogEntry {
  key: string;
  /** Null removes the entry. */
  value: ReplicaWorkspace | ReplicaMerchant | ReplicaAmounts | MerchantPrices | readonly string[] | null;
}

/** An entry that no version counts, because no decision reads it. */
export interface ReplicaText {
  key: string;
  /** Null removes the entry. */
  text: string | null;
}

export interface ReplicaWriter {
  /**
   * Writes entries and texts in one transaction, so no decision sees half of it. The catalog version grows if an entry
   * changes. Returns the number of entries and texts that changed.
   */
  putCatalog(changes: readonly CatalogEntry[], texts?: readonly ReplicaText[]): number;
  /**
   * Writes the common snapshots and the changed overlays, by key, in one transaction. A null text removes an overlay.
   * Null snapshots keep the stored ones. With `replacesAll`, every overlay that is not given is removed.
   */
  putHealth(
    snapshots: string | null,
    overlays?: ReadonlyMap<string, string | null>,
    replacesAll?: boolean,
  ): void;
  /** Writes one text, as `putCatalog` does. */
  putText(key: string, text: string | null): void;
  close(): Promise<void>;
}

/** Each thread has one, because LMDB wants an environment opened once in each thread. */
export type Replica = ReplicaReader & ReplicaWriter;

/**
 * Opens DATA_DIR/replica. Values are JSON texts. A reader compares a text before it parses it, so an unchanged entry
 * keeps its compiled form. A writer passes `assertRoom`, which throws if the disk is nearly full or read-only
 * (platform/node/disk-room.ts).
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
  const bump = (field: keyof ReplicaVersions): number => {
    const text = entries.get(VERSIONS_KEY);
    const versions = text === undefined ? { catalog: 0, health: 0 } : (JSON.parse(text) as ReplicaVersions);
    versions[field]++;
    entries.putSync(VERSIONS_KEY, JSON.stringify(versions));
    return versions[field];
  };
  const keysUnder = (prefix: string, after = "", limit?: number): string[] => {
    const keys = entries.getKeys({
      start: prefix + after,
      end: `${prefix}\u{10ffff}`,
      // The first key may be `after` itself.
      ...(limit === undefined ? {} : { limit: limit + 1 }),
    });
    return Array.from(keys)
      .filter((key) => after === "" || key !== prefix + after)
      .slice(0, limit);
  };
  const putText = ({ key, text }: ReplicaText): boolean => {
    if (entries.get(key) === (text ?? undefined)) return false;
    if (text === null) entries.removeSync(key);
    else entries.putSync(key, text);
    return true;
  };
  const put = ({ key, value }: CatalogEntry): boolean =>
    putText({ key, text: value === null ? null : JSON.stringify(value) });
  const transaction = <T>(write: () => T): T => {
    assertRoom();
    return env.transactionSync(write);
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
    changedSince(catalogVersion) {
      const changed: string[] = [];
      if (known.catalog - catalogVersion > CHANGES_REMEMBERED) return null;
      for (let version = catalogVersion + 1; version <= known.catalog; version++) {
        const text = entries.get(changedKey(version));
        const keys = text === undefined ? null : (JSON.parse(text) as string[] | null);
        if (keys === null) return null;
        changed.push(...keys);
      }
      return changed;
    },
    keysAfter: (prefix, after, limit) =>
      keysUnder(prefix, after, limit).map((key) => key.slice(prefix.length)),
    readHealth: () => entries.get(HEALTH_KEY),
    isReadable() {
      try {
        env.resetReadTxn();
        return entries.get(VERSIONS_KEY) !== undefined;
      } catch {
        return false;
      }
    },
    putCatalog(changes, texts = []) {
      return transaction(() => {
        const changed = changes.filter(put).map(({ key }) => key);
        const changedTexts = texts.filter(putText).length;
        if (changed.length === 0) return changedTexts;
        const version = bump("catalog");
        entries.putSync(
          changedKey(version),
          JSON.stringify(changed.length > CHANGED_KEYS_MAX ? null : changed),
        );
        entries.removeSync(changedKey(version - CHANGES_REMEMBERED));
        return changed.length + changedTexts;
      });
    },
    putHealth(snapshots, overlays = NO_OVERLAYS, replacesAll = false) {
      transaction(() => {
        if (snapshots !== null) entries.putSync(HEALTH_KEY, snapshots);
        const keys = new Set([...(replacesAll ? keysUnder(HEALTH_OVERLAY_PREFIX) : []), ...overlays.keys()]);
        for (const key of keys) putText({ key, text: overlays.get(key) ?? null });
        bump("health");
      });
    },
    putText(key, text) {
      assertRoom();
      putText({ key, text });
    },
    close: () => env.close(),
  };
}
