/**
 * The parts as one string in memory. V8 keeps a sum of strings as its parts, and goes through all of them whenever it is
 * written out: what is kept and written many times should not be one.
 */
export function inOnePiece(...parts: string[]): string {
  return parts.join("");
}
