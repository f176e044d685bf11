export const PARAMETER = "create";
/**
 * The value in the address for a key that is valid for every merchant. It is unambiguous, because no merchant's id
 * contains a star.
 */
export const EVERY = "*";

/** Returns the address of the form for a merchant's test key. */
export function keyOfMerchant(merchantId: string | null): string {
  return `/api-keys?${new URLSearchParams({ mode: "test", [PARAMETER]: merchantId ?? EVERY }).toString()}`;
}
