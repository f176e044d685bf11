/** `passwordHash` is null where there is no such user. */
export type PasswordTask =
  | { kind: "hash"; password: string }
  | { kind: "verify"; password: string; passwordHash: string | null };
