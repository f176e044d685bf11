/** Closes an exhaustive switch: a new variant stops compiling until it is handled. */
export function unreachable(value: never): never {
  throw new Error(`unreachable variant: ${JSON.stringify(value)}`);
}
