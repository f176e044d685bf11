/**
 * CODE-5: a client library's local fallback emits these codes, and the service never does. They are listed here so that
 * no policy can make the service emit them.
 */
export const CLIENT_REASON_CODES = [
  "SDK_FALLBACK_USED",
  "PAYINFERENCE_TIMEOUT",
  "PAYINFERENCE_UNREACHABLE",
] as const;
