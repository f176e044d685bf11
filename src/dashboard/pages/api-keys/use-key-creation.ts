import { useAddress } from "../../shell/address.js";
import { EVERY, PARAMETER } from "./key-address.js";

/** The address says that a key is being made, so that other pages can link to it. */
export function useKeyCreation() {
  const { parameters, edit } = useAddress();
  const named = parameters.get(PARAMETER);
  return {
    /** The merchant that was chosen before. Empty means every merchant. Null means that no key is being made. */
    merchantId: named === EVERY ? "" : named,
    begin: () => edit({ [PARAMETER]: EVERY }, { replace: true }),
    end: () => edit({ [PARAMETER]: null }, { replace: true }),
  };
}
