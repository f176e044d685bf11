/**
 * CODE-5: emitted by a client library's local fallback, never by the service. Known here so
 * that no policy can make the service emit them.
 */
export const CLIENT_REASON_CODES = [
  "SDK_FALLBACK_USED",
  "PAYINFERENCE_TIMEOUT",
  "PAYINFERENCE_UNREACHABLE",
] as const;
