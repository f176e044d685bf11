import { isIP } from "node:net";
import { isPublicAddress } from "./public-address.js";

/** Host names of the machine itself and of local networks. */
const LOCAL_NAME = /(?:^|\.)(?:localhost|local|internal)\.?$/i;

/**
 * EVT-2: true if an endpoint may have this URL. EVT-10: the sender also checks the resolved IP address at every
 * attempt. With `allowsPrivate` the URL may use http and lead to any address.
 */
export function isEndpointUrl(text: string, allowsPrivate: boolean): boolean {
  if (!URL.canParse(text)) return false;
  const { protocol, hostname, username, password } = new URL(text);
  if (username !== "" || password !== "") return false;
  if (allowsPrivate) return protocol === "https:" || protocol === "http:";
  if (protocol !== "https:" || LOCAL_NAME.test(hostname)) return false;
  const address = addressIn(hostname);
  return address === null || isPublicAddress(address);
}

/**
 * The IP address that a URL names, or null for a name. The URL parser has already turned decimal, octal and hexadecimal
 * spellings of an IPv4 address into the usual one.
 */
export function addressIn(hostname: string): string | null {
  const bare = hostname.startsWith("[") ? hostname.slice(1, -1) : hostname;
  return isIP(bare) === 0 ? null : bare;
}
