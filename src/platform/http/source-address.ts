import { isIP } from "node:net";

/** An IPv4 address may come with a port; an IPv6 address with one stands in brackets. */
const WITH_PORT = /^(?:\[([0-9A-Fa-f:.]+)\](?::\d{1,5})?|(\d{1,3}(?:\.\d{1,3}){3}):\d{1,5})$/;

/**
 * Where a request comes from (RATE-6): with `trustProxyHops` n > 0 the nth entry from
 * the right of all x-forwarded-for lines taken together, since each trusted proxy appends whom it heard from and what
 * stands further left is the caller's own word. Where there is no such entry, or it is no address, the request did
 * not come through the trusted proxies, and the peer itself counts.
 */
export function sourceAddress(
  peerAddress: string,
  forwardedFor: string | undefined,
  trustProxyHops: number,
): string {
  if (trustProxyHops === 0 || forwardedFor === undefined) return peerAddress;
  const entry = forwardedFor.split(",").at(-trustProxyHops)?.trim() ?? "";
  const match = WITH_PORT.exec(entry);
  const address = match?.[1] ?? match?.[2] ?? entry;
  return isIP(address) === 0 ? peerAddress : address.toLowerCase();
}
