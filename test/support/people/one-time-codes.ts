import assert from "node:assert/strict";
import { codeAt, stepAt } from "../../../src/features/one-time-codes/totp.js";
import type { RunningService } from "../service/service.js";
import { PASSWORD, post, type Person } from "./accounts.js";

const ALPHABET = "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567";
const STEP_MS = 30_000;

/** An authenticator app. */
export interface Authenticator {
  /** In base32. */
  secret: string;
  recoveryCodes: string[];
  /** Resolves to an unused code. Each code is of a later time step. The call waits while the step is too far ahead. */
  nextCode(): Promise<string>;
  /** The code of the step that is `steps` after the present one. */
  codeIn(steps: number): string;
}

export function authenticatorOf(secret: string): Authenticator {
  const bytes = bytesOf(secret);
  let last = 0;
  return {
    secret,
    recoveryCodes: [],
    codeIn: (steps) => codeAt(bytes, stepAt(Date.now()) + steps),
    async nextCode() {
      last = Math.max(last + 1, stepAt(Date.now()));
      // The service also accepts the code of the next step.
      const waitMs = (last - 1) * STEP_MS - Date.now();
      if (waitMs > 0) await new Promise((resolve) => setTimeout(resolve, waitMs));
      return codeAt(bytes, last);
    },
  };
}

/** Turns on the person's one-time codes over HTTP. */
export async function turnOnCodes(service: RunningService, { token }: Person): Promise<Authenticator> {
  const enrolled = await post(service, "/v1/auth/one-time-codes", { current_password: PASSWORD }, token);
  assert.equal(enrolled.status, 201, enrolled.text);
  const app = authenticatorOf(String(enrolled.json["secret"]));
  const code = await app.nextCode();
  const confirmed = await post(service, "/v1/auth/one-time-codes/confirm", { code }, token);
  assert.equal(confirmed.status, 200, confirmed.text);
  return { ...app, recoveryCodes: confirmed.json["recovery_codes"] as string[] };
}

/** The bytes of a text in base32 (RFC 4648 §6). */
export function bytesOf(base32: string): Buffer {
  const bits = Array.from(base32, (character) =>
    ALPHABET.indexOf(character).toString(2).padStart(5, "0"),
  ).join("");
  return Buffer.from((bits.match(/.{8}/g) ?? []).map((byte) => Number.parseInt(byte, 2)));
}
