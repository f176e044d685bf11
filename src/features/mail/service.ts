import { idToHex } from "../../domain/ids/ids.js";
import { MAIL_LIMITS, type MailKind } from "./queries/mail-tuning.js";
import { LIMITS } from "../../domain/vocabulary/limits.js";
import type { CellName } from "../../path/access/cell.js";
import { generateToken, hashToken } from "../../path/access/token.js";
import type { SecretBox } from "../../platform/node/secret-box.js";
import type { AnyConnection } from "../../platform/postgres/tenant-db.js";
import { upsertEmailToken } from "./queries/email-token.js";
import { insertMail, mailContext } from "./queries/mail.js";

/** These exports are for the subjects whose tokens come by mail. */
export { deleteEmailToken, findEmailToken, wasSentLately } from "./queries/email-token.js";

export interface Letter {
  kind: MailKind;
  /** Null for a letter about a person and not about a workspace. */
  workspaceId: string | null;
  recipient: string;
  /** `usr_…` of the person who caused the letter. Null means that the recipient did. */
  author: string | null;
  /** The token is stored sealed until the letter is sent, and then deleted. */
  token: string;
  createdAt: Date;
  expiresAt: Date;
}

/** Stores letters in the transaction of the change that they report. */
export interface Mailbox {
  add(client: AnyConnection, letter: Letter): Promise<void>;
  /** ACC-31: stores a letter by which the person proves the address. Its token replaces the person's earlier one. */
  proveAddress(client: AnyConnection, person: { userId: string; email: string }, at: Date): Promise<void>;
  /** ACC-30: stores the same row for every address. Only the sending thread looks up whose address it is. */
  forgotPassword(client: AnyConnection, email: string, at: Date): Promise<void>;
}

interface MailboxParts {
  box: SecretBox;
  cell: CellName;
  nextId(): string;
}

export function createMailbox({ box, cell, nextId }: MailboxParts): Mailbox {
  const add = async (client: AnyConnection, { token, ...letter }: Letter): Promise<void> => {
    const mailId = idToHex(`mail_${nextId()}`);
    await insertMail(client, { ...letter, mailId, sealed: box.seal(token, mailContext(mailId)) });
  };
  return {
    add,
    async proveAddress(client, { userId, email }, createdAt) {
      const token = generateToken(cell);
      const expiresAt = new Date(createdAt.getTime() + MAIL_LIMITS.proofLifeMs);
      await upsertEmailToken(client, {
        userId,
        purpose: "address_proof",
        tokenHash: hashToken(token),
        email,
        createdAt,
        expiresAt,
      });
      await add(client, {
        kind: "address_proof",
        workspaceId: null,
        recipient: email,
        author: null,
        token,
        createdAt,
        expiresAt,
      });
    },
    async forgotPassword(client, email, createdAt) {
      await add(client, {
        kind: "forgotten_password",
        workspaceId: null,
        recipient: email,
        author: null,
        token: generateToken(cell),
        createdAt,
        expiresAt: new Date(createdAt.getTime() + LIMITS.passwordResetLifeMs),
      });
    },
  };
}
