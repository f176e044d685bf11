import type { PasswordCheck, Showing } from "./password-check.js";
import type { UserWithPassword } from "./queries.js";

/** A second proof of identity, besides the password. */
export interface SecondProof {
  /** True when the person's sign-ins need a code. */
  isOn(userId: string): Promise<boolean | "unavailable">;
  /** Uses the code up. Returns false when it is wrong or was used before. */
  use(userId: string, code: string): Promise<boolean | "unavailable">;
}

export interface ShownProof {
  email: string;
  password: string;
  code?: string | undefined;
}

export type ProofRefusal =
  | "wrong_password"
  | "code_required"
  | "wrong_code"
  | "too_many_failures"
  | "full"
  | "unavailable";

/**
 * ACC-16: password first, then the code. Without the password, nobody learns anything about codes. A wrong code counts
 * like a wrong password (RATE-10).
 */
export function createSignInProof({ passwords, codes }: { passwords: PasswordCheck; codes: SecondProof }) {
  /** Returns null if the identity is proved. `user` is null when nobody has the address. */
  return async (
    { email, password, code }: ShownProof,
    user: UserWithPassword | null,
    showing: Showing,
  ): Promise<ProofRefusal | null> => {
    const isRight = await passwords.isRight({ email, password }, user, showing);
    if (typeof isRight === "string") return isRight;
    if (user === null || !isRight) return "wrong_password";
    const isOn = await codes.isOn(user.userId);
    if (isOn !== true) return isOn === false ? null : isOn;
    if (code === undefined) return "code_required";
    const isUsed = await passwords.tryCode(email, user.userId, showing, () => codes.use(user.userId, code));
    if (isUsed !== true) return isUsed === false ? "wrong_code" : isUsed;
    return null;
  };
}

export type SignInProof = ReturnType<typeof createSignInProof>;
