import { useAddress } from "../../shell/address.js";
import { EVERY, PARAMETER } from "./key-address.js";

/** A key that is being made is in the address, so that other pages lead to it. */
export function useKeyCreation() {
  const { parameters, edit } = useAddress();
  const named = parameters.get(PARAMETER);
  return {
    /** The merchant that was chosen before. Empty: every merchant. Null: no key is being made. */
    merchantId: named === EVERY ? "" : named,
    begin: () => edit({ [PARAMETER]: EVERY }, { replace: true }),
    end: () => edit({ [PARAMETER]: null }, { replace: true }),
  };
}
