/**
 * Joins the parts into one flat string. V8 keeps a sum of strings as its parts and walks through all of them whenever
 * it is written out. A text that is kept and written many times should therefore be flat.
 */
export function inOnePiece(...parts: string[]): string {
  return parts.join("");
}
