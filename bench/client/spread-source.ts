import { createRandom } from "./random.js";
import { createTrafficSource, type RequestSource } from "./request-source.js";
import { DEFAULT_PROVIDERS } from "./traffic.js";

/** Decisions of many merchants, in one workspace or in many. */
export interface Spread {
  /** Names the spread on one server: another spread has another seed, so that order ids never repeat. */
  seed: number;
  /** A key of each workspace, all of one length. */
  keys: readonly string[];
  /** Of each workspace, numbered from 0 and named by `spreadMerchantId`. */
  merchantsEach: number;
  /** Uniformly at random over all merchants, or each merchant once before any comes again. */
  order: "random" | "in turn";
}

const MERCHANT_PREFIX = "shop_";
/** Fixed, so that a request's bytes can be addressed to another merchant in place. */
const MERCHANT_DIGITS = 7;
export const SPREAD_MERCHANTS_MAX = 10 ** MERCHANT_DIGITS;

/** `shop_0000000` and so on. */
export function spreadMerchantId(number: number): string {
  return MERCHANT_PREFIX + String(number).padStart(MERCHANT_DIGITS, "0");
}

/** Seeded traffic of `createTrafficSource`, each request of which is given another key and merchant in place. */
export function createSpreadSource(url: URL, spread: Spread): RequestSource {
  const { seed, merchantsEach, order } = spread;
  const keys = spread.keys.map((key) => Buffer.from(key));
  const total = keys.length * merchantsEach;
  if (
    total === 0 ||
    merchantsEach > SPREAD_MERCHANTS_MAX ||
    keys.some((key) => key.length !== keys[0]?.length)
  )
    throw new RangeError("a spread needs keys of one length and merchants that have a number");
  const source = createTrafficSource(
    { url, key: spread.keys[0] as string },
    { seed, merchants: [spreadMerchantId(0)], providers: DEFAULT_PROVIDERS },
  );
  const random = createRandom(seed);
  const merchantText = Buffer.from(`"merchant_id":"${MERCHANT_PREFIX}`);
  /** The source's own buffers come round again; each is searched once. */
  const addresses = new Map<Buffer, { keyAt: number; merchantAt: number }>();
  const addressOf = (bytes: Buffer): { keyAt: number; merchantAt: number } => {
    const address = {
      keyAt: bytes.indexOf(keys[0] as Buffer),
      merchantAt: bytes.indexOf(merchantText) + merchantText.length,
    };
    addresses.set(bytes, address);
    return address;
  };
  let sent = 0;
  return {
    next() {
      const bytes = source.next();
      const { keyAt, merchantAt } = addresses.get(bytes) ?? addressOf(bytes);
      const drawn = order === "random" ? Math.floor(random.next() * total) : sent++ % total;
      const workspace = Math.floor(drawn / merchantsEach);
      bytes.set(keys[workspace] as Buffer, keyAt);
      let left = drawn - workspace * merchantsEach;
      for (let at = merchantAt + MERCHANT_DIGITS - 1; at >= merchantAt; at--) {
        const tenth = Math.floor(left / 10);
        bytes[at] = ZERO + left - 10 * tenth;
        left = tenth;
      }
      return bytes;
    },
  };
}
const ZERO = 48;
