import { MODES, type Mode } from "../../domain/vocabulary/vocabulary.js";

/** What a catalog entry is about, read from its key (replica.ts). */
export type ChangedEntry =
  | { readonly kind: "workspace"; readonly workspaceId: string }
  | { readonly kind: "merchant" | "prices"; readonly workspaceId: string; readonly merchantId: string }
  | {
      readonly kind: "amounts";
      readonly workspaceId: string;
      readonly mode: Mode;
      readonly merchantId: string;
    };

/**
 * Parses an entry's key. Null if the entry is not part of any merchant's context. A merchant id may contain slashes.
 */
export function changedEntry(key: string): ChangedEntry | null {
  const [kind, rest] = cut(key);
  switch (kind) {
    case "workspace":
      return { kind, workspaceId: rest };
    case "merchant":
    case "prices": {
      const [workspaceId, merchantId] = cut(rest);
      return { kind, workspaceId, merchantId };
    }
    case "amounts": {
      const [workspaceId, modeAndMerchant] = cut(rest);
      const [modeText, merchantId] = cut(modeAndMerchant);
      const mode = MODES.find((one) => one === modeText);
      return mode === undefined ? null : { kind, workspaceId, mode, merchantId };
    }
    default:
      return null;
  }
}

/** Splits a key at its first slash. */
function cut(text: string): [before: string, rest: string] {
  const at = text.indexOf("/");
  return at === -1 ? [text, ""] : [text.slice(0, at), text.slice(at + 1)];
}
