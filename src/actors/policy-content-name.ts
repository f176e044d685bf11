import { createHash } from "node:crypto";

/** 132 bits: two contents with one name would have to be looked for. */
const NAME_CHARS = 22;

/** The name under which the replica keeps a content (policy/policy-content.ts): whoever has the same text shares it. */
export function policyContentName(text: string): string {
  return createHash("sha256").update(text).digest("base64url").slice(0, NAME_CHARS);
}
