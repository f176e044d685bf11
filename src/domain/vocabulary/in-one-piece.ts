/**
 * Joins the parts into one flat string. V8 stores a sum of strings as a tree of parts, and walks the tree whenever the
 * sum is written. A text that is kept and written many times should therefore be flat.
 */
export function inOnePiece(...parts: string[]): string {
  return parts.join("");
}
