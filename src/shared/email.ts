/**
 * An address as far as it can be told without sending to it: something, one `@`, something. contract §1: kept as given,
 * neither trimmed nor case-folded.
 */
export const EMAIL_PATTERN = "^[^\\s\\p{Cc}@]+@[^\\s\\p{Cc}@]+$";
export const EMAIL = new RegExp(EMAIL_PATTERN, "u");
