import { BlockList, isIP } from "node:net";

/**
 * EVT-10: IPv4 addresses that lead to no host of the public Internet, by the IANA registry of special-purpose
 * addresses. https://www.iana.org/assignments/iana-ipv4-special-registry
 */
const NOT_PUBLIC_V4: readonly (readonly [net: string, bits: number])[] = [
  ["0.0.0.0", 8],
  ["10.0.0.0", 8],
  ["100.64.0.0", 10], // carrier-grade NAT
  ["127.0.0.0", 8],
  ["169.254.0.0", 16], // link-local, with the metadata services of clouds
  ["172.16.0.0", 12],
  ["192.0.0.0", 24],
  ["192.0.2.0", 24],
  ["192.88.99.0", 24],
  ["192.168.0.0", 16],
  ["198.18.0.0", 15],
  ["198.51.100.0", 24],
  ["203.0.113.0", 24],
  ["224.0.0.0", 4],
  ["240.0.0.0", 4],
];

/** All public IPv6 addresses are in 2000::/3. IPv4-mapped, link-local and unique local ones are not. */
const PUBLIC_V6 = ["2000::", 3] as const;
const NOT_PUBLIC_V6: readonly (readonly [net: string, bits: number])[] = [
  ["2001::", 23], // protocol assignments, such as Teredo, which embeds an IPv4 address
  ["2001:db8::", 32],
  ["2002::", 16], // 6to4 embeds an IPv4 address
  ["3fff::", 20],
];

const notPublic = new BlockList();
for (const [net, bits] of NOT_PUBLIC_V4) notPublic.addSubnet(net, bits, "ipv4");
for (const [net, bits] of NOT_PUBLIC_V6) notPublic.addSubnet(net, bits, "ipv6");
const unicast = new BlockList();
unicast.addSubnet(...PUBLIC_V6, "ipv6");

/** EVT-10: true if an address belongs to the public Internet. `address` is the address that a name resolved to. */
export function isPublicAddress(address: string): boolean {
  switch (isIP(address)) {
    case 4:
      return !notPublic.check(address, "ipv4");
    case 6:
      return unicast.check(address, "ipv6") && !notPublic.check(address, "ipv6");
    default:
      return false;
  }
}
