/** The characters that no part of an address may contain: blanks, control characters, `@`, and lone surrogates. */
const NOT_IN_PART = "\\s\\u0000-\\u001f\\u007f-\\u009f@\\ud800-\\udfff";
const PART = `(?:[^${NOT_IN_PART}]|[\\ud800-\\udbff][\\udc00-\\udfff])+`;

/**
 * The form of an address: a part, one `@`, a part. It does not show that mail arrives. FMT-10: the address is stored
 * unchanged, with its spaces and its case. The pattern means the same with and without the flag `u`.
 */
export const EMAIL_PATTERN = `^${PART}@${PART}$`;
export const EMAIL = new RegExp(EMAIL_PATTERN, "u");
