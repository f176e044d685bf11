/**
 * CODE-5: the codes of a client library's local fallback. The service never emits them. Policies are checked against
 * this list, so no policy can emit them either.
 */
export const CLIENT_REASON_CODES = [
  "SDK_FALLBACK_USED",
  "PAYINFERENCE_TIMEOUT",
  "PAYINFERENCE_UNREACHABLE",
] as const;
