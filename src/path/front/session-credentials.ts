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

/** What a browser says of where a request comes from; without any word of it a cookie proves nothing. */
export function isSameOrigin({
  secFetchSite,
  origin,
  host,
}: Pick<RequestHead, "secFetchSite" | "origin" | "host">): boolean {
  if (secFetchSite !== undefined) return secFetchSite === "same-origin";
  if (origin === undefined || host === undefined) return false;
  // An origin is a scheme, a host and a port: nothing before or behind them.
  const scheme = /^(https?:)\/\/[^/?#@\\\s,]+$/i.exec(origin)?.[1];
  if (scheme === undefined) return false;
  const own = originOf(`${scheme}//${host}`);
  return own !== null && own === originOf(origin);
}

/** RFC 6454 §4: host and scheme in lower case, without the scheme's own port. */
function originOf(url: string): string | null {
  return URL.canParse(url) ? new URL(url).origin : null;
}
