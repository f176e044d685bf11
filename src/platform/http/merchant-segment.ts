/** Decodes a merchant id of a path. Some clients encode its `:`. Null if the text cannot be a merchant id. */
export function decodeMerchantSegment(segment: string): string | null {
  try {
    const text = decodeURIComponent(segment);
    return /^[A-Za-z0-9_.:-]{1,128}$/.test(text) ? text : null;
  } catch {
    return null;
  }
}
