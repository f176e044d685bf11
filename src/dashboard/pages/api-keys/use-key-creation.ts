import { useAddress } from "../../shell/address.js";
import { EVERY, PARAMETER } from "./key-address.js";

/** The address tells whether the form for a new key is open, so that other pages can link to it. */
export function useKeyCreation() {
  const { parameters, edit } = useAddress();
  const named = parameters.get(PARAMETER);
  return {
    /** The merchant in the address. Empty means every merchant. Null means that the form is closed. */
    merchantId: named === EVERY ? "" : named,
    begin: () => edit({ [PARAMETER]: EVERY }, { replace: true }),
    end: () => edit({ [PARAMETER]: null }, { replace: true }),
  };
}
