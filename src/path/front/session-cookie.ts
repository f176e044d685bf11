import { LIMITS } from "../../domain/vocabulary/limits.js";
import type { RequestHead } from "../../platform/http/request-head.js";

/** AUTH-3: the cookie in which a browser keeps the session. */
export const SESSION_COOKIE = "payinference_session";

const LOOPBACK_HOSTS = /^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])(?::\d{1,5})?$/i;
const LOOPBACK_ADDRESSES = /^(?:localhost|127(?:\.\d{1,3}){3}|::1)$/i;

/** The settings about how browsers reach the service. */
export interface CookieSettings {
  /** HOST */
  listenHost: string;
  /** TRUST_PROXY_HOPS */
  trustProxyHops: number;
}

/**
 * AUTH-3: true if the cookie may travel without TLS. The node must listen only on the loopback and trust no proxy. The
 * request must name a loopback host, and no proxy may have forwarded it. Otherwise the deployment counts as one with
 * TLS.
 */
export function isPlainHttpDevelopment(
  { listenHost, trustProxyHops }: CookieSettings,
  { host, forwardedFor }: Pick<RequestHead, "host" | "forwardedFor">,
): boolean {
  return (
    LOOPBACK_ADDRESSES.test(listenHost) &&
    trustProxyHops === 0 &&
    forwardedFor === undefined &&
    LOOPBACK_HOSTS.test(host ?? "")
  );
}

/** The value of `set-cookie`. A null token deletes the cookie. */
export function sessionCookie(token: string | null, isSecure: boolean): string {
  const lifeSeconds = token === null ? 0 : LIMITS.sessionAbsoluteMs / 1000;
  const attributes = `Path=/; Max-Age=${lifeSeconds}; HttpOnly; SameSite=Strict${isSecure ? "; Secure" : ""}`;
  return `${SESSION_COOKIE}=${token ?? ""}; ${attributes}`;
}
