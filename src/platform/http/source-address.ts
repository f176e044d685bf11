import { isIP } from "node:net";

/** An IPv4 address with a port, or an IPv6 address in brackets with or without a port. */
const WITH_PORT = /^(?:\[([0-9A-Fa-f:.]+)\](?::\d{1,5})?|(\d{1,3}(?:\.\d{1,3}){3}):\d{1,5})$/;

/** An IPv4 address as a dual-stack socket or a proxy writes it. */
const MAPPED_IPV4 = /^::ffff:(\d{1,3}(?:\.\d{1,3}){3})$/i;

/**
 * The form in which limits count an address. RATE-8: an IPv6 address counts as its /64 prefix, because one subscriber
 * has all addresses of the prefix. An IPv4 address counts as itself, in whatever form it is written.
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
 * The eight groups of an IPv6 address. An IPv4 part at its end becomes two zero groups, because only the prefix is
 * used.
 */
function groupsOf(address: string): number[] {
  const [head = "", tail] = (address.split("%", 1)[0] ?? "").replace(/[\d.]+\.\d+$/, "0:0").split("::");
  const parse = (text: string): number[] =>
    text === "" ? [] : text.split(":").map((group) => Number.parseInt(group, 16));
  const [first, last] = [parse(head), parse(tail ?? "")];
  return [...first, ...Array.from({ length: 8 - first.length - last.length }, () => 0), ...last];
}

/**
 * The source of a request, as limits count it (RATE-6). Each of the `trustProxyHops` trusted proxies appends to
 * x-forwarded-for the address that it got the request from. The source is therefore the entry at that position from the
 * right, over all lines of the header. Entries further left are claims of the caller. If `trustProxyHops` is 0, or the
 * entry is missing or no address, the peer itself is the source.
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
