import { createHash, hkdfSync, randomBytes } from "node:crypto";
import { join } from "node:path";
import type { Pool } from "pg";
import { claimNodeNumber, giveBackNodeNumber, sharedDecisionIdKey } from "./node-identity-queries.js";
import { DECISION_ID_KEY_BYTES, NODE_NUMBERS } from "../../../domain/ids/decision-id.js";
import type { DecisionIdentity } from "../pool/shared-memory.js";
import { keep, readKept } from "../../../platform/node/kept-file.js";

export interface NodeIdentityOptions {
  dataDir: string;
  nodeId: string;
  /**
   * SECRET_KEY, or the key generated for an embedded database. Null if the nodes have neither. The database's secret is
   * then used.
   */
  secretKey: string | null;
}

export interface NodeIdentity {
  /** The identity of the last claim, for a start while PostgreSQL is away. Null on a new DATA_DIR. */
  kept(): Promise<DecisionIdentity | null>;
  /**
   * Claims and returns the identity. `lastSequence` is the journal's last sequence. Rejects while PostgreSQL is away.
   */
  claim(pool: Pool, lastSequence: number): Promise<ClaimedIdentity>;
  /**
   * Releases the node's number. Call it when the node makes no more decisions. DATA_DIR keeps the identity for a start
   * while PostgreSQL is away.
   */
  giveBack(pool: Pool): Promise<void>;
}

export interface ClaimedIdentity extends DecisionIdentity {
  /** True if the database's other nodes make decision ids with another SECRET_KEY. */
  isKeyMismatched: boolean;
}

const INFO = "payinference decision ids";
/** The length of the secret that the database stores. */
const SECRET_BYTES = 32;

/**
 * Gets the node's number from PostgreSQL and, without `secretKey`, also the secret for the key of decision ids. What
 * comes from PostgreSQL is stored in DATA_DIR with mode 0600.
 */
export function createNodeIdentity({ dataDir, nodeId, secretKey }: NodeIdentityOptions): NodeIdentity {
  const path = join(dataDir, "journal", "decision-ids");
  const identityOf = (node: number, secret: string): DecisionIdentity => ({ node, key: keyOf(secret) });
  return {
    async kept() {
      const [node, secret] = ((await readKept(path)) ?? "").split(" ");
      const known = secretKey ?? secret;
      return node === undefined || node === "" || known === undefined
        ? null
        : identityOf(Number(node), known);
    },
    giveBack: (pool) => giveBackNodeNumber(pool, nodeId),
    async claim(pool, lastSequence) {
      const node = await claimNodeNumber(pool, nodeId, NODE_NUMBERS, lastSequence);
      const secret = randomBytes(SECRET_BYTES);
      const own = identityOf(node, secretKey ?? secret.toString("base64"));
      const shared = await sharedDecisionIdKey(pool, { secret, fingerprint: fingerprintOf(own.key) });
      const sharedSecret = shared.secret.toString("base64");
      await keep(path, secretKey === null ? `${node} ${sharedSecret}` : String(node));
      const identity = secretKey === null ? identityOf(node, sharedSecret) : own;
      return { ...identity, isKeyMismatched: !fingerprintOf(identity.key).equals(shared.fingerprint) };
    },
  };
}

/** The fingerprint of the key that is made from `secretKey`, as the database stores it. */
export function decisionIdFingerprint(secretKey: string): Buffer {
  return fingerprintOf(keyOf(secretKey));
}

function keyOf(secret: string): Uint8Array {
  return new Uint8Array(hkdfSync("sha256", secret, "", INFO, DECISION_ID_KEY_BYTES));
}

function fingerprintOf(key: Uint8Array): Buffer {
  return createHash("sha256").update(key).digest();
}
