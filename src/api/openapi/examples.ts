/** Request (`request`) or reply (its status) of an operation, as recorded from the service. */
export function exampleOf(operationId: string, place: string): unknown {
  return EXAMPLES[operationId]?.[place];
}

const EXAMPLES: Readonly<Record<string, Readonly<Record<string, unknown>>>> = {};
