import { contentNameOf } from "../../../src/path/replica/policy-contents.js";
import { policyContent } from "../../../src/domain/policy/policy-content.js";
import type { Policy } from "../../../src/domain/policy/policy.js";
import {
  merchantKey,
  policyContentKey,
  ruleIdsKey,
  type ReplicaWriter,
} from "../../../src/path/replica/replica.js";

/** Makes `policy` the merchant's live policy in every replica entry that holds it. */
export function putPolicy(
  replica: Pick<ReplicaWriter, "putCatalog">,
  workspaceId: string,
  merchantId: string,
  policy: Policy,
  prices: string | null = null,
): void {
  const { text, ruleIds } = policyContent(policy);
  const content = contentNameOf(text);
  const { policy_id, version } = policy;
  replica.putCatalog(
    [
      {
        key: merchantKey(workspaceId, merchantId),
        value: { policy: { policy_id, version, content }, prices },
      },
    ],
    [
      { key: policyContentKey(content), text },
      { key: ruleIdsKey(workspaceId, merchantId), text: JSON.stringify(ruleIds) },
    ],
  );
}
