/** The parameter of the address that opens the dialog of templates. */
export const OPEN_TEMPLATES = { name: "templates", value: "open" } as const;

/** The address of a merchant's policies, with the templates open. Null stands for the first merchant of the page. */
export function templatesAddress(merchantId: string | null): string {
  const parameters = new URLSearchParams({
    ...(merchantId === null ? {} : { merchant: merchantId }),
    [OPEN_TEMPLATES.name]: OPEN_TEMPLATES.value,
  });
  return `/policies?${parameters.toString()}`;
}
