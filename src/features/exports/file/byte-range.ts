/** The requested bytes of a file, from `start` to before `end`. */
export interface ByteRange {
  start: number;
  end: number;
}

const SINGLE = /^bytes=(\d{0,15})-(\d{0,15})$/;

/**
 * RFC 9110 §14.2: reads a Range header with one range. Returns null for a header to ignore, such as one with another
 * unit or several ranges. The answer is then the whole file.
 */
export function readRange(header: string | undefined, bytes: number): ByteRange | "unsatisfiable" | null {
  const [, first = "", last = ""] = SINGLE.exec(header?.replaceAll(" ", "") ?? "") ?? [];
  if (first === "" && last === "") return null;
  if (first === "") {
    // The header asks for the last `length` bytes.
    const length = Math.min(Number(last), bytes);
    return length === 0 ? "unsatisfiable" : { start: bytes - length, end: bytes };
  }
  const start = Number(first);
  if (last !== "" && Number(last) < start) return null;
  if (start >= bytes) return "unsatisfiable";
  return { start, end: last === "" ? bytes : Math.min(Number(last) + 1, bytes) };
}
