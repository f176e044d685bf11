import { useApiKeys } from "../../../api/api-keys.js";
import { useDecisionAggregate } from "../../../api/figures.js";
import { useAnyPolicies } from "../../../api/policies.js";
import { useTeam } from "../../../api/team.js";
import { useMerchants } from "../../../api/workspace.js";
import { TRY_MERCHANT } from "../../../explain/tries.js";
import { useHasRole } from "../../../session/session.js";
import { stepsOf, type Step } from "./steps.js";

/** The number of merchants whose policies are loaded. A workspace with more merchants is not new. */
const MERCHANTS_LOOKED_AT = 3;

/** Undefined while something is still loading. Null if something cannot be read. */
export function useSteps(): readonly Step[] | null | undefined {
  const merchants = useMerchants();
  const keys = useApiKeys();
  const live = useDecisionAggregate("live");
  const test = useDecisionAggregate("test");
  const team = useTeam();
  const ids = merchants.data?.merchants
    .map(({ merchant_id }) => merchant_id)
    .filter((id) => id !== TRY_MERCHANT)
    .slice(0, MERCHANTS_LOOKED_AT);
  const policies = useAnyPolicies(ids);
  const mayInvite = useHasRole(["owner", "admin"]);
  const reads = [merchants, keys, live, test, team, policies];
  if (reads.some(({ data, error }) => data === undefined && error !== null)) return null;
  if (
    merchants.data === undefined ||
    keys.data === undefined ||
    live.data === undefined ||
    test.data === undefined ||
    team.data === undefined ||
    policies.data === undefined
  )
    return undefined;
  return stepsOf(
    {
      merchants: merchants.data.merchants,
      keys: keys.data.api_keys,
      policies: policies.data,
      aggregates: [live.data, test.data],
      team: team.data,
    },
    mayInvite,
  );
}
