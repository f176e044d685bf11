import { randomBytes } from "node:crypto";
import { join } from "node:path";
import type { Pool } from "pg";
import { keep, readKept } from "../platform/node/kept-file.js";
import type { CellName } from "../path/access/cell.js";
import { issueApiKey, type ApiKeyRequest } from "../features/api-keys/issue-api-key.js";
import { hashPassword } from "../features/accounts/password.js";
import { insertMembership, insertUser } from "../features/accounts/queries.js";
import { inTransaction } from "../platform/postgres/transaction.js";
import { SCOPES } from "../domain/vocabulary/vocabulary.js";
import { insertWorkspace } from "../features/workspaces/queries/workspace.js";
import { insertMerchant } from "../features/workspaces/queries/merchant.js";

/** The content of DATA_DIR/demo.json: the demo's key and login. The file has mode 0600. */
export interface Demo {
  api_key: string;
  merchant_id: string;
  workspace_id: string;
  email: string;
  password: string;
}

const MERCHANT_ID = "demo_merchant";
const EMAIL = "owner@demo.example";

/** SET-11: the first start with DEMO creates a workspace with a merchant, an owner and a test key with all scopes. */
export async function ensureDemo(
  pool: Pool,
  dataDir: string,
  nextId: () => string,
  cell: CellName = null,
): Promise<Demo> {
  const path = join(dataDir, "demo.json");
  const known = await readKept(path);
  if (known !== null) return JSON.parse(known) as Demo;

  const workspaceId = `ws_${nextId()}`;
  const userId = `usr_${nextId()}`;
  const password = randomBytes(12).toString("base64url");
  const passwordHash = hashPassword(password);
  // An e-mail address is unique over all workspaces, so each node's demo gets an address of its own.
  const email = EMAIL.replace("@", `+${userId.slice(-6)}@`);
  const secret = await inTransaction(pool, async (client) => {
    await insertWorkspace(client, { workspaceId, name: "Demo" });
    await insertMerchant(client, { workspaceId, merchantId: MERCHANT_ID, name: "Demo merchant" });
    await insertUser(client, { userId, email, name: "Demo owner", passwordHash });
    await insertMembership(client, { workspaceId, userId, role: "owner" });
    const key: ApiKeyRequest = {
      keyId: `key_${nextId()}`,
      workspaceId,
      name: "Demo",
      mode: "test",
      scopes: [...SCOPES],
      merchantId: null,
      expiresAt: null,
    };
    return (await issueApiKey(client, key, cell)).secret;
  });
  const demo: Demo = {
    api_key: secret,
    merchant_id: MERCHANT_ID,
    workspace_id: workspaceId,
    email,
    password,
  };
  await keep(path, JSON.stringify(demo, null, 2));
  return demo;
}

/** A request that the demo can answer right after its first start. It names providers of this deployment. */
export function demoRequest(demo: Demo, providers: readonly string[]): string {
  return JSON.stringify({
    merchant_id: demo.merchant_id,
    order_id: "order_1001",
    transaction: {
      amount: 129_900,
      currency: "USD",
      country: "US",
      payment_method: "card",
      card_network: "visa",
      customer_type: "returning",
    },
    available_providers: providers.slice(0, 2),
  });
}
