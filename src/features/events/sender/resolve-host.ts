import { lookup, Resolver } from "node:dns/promises";

/** Resolves a name to its addresses. For a name without addresses, it rejects or resolves to an empty list. */
export type ResolveHost = (hostname: string) => Promise<string[]>;

const TIMEOUT_MS = 2000;
const TRIES = 2;

/**
 * Asks the name servers without a thread of libuv's pool. A hanging name server would hold one of those few threads,
 * and delay every other endpoint's look-up.
 */
export function createPublicResolver(): ResolveHost {
  const resolver = new Resolver({ timeout: TIMEOUT_MS, tries: TRIES });
  return async (hostname) => {
    const found = await Promise.allSettled([resolver.resolve4(hostname), resolver.resolve6(hostname)]);
    return found.flatMap((result) => (result.status === "fulfilled" ? result.value : []));
  };
}

/** With EVENTS_ALLOW_PRIVATE, also resolves the names of /etc/hosts and of local networks. */
export async function resolveLocally(hostname: string): Promise<string[]> {
  const found = await lookup(hostname, { all: true });
  return found.map(({ address }) => address);
}
