/** `passwordHash` is null when there is no such user. */
export type PasswordTask =
  | { kind: "hash"; password: string }
  | { kind: "verify"; password: string; passwordHash: string | null };
