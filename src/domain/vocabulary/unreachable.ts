/** Ends an exhaustive switch. A new variant fails to compile until it is handled. */
export function unreachable(value: never): never {
  throw new Error(`unreachable variant: ${JSON.stringify(value)}`);
}
