import type { Policy } from "../../../../client/wire-types.js";
import { useAddress } from "../../../shell/address.js";

const PARAMETER = "compare";
const BETWEEN = ",";

interface Comparison {
  /** The ids of the two compared versions. Null if the dialog is closed. */
  compared: readonly [from: string, to: string] | null;
  compare(from: Policy, to: Policy): void;
  close(): void;
}

/** DASH-10, DASH-14: keeps the two compared versions in the address. */
export function useComparison(): Comparison {
  const { parameters, edit } = useAddress();
  const named = parameters.get(PARAMETER);
  const [from = "", to = ""] = named?.split(BETWEEN) ?? [];
  return {
    compared: named === null ? null : [from, to],
    compare: (before, after) => edit({ [PARAMETER]: before.policy_id + BETWEEN + after.policy_id }),
    close: () => edit({ [PARAMETER]: null }),
  };
}
