/** The parameter in the address that opens the dialog of templates. */
export const OPEN_TEMPLATES = { name: "templates", value: "open" } as const;

/**
 * Returns the address of a merchant's policies with the dialog of templates open. Null stands for the page's first
 * merchant.
 */
export function templatesAddress(merchantId: string | null): string {
  const parameters = new URLSearchParams({
    ...(merchantId === null ? {} : { merchant: merchantId }),
    [OPEN_TEMPLATES.name]: OPEN_TEMPLATES.value,
  });
  return `/policies?${parameters.toString()}`;
}
