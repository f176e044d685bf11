/**
 * Seeded, stateless pseudo-random numbers. The same integers give the same number on every machine. The mixer is the
 * "lowbias32" finalizer of Chris Wellons' hash prospector, https://github.com/skeeto/hash-prospector
 */
export function mix32(value: number): number {
  let x = value >>> 0;
  x = Math.imul(x ^ (x >>> 16), 0x21f0aaad);
  x = Math.imul(x ^ (x >>> 15), 0x735a2d97);
  return (x ^ (x >>> 15)) >>> 0;
}

/** Returns a 32-bit hash of a text and a seed. */
export function hashText(seed: number, text: string): number {
  let hash = mix32(seed ^ text.length);
  for (let i = 0; i < text.length; i++) hash = mix32(hash ^ text.charCodeAt(i));
  return hash;
}

/** Returns a number in [0, 1) from a 32-bit hash. Different values of `draw` give independent numbers from one hash. */
export function uniform(hash: number, draw: number): number {
  return mix32(hash ^ mix32(draw)) / 2 ** 32;
}
