import { randomFillSync } from "node:crypto";
import assert from "node:assert/strict";
import type { Pool } from "pg";
import { issueApiKey } from "../../../src/features/api-keys/issue-api-key.js";
import { insertMerchant } from "../../../src/features/workspaces/queries/merchant.js";
import { insertPolicy } from "../../../src/features/policies/queries.js";
import type { Conditions, Policy, Rule, RuleAction } from "../../../src/domain/policy/policy.js";
import {
  createIdGenerator,
  idToHex,
  type IdPrefix,
  createRandomSource,
} from "../../../src/domain/ids/ids.js";
import {
  SCOPES,
  WORKSPACE_STATUSES,
  type Mode,
  type Scope,
  type DecisionMode,
  type WorkspaceStatus,
} from "../../../src/domain/vocabulary/vocabulary.js";
import { decisionBody, eventually, send, type RunningService } from "../service/service.js";
import { tenantsOf } from "../postgres/postgres.js";
import { insertWorkspace } from "../../../src/features/workspaces/queries/workspace.js";

/** Inserts workspaces, merchants, keys and policies as rows. The service is notified of each change. */

const ids = createIdGenerator(createRandomSource(randomFillSync));
export function newId(prefix: IdPrefix): string {
  return `${prefix}_${ids.next(Date.now())}`;
}

export interface WorkspaceOptions {
  merchants?: readonly string[];
  defaultDecisionMode?: DecisionMode;
  riskBlockThreshold?: number;
}

/** Creates a workspace with merchants. Resolves to its id once the service decides for the last merchant. */
export async function createWorkspace(
  service: RunningService,
  { merchants = ["demo_merchant"], ...settings }: WorkspaceOptions = {},
): Promise<string> {
  const workspaceId = newId("ws");
  await insertWorkspace(service.pool, { workspaceId, name: "Test", ...settings });
  for (const merchantId of merchants) await insertMerchant(service.pool, { workspaceId, merchantId });
  const key = await createKey(service.pool, workspaceId);
  await eventually(async () => {
    const body = decisionBody({ merchant_id: merchants.at(-1) });
    assert.equal((await send(service, "POST", "/v1/decision", { body, key })).status, 200);
  });
  return workspaceId;
}

/**
 * The service with a new workspace in place of the demo's, for a test file that shares the service. The workspace has
 * the merchant `demo_merchant`, and one decision in test mode.
 */
export async function inOwnWorkspace(service: RunningService): Promise<RunningService> {
  const workspaceId = await createWorkspace(service);
  return { ...service, workspaceId, key: await createKey(service.pool, workspaceId) };
}

export interface KeyOptions {
  mode?: Mode;
  scopes?: readonly Scope[];
  merchantId?: string;
  expiresAt?: Date;
}

/** Creates a key of the workspace and resolves to its secret. Default: all scopes in test mode. */
export async function createKey(
  pool: Pool,
  workspaceId: string,
  { mode = "test", scopes = SCOPES, merchantId, expiresAt }: KeyOptions = {},
): Promise<string> {
  const { secret } = await issueApiKey(pool, {
    keyId: newId("key"),
    workspaceId,
    name: "Test",
    mode,
    scopes: [...scopes],
    merchantId: merchantId ?? null,
    expiresAt: expiresAt ?? null,
  });
  return secret;
}

export async function revokeKey(pool: Pool, secret: string): Promise<void> {
  const { rowCount } = await pool.query(
    "update api_keys set revoked_at = now() where position(public_id in $1) > 0",
    [secret],
  );
  assert.equal(rowCount, 1);
}

export async function setWorkspaceStatus(
  pool: Pool,
  workspaceId: string,
  status: WorkspaceStatus,
): Promise<void> {
  await pool.query("update workspaces set status = $2 where workspace_id = $1", [
    idToHex(workspaceId),
    WORKSPACE_STATUSES.indexOf(status),
  ]);
}

export type RuleSpec = {
  name: string;
  then: RuleAction;
  when?: Conditions;
  priority?: number;
  enabled?: boolean;
};

/** Rules in normal form. By default rule ids and priorities follow the position. */
export function rules(specs: readonly RuleSpec[]): Rule[] {
  return specs.map((spec, position) => ({
    rule_id: `rule_${position}`,
    priority: position * 10,
    enabled: true,
    when: {},
    ...spec,
  }));
}

export interface PublishOptions {
  workspaceId: string;
  merchantId?: string;
  key: string;
  rules: readonly RuleSpec[];
  defaultProvider?: string;
}

/** Publishes a policy. Resolves to it once the service decides by it. */
export async function publish(service: RunningService, options: PublishOptions): Promise<Policy> {
  const { workspaceId, merchantId = "demo_merchant", key } = options;
  const policy = await insertPolicy(
    tenantsOf(service.pool).of(workspaceId),
    workspaceId,
    merchantId,
    {
      policy_id: newId("pol"),
      name: "Test",
      default_provider: options.defaultProvider ?? null,
      rules: rules(options.rules),
    },
    true,
  );
  assert.ok(policy !== null, "the workspace has the merchant");
  await eventually(async () => {
    const { json } = await send(service, "POST", "/v1/decision", {
      body: decisionBody({ merchant_id: merchantId }),
      key,
    });
    assert.equal((json["policy"] as { policy_id: string }).policy_id, policy.policy_id);
  });
  return policy;
}
