/** A merchant id of a path; it may hold `:`, which some clients encode. Null for what no merchant id can be. */
export function decodeMerchantSegment(segment: string): string | null {
  try {
    const text = decodeURIComponent(segment);
    return /^[A-Za-z0-9_.:-]{1,128}$/.test(text) ? text : null;
  } catch {
    return null;
  }
}
