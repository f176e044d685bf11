/** The characters that no part of an address may contain: blanks, control characters, `@`, and lone surrogates. */
const NOT_IN_PART = "\\s\\u0000-\\u001f\\u007f-\\u009f@\\ud800-\\udfff";
const PART = `(?:[^${NOT_IN_PART}]|[\\ud800-\\udbff][\\udc00-\\udfff])+`;

/**
 * The form of an address: a part, one `@`, a part. A match does not mean that mail arrives. FMT-10: addresses are
 * stored unchanged, with their spaces and case. The pattern matches the same texts with and without the flag `u`.
 */
export const EMAIL_PATTERN = `^${PART}@${PART}$`;
export const EMAIL = new RegExp(EMAIL_PATTERN, "u");
