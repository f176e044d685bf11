import { createHmac, timingSafeEqual } from "node:crypto";

/** RFC 6238 with SHA1, 6 digits and steps of 30 s, which every authenticator app knows. */
const STEP_MS = 30_000;
const DIGITS = 6;
/** RFC 6238 §5.2: codes of the step before (delay) and of the step after (a clock that is ahead) are accepted too. */
const STEPS_AROUND = 1;

/** The number of whole steps since 1970. */
export function stepAt(nowMs: number): number {
  return Math.floor(nowMs / STEP_MS);
}

/** The code of a step: RFC 4226 §5.3. */
export function codeAt(secret: Buffer, step: number, digits = DIGITS): string {
  const counter = Buffer.alloc(8);
  counter.writeBigUInt64BE(BigInt(step));
  const mac = createHmac("sha1", secret).update(counter).digest();
  const offset = (mac.at(-1) as number) & 15;
  const number = mac.readUInt32BE(offset) & 0x7fff_ffff;
  return String(number % 10 ** digits).padStart(digits, "0");
}

/**
 * Returns the step that `code` belongs to, or null. Steps up to `lastStep` are never returned, because their codes may
 * have been used. The comparison takes the same time for every step.
 */
export function stepOf(code: string, secret: Buffer, nowMs: number, lastStep: number): number | null {
  const shown = Buffer.from(code);
  let found: number | null = null;
  const now = stepAt(nowMs);
  for (let step = now - STEPS_AROUND; step <= now + STEPS_AROUND; step++) {
    const expected = Buffer.from(codeAt(secret, step));
    const isEqual = shown.length === expected.length && timingSafeEqual(shown, expected);
    if (isEqual && step > lastStep) found ??= step;
  }
  return found;
}

const ALPHABET = "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567";

/** RFC 4648 §6, without padding: 20 bytes are 32 characters, 10 bytes 16. */
export function base32(bytes: Buffer): string {
  let text = "";
  let bits = 0;
  let held = 0;
  for (const byte of bytes) {
    held = (held << 8) | byte;
    for (bits += 8; bits >= 5; bits -= 5) text += ALPHABET.charAt((held >>> (bits - 5)) & 31);
    held &= (1 << bits) - 1;
  }
  return text;
}
