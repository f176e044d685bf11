import type { RequestHead } from "../../platform/http/request-head.js";
import { SESSION_COOKIE } from "./session-cookie.js";

const COOKIE = new RegExp(`(?:^|;)[ \\t]*${SESSION_COOKIE}=([^;\\s]*)`);
const BEARER = /^bearer +(\S+)$/i;

/** AUTH-2: reads a session's token from `authorization: Bearer`, or else from the cookie. */
export function presentedSession(head: RequestHead): { token: string; isCookie: boolean } | null {
  const bearer = BEARER.exec(head.authorization ?? "")?.[1];
  if (bearer !== undefined) return { token: bearer, isCookie: false };
  const cookie = COOKIE.exec(head.cookie ?? "")?.[1];
  return cookie === undefined ? null : { token: cookie, isCookie: true };
}

/** True if the browser states that the request comes from this service's origin. A cookie alone does not prove that. */
export function isSameOrigin({
  secFetchSite,
  origin,
  host,
}: Pick<RequestHead, "secFetchSite" | "origin" | "host">): boolean {
  if (secFetchSite !== undefined) return secFetchSite === "same-origin";
  if (origin === undefined || host === undefined) return false;
  // An origin consists of scheme, host and port only.
  const scheme = /^(https?:)\/\/[^/?#@\\\s,]+$/i.exec(origin)?.[1];
  if (scheme === undefined) return false;
  const own = originOf(`${scheme}//${host}`);
  return own !== null && own === originOf(origin);
}

/** RFC 6454 §4: in an origin, scheme and host are in lower case, and a default port is left out. */
function originOf(url: string): string | null {
  return URL.canParse(url) ? new URL(url).origin : null;
}
