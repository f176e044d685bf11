import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from "node:crypto";

const NONCE_BYTES = 12;
const TAG_BYTES = 16;
const KEY_BYTES = 32;

/** HOOK-14: secrets are encrypted at rest with AES-256-GCM. */
export interface SecretBox {
  /** Encrypts a text. `context` names its owner. `open` needs the same context. */
  seal(plain: string, context: string): Buffer;
  /** Returns null if the secret was sealed with another key or for another context, or was altered. */
  open(sealed: Buffer, context: string): string | null;
}

/** Derives the key from `secretKey`, which may have any length. */
export function createSecretBox(secretKey: string): SecretBox {
  const key = Buffer.from(hkdfSync("sha256", secretKey, "", "payinference secrets at rest", KEY_BYTES));
  return {
    seal(plain, context) {
      const nonce = randomBytes(NONCE_BYTES);
      const cipher = createCipheriv("aes-256-gcm", key, nonce).setAAD(Buffer.from(context));
      const sealed = Buffer.concat([cipher.update(plain, "utf8"), cipher.final()]);
      return Buffer.concat([nonce, sealed, cipher.getAuthTag()]);
    },
    open(sealed, context) {
      if (sealed.length < NONCE_BYTES + TAG_BYTES) return null;
      const nonce = sealed.subarray(0, NONCE_BYTES);
      const decipher = createDecipheriv("aes-256-gcm", key, nonce)
        .setAAD(Buffer.from(context))
        .setAuthTag(sealed.subarray(-TAG_BYTES));
      try {
        const plain = decipher.update(sealed.subarray(NONCE_BYTES, -TAG_BYTES));
        return Buffer.concat([plain, decipher.final()]).toString("utf8");
      } catch {
        return null;
      }
    },
  };
}
