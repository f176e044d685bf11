const GROUP = "(?:[A-Za-z0-9+/]{4})";

/**
 * HOOK-4: `whsec_` and the padded base64 of 24 to 64 bytes. The last character before the padding has no bits that
 * decoding would drop, so each key has exactly one spelling.
 */
export const WEBHOOK_SECRET_PATTERN =
  `^whsec_(?:${GROUP}{8,21}|${GROUP}{8,21}[A-Za-z0-9+/][AQgw]==` +
  `|${GROUP}{8,20}[A-Za-z0-9+/]{2}[AEIMQUYcgkosw048]=)$`;
