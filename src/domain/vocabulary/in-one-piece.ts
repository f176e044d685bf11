/**
 * Joins the parts into one flat string. V8 stores `a + b` as a tree of parts, and walks the tree whenever the string is
 * written. Use it for a text that is kept and written many times.
 */
export function inOnePiece(...parts: string[]): string {
  return parts.join("");
}
