import { useMerchantList } from "../../api/merchant-list.js";
import { useProviderIds } from "../../api/provider-ids.js";
import type { ApiKey } from "../../api/wire-types.js";
import { SecretOnce } from "../../design/feedback/secret-once.js";
import { TRY_MERCHANT } from "../../explain/tries.js";
import { curlOf } from "./curl.js";

/** DASH-21: shows the command that requests a decision with a new key. */
export function FirstDecision({ apiKey, secret }: { apiKey: ApiKey; secret: string }) {
  const merchants = useMerchantList();
  const providers = useProviderIds();
  const first = merchants.data?.merchants.find(({ merchant_id }) => merchant_id !== TRY_MERCHANT);
  const merchantId = apiKey.merchant_id ?? first?.merchant_id;
  if (!apiKey.scopes.includes("decision:write") || merchantId === undefined || providers.data === undefined)
    return null;
  return (
    <SecretOnce
      label="Get a decision with it"
      copy="Copy the command"
      text={curlOf(window.location.origin, secret, merchantId, providers.data)}
      warning="For a shell. The key is in the command."
    />
  );
}
