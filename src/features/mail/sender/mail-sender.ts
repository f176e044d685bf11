import type { Pool } from "pg";
import type { SecretBox } from "../../../platform/node/secret-box.js";
import { hashToken } from "../../../path/access/token.js";
import {
  dropMail,
  finishMail,
  giveForgottenToken,
  mailContext,
  takeDueMail,
  type Due,
} from "../queries/mail.js";
import { mailText, type MailText } from "./mail-text.js";

export interface Outgoing extends MailText {
  to: string;
  /** The id is the same in each attempt, so a mailbox can recognise a repetition. */
  messageId: string;
}

export interface MailSenderOptions {
  pool: Pool;
  box: SecretBox;
  /** PUBLIC_URL */
  publicUrl: string;
  /** Resolves once the mail server has taken the letter. */
  deliver(mail: Outgoing): Promise<void>;
  onError(of: "smtp" | "postgres", error: unknown): void;
}

/** ACC-29: sends due letters in sequence. */
export class MailSender {
  readonly #options: MailSenderOptions;
  #looking: Promise<void> | null = null;
  #isStopping = false;

  constructor(options: MailSenderOptions) {
    this.#options = options;
  }

  /** Sends the letters that are due. Simultaneous calls share one run. */
  look(): Promise<void> {
    this.#looking ??= this.#sendDue()
      .catch((error: unknown) => this.#options.onError("postgres", error))
      .finally(() => (this.#looking = null));
    return this.#looking;
  }

  async stop(): Promise<void> {
    this.#isStopping = true;
    await this.#looking;
  }

  async #sendDue(): Promise<void> {
    while (!this.#isStopping) {
      const mail = await takeDueMail(this.#options.pool);
      if (mail === null) return;
      await this.#send(mail);
    }
  }

  async #send(mail: Due): Promise<void> {
    const { pool, box, publicUrl, deliver, onError } = this.#options;
    const token = box.open(mail.sealed, mailContext(mail.mailId));
    // The token was sealed with another SECRET_KEY. A node with that key may send the letter.
    if (token === null) return onError("smtp", { code: "SECRET_KEY" });
    const to =
      mail.kind === "forgotten_password"
        ? await giveForgottenToken(pool, mail, hashToken(token))
        : mail.recipient;
    if (to === null) return dropMail(pool, mail.mailId);
    const text = mailText(mail.kind, { token, publicUrl, authorEmail: mail.authorEmail });
    try {
      await deliver({ ...text, to, messageId: mail.mailId });
    } catch (error) {
      onError("smtp", error);
      if (isFinal(error)) await finishMail(pool, mail.mailId, "failed");
      return;
    }
    await finishMail(pool, mail.mailId, "sent");
  }
}

/**
 * True if the mail server refuses this recipient for good. After any other error the letter is tried again, because the
 * error may concern the sender.
 */
function isFinal(error: unknown): boolean {
  const { responseCode, command } = error as { responseCode?: unknown; command?: unknown };
  return command === "RCPT TO" && typeof responseCode === "number" && responseCode >= 500;
}
