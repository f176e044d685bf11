import { isIP } from "node:net";

/** An IPv4 address may have a port. An IPv6 address with a port is in brackets. */
const WITH_PORT = /^(?:\[([0-9A-Fa-f:.]+)\](?::\d{1,5})?|(\d{1,3}(?:\.\d{1,3}){3}):\d{1,5})$/;

/** An IPv4 address as a dual-stack socket or a proxy writes it. */
const MAPPED_IPV4 = /^::ffff:(\d{1,3}(?:\.\d{1,3}){3})$/i;

/**
 * The address as limits count it. RATE-8: an IPv6 address counts as its /64, because one subscriber has all addresses
 * of it. An IPv4 address counts as itself, however it is written.
 */
function countedAddress(address: string): string {
  if (isIP(address) !== 6) return address;
  const mapped = MAPPED_IPV4.exec(address)?.[1];
  if (mapped !== undefined) return mapped;
  const groups = groupsOf(address);
  const [sixth = 0, seventh = 0, eighth = 0] = groups.slice(5);
  if (sixth === 0xffff && groups.slice(0, 5).every((group) => group === 0))
    return [seventh >> 8, seventh & 255, eighth >> 8, eighth & 255].join(".");
  const prefix = groups.slice(0, 4).map((group) => group.toString(16));
  return `${prefix.join(":")}::/64`;
}

/**
 * The eight groups of an IPv6 address. An IPv4 part at its end, which is not in the prefix, becomes two zero groups.
 */
function groupsOf(address: string): number[] {
  const [head = "", tail] = (address.split("%", 1)[0] ?? "").replace(/[\d.]+\.\d+$/, "0:0").split("::");
  const parse = (text: string): number[] =>
    text === "" ? [] : text.split(":").map((group) => Number.parseInt(group, 16));
  const [first, last] = [parse(head), parse(tail ?? "")];
  return [...first, ...Array.from({ length: 8 - first.length - last.length }, () => 0), ...last];
}

/**
 * The source of a request, as limits count it (RATE-6). With `trustProxyHops` n > 0 it is the nth entry from the right
 * of all x-forwarded-for lines together. Each trusted proxy appends the address that it got the request from, and
 * entries further left are the caller's claims. Without an nth entry, or if it is no address, the request did not come
 * through the trusted proxies. In this case the peer itself counts.
 */
export function sourceAddress(
  peerAddress: string,
  forwardedFor: string | undefined,
  trustProxyHops: number,
): string {
  if (trustProxyHops === 0 || forwardedFor === undefined) return countedAddress(peerAddress);
  const entry = forwardedFor.split(",").at(-trustProxyHops)?.trim() ?? "";
  const match = WITH_PORT.exec(entry);
  const address = match?.[1] ?? match?.[2] ?? entry;
  return countedAddress(isIP(address) === 0 ? peerAddress : address);
}
