export const PARAMETER = "create";
/** The value in the address for a key of every merchant. No merchant has it, because no id has a star. */
export const EVERY = "*";

/** The address at which a test key of a merchant is made. */
export function keyOfMerchant(merchantId: string | null): string {
  return `/api-keys?${new URLSearchParams({ mode: "test", [PARAMETER]: merchantId ?? EVERY }).toString()}`;
}
