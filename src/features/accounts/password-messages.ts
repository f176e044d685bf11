/** `passwordHash` is null when nobody has the address. */
export type PasswordTask =
  | { kind: "hash"; password: string }
  | { kind: "verify"; password: string; passwordHash: string | null };
