import { request as httpRequest } from "node:http";
import { request as httpsRequest } from "node:https";
import { isIP, type LookupFunction } from "node:net";
import type { DeliveryError } from "../../../domain/vocabulary/event-types.js";
import { LIMITS } from "../../../domain/vocabulary/limits.js";
import { addressIn } from "../address/endpoint-url.js";
import { isPublicAddress } from "../address/public-address.js";
import type { ResolveHost } from "./resolve-host.js";

export interface Post {
  url: string;
  headers: Readonly<Record<string, string>>;
  body: string;
}

/** The HTTP status of the answer, or the reason why there was no answer. */
export type Attempt = { status: number; error: null } | { status: null; error: DeliveryError };

export interface PostOptions {
  resolve: ResolveHost;
  /** EVENTS_ALLOW_PRIVATE */
  allowsPrivate: boolean;
  /** LIMITS.eventAttemptMsMax, except in tests. */
  timeoutMs?: number;
}

/**
 * EVT-7, EVT-10: one attempt. The name is resolved once, its address is judged, and the connection goes to that
 * address. So a later answer of the name server changes nothing. No redirect is followed, and only the status of the
 * answer counts.
 */
export async function postEvent(post: Post, options: PostOptions): Promise<Attempt> {
  const stopping = AbortSignal.timeout(options.timeoutMs ?? LIMITS.eventAttemptMsMax);
  try {
    const url = new URL(post.url);
    const judged = await beforeAbort(judgedAddress(url, options), stopping);
    if ("error" in judged) return { status: null, error: judged.error };
    return { status: await send(url, judged.address, post, stopping), error: null };
  } catch {
    return { status: null, error: stopping.aborted ? "timeout" : "connection" };
  }
}

async function judgedAddress(
  { hostname, protocol }: URL,
  { resolve, allowsPrivate }: PostOptions,
): Promise<{ address: string } | { error: DeliveryError }> {
  const named = addressIn(hostname);
  const addresses = named === null ? await resolve(hostname).catch(() => []) : [named];
  const [first] = addresses;
  if (first === undefined) return { error: "unresolved" };
  // With `allowsPrivate`, plain http may lead to private addresses only, so traffic over the Internet is always
  // encrypted. Without `allowsPrivate`, a name with both a public and a private address is not trusted.
  const isAllowed = allowsPrivate
    ? protocol === "https:" || !isPublicAddress(first)
    : addresses.every((address) => isPublicAddress(address));
  return isAllowed ? { address: first } : { error: "private_address" };
}

function send(url: URL, address: string, { headers, body }: Post, signal: AbortSignal): Promise<number> {
  const family = isIP(address);
  const pinned: LookupFunction = (_hostname, { all }, found) => {
    if (all === true) found(null, [{ address, family }]);
    else found(null, address, family);
  };
  return new Promise((resolve, reject) => {
    const request = (url.protocol === "https:" ? httpsRequest : httpRequest)(url, {
      method: "POST",
      headers: {
        ...headers,
        "content-type": "application/json",
        "content-length": Buffer.byteLength(body),
        "user-agent": "payinference-events",
      },
      lookup: pinned,
      // A connection is used once, so it always leads to the address that was judged for this attempt.
      agent: false,
      signal,
    });
    request.on("error", reject);
    request.on("response", (response) => {
      let bytes = 0;
      response.on("data", (chunk: Buffer) => {
        bytes += chunk.length;
        if (bytes > LIMITS.eventAnswerBytesMax) response.destroy();
      });
      response.on("error", reject);
      // An answer that this code cuts off as too long still counts by its status.
      response.on("close", () => {
        if (response.complete || bytes > LIMITS.eventAnswerBytesMax) resolve(response.statusCode ?? 0);
        else reject(new Error("the answer ended early"));
      });
    });
    request.end(body);
  });
}

async function beforeAbort<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  let stop: () => void = () => undefined;
  const aborted = new Promise<never>((_resolve, reject) => {
    stop = () => reject(new Error("too late"));
    signal.addEventListener("abort", stop, { once: true });
  });
  try {
    return await Promise.race([work, aborted]);
  } finally {
    signal.removeEventListener("abort", stop);
  }
}
