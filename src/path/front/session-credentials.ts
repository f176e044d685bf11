import type { RequestHead } from "../../platform/http/request-head.js";
import { SESSION_COOKIE } from "./session-cookie.js";

const COOKIE = new RegExp(`(?:^|;)[ \\t]*${SESSION_COOKIE}=([^;\\s]*)`);
const BEARER = /^bearer +(\S+)$/i;

/** AUTH-2: a session comes as `authorization: Bearer` or as the cookie. */
export function presentedSession(head: RequestHead): { token: string; isCookie: boolean } | null {
  const bearer = BEARER.exec(head.authorization ?? "")?.[1];
  if (bearer !== undefined) return { token: bearer, isCookie: false };
  const cookie = COOKIE.exec(head.cookie ?? "")?.[1];
  return cookie === undefined ? null : { token: cookie, isCookie: true };
}

/** True if the browser says that the request comes from our own origin. A cookie alone proves nothing. */
export function isSameOrigin({
  secFetchSite,
  origin,
  host,
}: Pick<RequestHead, "secFetchSite" | "origin" | "host">): boolean {
  if (secFetchSite !== undefined) return secFetchSite === "same-origin";
  if (origin === undefined || host === undefined) return false;
  // An origin is a scheme, a host and a port, and nothing else.
  const scheme = /^(https?:)\/\/[^/?#@\\\s,]+$/i.exec(origin)?.[1];
  if (scheme === undefined) return false;
  const own = originOf(`${scheme}//${host}`);
  return own !== null && own === originOf(origin);
}

/** RFC 6454 §4: an origin has host and scheme in lower case, and no default port. */
function originOf(url: string): string | null {
  return URL.canParse(url) ? new URL(url).origin : null;
}
