import { createRandom } from "./random.js";
import { createTrafficSource, type RequestSource } from "./request-source.js";
import { DEFAULT_PROVIDERS } from "./traffic.js";

/** Describes decisions of many merchants, in one workspace or in several. */
export interface Spread {
  /** The seed of the spread. Spreads on one server need different seeds, so that order ids never repeat. */
  seed: number;
  /** One key for each workspace. All keys have the same length. */
  keys: readonly string[];
  /** The number of merchants in each workspace. `spreadMerchantId` names them by their number, from 0. */
  merchantsEach: number;
  /** "random" draws uniformly over all merchants. "in turn" takes each merchant once before any repeats. */
  order: "random" | "in turn";
}

const MERCHANT_PREFIX = "shop_";
/** The width is fixed, so that another merchant's number can be written into a request in place. */
const MERCHANT_DIGITS = 7;
export const SPREAD_MERCHANTS_MAX = 10 ** MERCHANT_DIGITS;

/** The id of a merchant: `shop_0000000` and so on. */
export function spreadMerchantId(number: number): string {
  return MERCHANT_PREFIX + String(number).padStart(MERCHANT_DIGITS, "0");
}

/** The traffic of `createTrafficSource`, with another key and merchant written into each request. */
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
  /** The traffic source reuses its buffers, so each buffer is searched only once. */
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
