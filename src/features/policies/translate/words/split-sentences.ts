/**
 * TRANS-3: splits a text on `.` (not between digits), `;` and newlines. A piece without a letter or digit is no
 * sentence and is not counted.
 */
export function splitSentences(text: string): string[] {
  const sentences: string[] = [];
  let start = 0;
  const take = (end: number): void => {
    const sentence = text.slice(start, end).trim();
    start = end + 1;
    if (/[\p{L}\p{N}]/u.test(sentence)) sentences.push(sentence);
  };
  for (let i = 0; i < text.length; i++) {
    const c = text.charAt(i);
    if (c === ";" || c === "\n" || c === "\r" || c === "\u2028" || c === "\u2029") take(i);
    else if (c === "." && !(isDigit(text.charAt(i - 1)) && isDigit(text.charAt(i + 1)))) take(i);
  }
  take(text.length);
  return sentences;
}

function isDigit(c: string): boolean {
  return c >= "0" && c <= "9";
}
