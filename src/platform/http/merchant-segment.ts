/** Decodes a path segment to a merchant id. Some clients encode the `:` in it. Null if it cannot be a merchant id. */
export function decodeMerchantSegment(segment: string): string | null {
  try {
    const text = decodeURIComponent(segment);
    return /^[A-Za-z0-9_.:-]{1,128}$/.test(text) ? text : null;
  } catch {
    return null;
  }
}
