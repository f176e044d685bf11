/** What no part of an address holds: blanks, control characters, `@`, and half of a surrogate pair. */
const NOT_IN_PART = "\\s\\u0000-\\u001f\\u007f-\\u009f@\\ud800-\\udfff";
const PART = `(?:[^${NOT_IN_PART}]|[\\ud800-\\udbff][\\udc00-\\udfff])+`;

/**
 * An address as far as it can be told without sending to it: something, one `@`, something. FMT-10: kept as given,
 * neither trimmed nor case-folded. It means the same with and without the flag `u`.
 */
export const EMAIL_PATTERN = `^${PART}@${PART}$`;
export const EMAIL = new RegExp(EMAIL_PATTERN, "u");
