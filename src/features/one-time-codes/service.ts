import { randomBytes } from "node:crypto";
import {
  findUserById,
  type PasswordCheck,
  type Showing,
  type UserWithPassword,
} from "../accounts/service.js";
import type { Principal } from "../../path/access/session.js";
import { inTransaction } from "../../platform/postgres/transaction.js";
import { secretContext, type CodeCheck, type CodeCheckOptions } from "./code-check.js";
import { confirmSecret, deleteCodes, findCodes, insertSecret, mustHaveCodes } from "./queries.js";
import { hashRecoveryCode, makeRecoveryCodes, plainCode } from "./recovery-codes.js";
import { base32, stepOf } from "./totp.js";

/** These exports are for other features. */
export { deleteCodes } from "./queries.js";

export interface OneTimeCodesOptions extends CodeCheckOptions {
  check: CodeCheck;
  passwords: PasswordCheck;
}

/** How the signed-in person has proved their identity. */
export interface Shown {
  password: string;
  /** The token of the session that makes the request. */
  presentedToken: string | null;
}

type Refusal = "wrong_password" | "wrong_code" | "too_many_failures" | "full" | "unavailable";

/** RFC 4226 §4, R6: 160 bits. */
const SECRET_BYTES = 20;
const ISSUER = "PayInference";

const showingOf = ({ sessionKey }: Principal, presentedToken: string | null): Showing => ({
  source: `session ${sessionKey}`,
  presentedToken,
  device: null,
});

/** Checks the password, because a session alone may not change how its person signs in. */
const proven = async (
  { pool, attempt, passwords }: OneTimeCodesOptions,
  by: Principal,
  { password, presentedToken }: Shown,
): Promise<UserWithPassword | Exclude<Refusal, "wrong_code">> => {
  const user = await attempt(() => findUserById(pool, by.userId));
  if (user === "unavailable") return user;
  const shown = { email: user?.email ?? "", password };
  const isRight = await passwords.isRight(shown, user, showingOf(by, presentedToken));
  if (typeof isRight === "string") return isRight;
  return user === null || !isRight ? "wrong_password" : user;
};

/** ACC-14 to ACC-18: a person turns their one-time codes on and off. */
export function createOneTimeCodes(options: OneTimeCodesOptions) {
  const { pool, attempt, check, passwords } = options;
  return {
    ...createEnrolment(options),

    async state({
      userId,
    }: Principal): Promise<{ isOn: boolean; recoveryCodesLeft: number } | "unavailable"> {
      return attempt(async () => {
        const codes = await findCodes(pool, userId);
        return codes?.isOn === true ? codes : { isOn: false, recoveryCodesLeft: 0 };
      });
    },

    async disable(
      by: Principal,
      shown: Shown,
      code: string,
    ): Promise<"disabled" | "not_on" | "required" | Refusal> {
      const { userId } = by;
      const user = await proven(options, by, shown);
      if (typeof user === "string") return user;
      const isOn = await check.isOn(userId);
      if (isOn !== true) return isOn === false ? "not_on" : isOn;
      // The code is checked last, so that an attempt refused for another reason does not use it up.
      const isRequired = await attempt(() => mustHaveCodes(pool, userId));
      if (isRequired !== false) return isRequired === true ? "required" : isRequired;
      const isRight = await passwords.tryCode(user.email, userId, showingOf(by, shown.presentedToken), () =>
        check.use(userId, code),
      );
      if (isRight !== true) return isRight === false ? "wrong_code" : isRight;
      return attempt(() =>
        inTransaction(pool, async (client) => {
          if (!(await deleteCodes(client, userId))) return "not_on";
          await check.audit(client, userId, "account.one_time_codes_disabled");
          return "disabled";
        }),
      );
    },
  };
}

export type OneTimeCodes = ReturnType<typeof createOneTimeCodes>;

function createEnrolment(options: OneTimeCodesOptions) {
  const { pool, attempt, secretBox, now, check, passwords } = options;
  return {
    /** Returns the new secret, which no later answer contains. It replaces a secret that was never confirmed. */
    async enrol(
      by: Principal,
      shown: Shown,
    ): Promise<{ secret: string; uri: string } | "no_secret_key" | "already_on" | Refusal> {
      if (secretBox === null) return "no_secret_key";
      const user = await proven(options, by, shown);
      if (typeof user === "string") return user;
      const { userId } = by;
      const bytes = randomBytes(SECRET_BYTES);
      const sealed = secretBox.seal(bytes.toString("hex"), secretContext(userId));
      const inserted = await attempt(() =>
        insertSecret(pool, { userId, sealed, createdAt: new Date(now()) }),
      );
      if (inserted !== true) return inserted === false ? "already_on" : inserted;
      const secret = base32(bytes);
      return { secret, uri: uriOf(secret, user.email) };
    },

    /**
     * Turns one-time codes on with the first right code. Returns the recovery codes, which no later answer contains.
     */
    async confirm(
      by: Principal,
      code: string,
      presentedToken: string | null,
    ): Promise<{ recoveryCodes: string[] } | "not_enrolling" | Refusal> {
      const { userId } = by;
      const codes = await attempt(() => findCodes(pool, userId));
      if (codes === "unavailable") return codes;
      if (codes === null || codes.isOn) return "not_enrolling";
      const secret = check.openSecret(userId, codes);
      if (secret === null) return "unavailable";
      let step: number | null = null;
      const isRight = await passwords.tryCode("", userId, showingOf(by, presentedToken), () => {
        step = stepOf(plainCode(code), secret, now(), codes.lastStep);
        return Promise.resolve(step !== null);
      });
      if (typeof isRight === "string") return isRight;
      if (!isRight || step === null) return "wrong_code";
      const confirmed = { userId, sealed: codes.sealed, step: step as number, at: new Date(now()) };
      const recoveryCodes = makeRecoveryCodes();
      const recoveryHashes = recoveryCodes.map(hashRecoveryCode);
      return attempt(() =>
        inTransaction(pool, async (client) => {
          if (!(await confirmSecret(client, { ...confirmed, recoveryHashes }))) return "not_enrolling";
          await check.audit(client, userId, "account.one_time_codes_enabled");
          return { recoveryCodes };
        }),
      );
    },
  };
}

/** The form that authenticator apps read, mostly as a QR code. */
function uriOf(secret: string, email: string): string {
  const parameters = new URLSearchParams({
    secret,
    issuer: ISSUER,
    algorithm: "SHA1",
    digits: "6",
    period: "30",
  });
  return `otpauth://totp/${ISSUER}:${encodeURIComponent(email)}?${parameters.toString()}`;
}
