import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { open, type Database } from "lmdb";
import type { HealthSnapshot } from "../../domain/health/snapshot.js";
import type { MerchantPrices } from "../../domain/pricing/merchant-pricing.js";
import type { DecisionMode, Mode, WorkspaceStatus } from "../../domain/vocabulary/vocabulary.js";

/** The part of a workspace that a decision needs. */
export interface ReplicaWorkspace {
  status: WorkspaceStatus;
  /** REQ-4: the workspace's default decision mode. Null stands for `enforce`. */
  default_decision_mode: DecisionMode | null;
  /** Null stands for the process's setting: RISK_BLOCK_THRESHOLD here, and RETENTION_DAYS for the next field. */
  risk_block_threshold: number | null;
  retention_days: number | null;
}

/** The part of a merchant that a decision needs. Every merchant of the workspace has an entry. */
export interface ReplicaMerchant {
  /** The live policy, or null. */
  policy: ReplicaPolicy | null;
  /** The version of the merchant's own prices. Null if it has none. */
  prices: string | null;
}

/** One live policy. Its rules are an entry of their own, which merchants with the same rules share. */
export interface ReplicaPolicy {
  policy_id: string;
  /** `v1`, `v2`, … per merchant. */
  version: string;
  /** The name of the policy's content (see `policyContentKey`). */
  content: string;
}

/** Writes snapshots as the JSON text of an entry. */
export function writeSnapshots(snapshots: readonly HealthSnapshot[]): string {
  return JSON.stringify(snapshots);
}

/** Reads the text of `writeSnapshots`. Throws SyntaxError if the text is not JSON. */
export function readSnapshots(text: string): HealthSnapshot[] {
  return JSON.parse(text) as HealthSnapshot[];
}

/** A merchant's 99th-percentile amounts, in minor units. A currency with fewer than 100 decisions is absent. */
export type ReplicaAmounts = Readonly<Record<string, number>>;

/**
 * Two counters. `catalog` grows when an entry of the catalog changes, `health` each time health is published. Once per
 * batch, a reader compares them with the last values it saw. It drops what it cached only if one has changed.
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
/** The key of a policy's rules. `content` is the name derived from their text (domain/policy/policy-content.ts). */
export const policyContentKey = (content: string) => `policy/${content}`;
/** The key of the number of merchants whose policy has this content. */
export const policyUsesKey = (content: string) => `policy_uses/${content}`;
/** The key of the rule ids of a merchant's live policy, in evaluation order. Only simulations need them. */
export const ruleIdsKey = (workspaceId: string, merchantId: string) =>
  `rule_ids/${workspaceId}/${merchantId}`;
/** The key of an API key's last known row, by its public id. It is used while PostgreSQL is away. */
export const apiKeyKey = (publicId: string) => `api_key/${publicId}`;
export const amountsKey = (workspaceId: string, mode: Mode, merchantId: string) =>
  `amounts/${workspaceId}/${mode}/${merchantId}`;
/** The key of a merchant's own prices. The merchant's entry has their version, too. */
export const pricesKey = (workspaceId: string, merchantId: string) => `prices/${workspaceId}/${merchantId}`;
/** The prefix of the pins of each workspace. */
export const PINS_PREFIX = "pins/";
export const pinsKey = (workspaceId: string) => PINS_PREFIX + workspaceId;
/** The prefix of the encrypted webhook secrets. In their keys, `route` is `<provider>/<merchant_id>`. */
export const WEBHOOK_SECRET_PREFIX = "webhook_secret/";
export const webhookSecretKey = (route: string, workspaceId: string) =>
  `${WEBHOOK_SECRET_PREFIX}${route}/${workspaceId}`;
/** The prefixes of all entries that are copies of PostgreSQL's records. */
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
/** The key of the change feed's cursor. Absent before the first copy. */
export const CHANGE_CURSOR_KEY = "change_cursor";
/** The key of a full copy's progress. Absent when everything is copied. */
export const COPY_PROGRESS_KEY = "copy_progress";
/** The key of a text that is only written to test whether the disk can be written. */
export const COPY_PROBE_KEY = "copy_probe";
/** The key of the snapshots in which an owner's view differs from the common view. Absent if there are none. */
export const healthOverlayKey = (workspaceId: string, mode: Mode) =>
  `${HEALTH_OVERLAY_PREFIX}${mode}:${workspaceId}`;
/** The key of the snapshots of an owner's levels in one country. Absent if there are none. */
export const healthLevelsKey = (workspaceId: string, mode: Mode, country: string) =>
  `${healthOverlayKey(workspaceId, mode)}/${country}`;
/** The key of the results of an owner's retries, as RecoveryRow[]. Absent if there are none. */
export const recoveriesKey = (workspace: string, mode: Mode) =>
  `${healthOverlayKey(workspace, mode)}/retries`;
const HEALTH_OVERLAY_PREFIX = "health/";
const HEALTH_KEY = "health";
const VERSIONS_KEY = "versions";

const NO_OVERLAYS: ReadonlyMap<string, string | null> = new Map();
/** Address space, not disk. A million merchants with policies of their own take 4 GiB. */
const REPLICA_MAP_BYTES = 64 * 2 ** 30;
/** The key of the list of entries that a catalog version changed. The list is null if they are too many to list. */
const changedKey = (catalogVersion: number) => `changed/${catalogVersion}`;
/** How many versions' changes are kept. A reader that is further behind drops its whole cache. */
const CHANGES_REMEMBERED = 4096;
const CHANGED_KEYS_MAX = 1000;

export interface ReplicaReader {
  /**
   * Moves to the newest committed state. Call it once per batch. With Piscina's atomics, the thread does not reach the
   * event loop, on which lmdb-js would renew its read snapshot.
   */
  refresh(): ReplicaVersions;
  /**
   * Releases the state until the next `refresh`. While a thread holds a state, LMDB cannot reuse its pages. The prober
   * writes new pages each second, so a sleeping thread would cost 85 KB a second.
   */
  release(): void;
  /**
   * The keys of the entries that changed after a catalog version, up to the state of the last `refresh`. Null if they
   * are too many to list, so that any entry may have changed.
   */
  changedSince(catalogVersion: number): readonly string[] | null;
  /** The JSON text of an entry. Undefined if there is no such entry. */
  read(key: string): string | undefined;
  /** Lists at most `limit` keys after `after` that begin with `prefix`, in order and without the prefix. */
  keysAfter(prefix: string, after?: string, limit?: number): string[];
  /** The JSON text of the health snapshots. Undefined before the first snapshots. */
  readHealth(): string | undefined;
  /** False if LMDB cannot be read, or if nothing was ever published in it. */
  isReadable(): boolean;
  close(): Promise<void>;
}

export interface CatalogEntry {
  key: string;
  /** Null removes the entry. */
  value: ReplicaWorkspace | ReplicaMerchant | ReplicaAmounts | MerchantPrices | readonly string[] | null;
}

/** An entry whose change raises no version. No decision reads it, or only one that follows a changed catalog entry. */
export interface ReplicaText {
  key: string;
  /** Null removes the entry. */
  text: string | null;
}

export interface ReplicaWriter {
  /**
   * Writes entries and texts in one transaction, so that no decision sees half of them. The catalog version grows if an
   * entry changes. Returns the number of entries and texts that changed.
   */
  putCatalog(changes: readonly CatalogEntry[], texts?: readonly ReplicaText[]): number;
  /**
   * Writes the common snapshots and the changed overlays, by key, in one transaction. A null text removes an overlay.
   * Null snapshots keep the stored ones. With `replacesAll`, all other overlays are removed.
   */
  putHealth(
    snapshots: string | null,
    overlays?: ReadonlyMap<string, string | null>,
    replacesAll?: boolean,
  ): void;
  /** Writes one text, like `putCatalog`. */
  putText(key: string, text: string | null): void;
  close(): Promise<void>;
}

/** Reads and writes. Open only one per thread, because LMDB wants an environment opened once in each thread. */
export type Replica = ReplicaReader & ReplicaWriter;

/**
 * Opens DATA_DIR/replica. Values are JSON texts. A reader may cache what it has parsed until `changedSince` names the
 * entry. Writers must pass `assertRoom`, which throws if the disk is nearly full or read-only
 * (platform/node/disk-room.ts).
 */
export function openReplica(dataDir: string, assertRoom: () => void = () => undefined): Replica {
  const path = join(dataDir, "replica");
  mkdirSync(path, { recursive: true, mode: 0o700 });
  // noSync, because everything here can be rebuilt from PostgreSQL and the prober.
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
      // One more than `limit`, because the first key may be `after` itself.
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
