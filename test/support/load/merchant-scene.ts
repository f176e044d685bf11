import { HELD_FROM_MINOR } from "./merchant-ledger.js";
import { startMerchantLoad, type MerchantLoad, type MerchantLoadOptions } from "./merchant-load.js";
import { signIn } from "../people/feedback.js";
import type { RunningService } from "../service/service.js";
import { publish } from "../people/tenants.js";

/** Starts loads for the demo merchant. Large payments are held, and a reviewer resolves them. */
export type StartLoad = (
  options?: Pick<MerchantLoadOptions, "ratePerSecond" | "connections">,
) => MerchantLoad;

export async function setMerchantScene(service: RunningService): Promise<StartLoad> {
  const { url, key, workspaceId, pool } = service;
  await publish(service, {
    workspaceId,
    key,
    rules: [{ name: "large", when: { amount_gte: HELD_FROM_MINOR }, then: { type: "hold" } }],
  });
  const { token } = await signIn(pool, workspaceId, "analyst");
  return (options = {}) => startMerchantLoad({ url, key, reviewer: token, ...options });
}
