/**
 * The only hash for `sample_bps_lt` and `split_traffic` (COND-14): FNV-1a 32 over the UTF-8 bytes of the text, then
 * the 32-bit finalizer of MurmurHash3, so that similar order ids spread over small moduli. Never change it: merchants'
 * running experiments would lose their buckets. http://www.isthe.com/chongo/tech/comp/fnv/ and
 * https://github.com/aappleby/smhasher (fmix32)
 */
const FNV_OFFSET_BASIS = 0x811c9dc5;
const FNV_PRIME = 0x01000193;

/** Separates rule id and order id. Validation refuses U+0000 in every string, so no two pairs give the same text. */
const SEPARATOR = "\u0000";

/** FNV-1a 32 of `text`, continued from `state`. The result is a signed 32-bit integer. */
export function fnv1a(text: string, state: number = FNV_OFFSET_BASIS): number {
  let hash = state | 0;
  for (let i = 0; i < text.length; i++) {
    const unit = text.charCodeAt(i);
    if (unit < 0x80) {
      hash = Math.imul(hash ^ unit, FNV_PRIME);
      continue;
    }
    const point = text.codePointAt(i) as number;
    if (point > 0xffff) i++;
    hash = addMultiByte(hash, point);
  }
  return hash;
}

/** Adds the two to four UTF-8 bytes of one code point above U+007F. */
function addMultiByte(state: number, point: number): number {
  let hash = state;
  if (point < 0x800) {
    hash = Math.imul(hash ^ (0xc0 | (point >> 6)), FNV_PRIME);
  } else {
    if (point < 0x10000) {
      hash = Math.imul(hash ^ (0xe0 | (point >> 12)), FNV_PRIME);
    } else {
      hash = Math.imul(hash ^ (0xf0 | (point >> 18)), FNV_PRIME);
      hash = Math.imul(hash ^ (0x80 | ((point >> 12) & 0x3f)), FNV_PRIME);
    }
    hash = Math.imul(hash ^ (0x80 | ((point >> 6) & 0x3f)), FNV_PRIME);
  }
  return Math.imul(hash ^ (0x80 | (point & 0x3f)), FNV_PRIME);
}

function finalize(state: number): number {
  let hash = state;
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return (hash ^ (hash >>> 16)) >>> 0;
}

/** The hash as an unsigned 32-bit integer. The same text has the same hash forever. */
export function stableHash(text: string): number {
  return finalize(fnv1a(text));
}

/**
 * COND-14, `sample_bps_lt`: returns a function that maps an order id to the rule's bucket 0..9999. Create it one time
 * per rule, so that the rule id is not hashed for each order.
 */
export function sampleBucketOf(ruleId: string): (orderId: string) => number {
  const prefix = fnv1a(ruleId + SEPARATOR);
  return (orderId) => finalize(fnv1a(orderId, prefix)) % 10_000;
}
