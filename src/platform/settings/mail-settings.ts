import { makeValidator } from "envalid";
import { EMAIL } from "../../domain/vocabulary/email.js";
import { LIMITS } from "../../domain/vocabulary/limits.js";
import { SettingsError } from "./settings-error.js";

/** ACC-27: the settings for sending mail. */
export interface MailSettings {
  smtpUrl: string;
  from: string;
  /** The service's address, with which links in letters begin. */
  publicUrl: string;
}

const smtpServer = makeValidator<string>((input) => {
  const url = URL.canParse(input) ? new URL(input) : null;
  if (url === null || !/^smtps?:$/.test(url.protocol) || url.hostname === "") {
    throw new TypeError("must be an smtp:// or smtps:// URL");
  }
  return input;
});

/** `pay@shop.example`, or `Shop <pay@shop.example>`. */
const sender = makeValidator<string>((input) => {
  const address = /^[^<>"\r\n]{1,100}<([^<>]+)>$/.exec(input)?.[1] ?? input;
  if (!EMAIL.test(address) || input.length > LIMITS.emailCharsMax) {
    throw new TypeError("must be an e-mail address, or a name and one in <>");
  }
  return input;
});

export const MAIL_SPECS = {
  SMTP_URL: smtpServer({ default: undefined }),
  MAIL_FROM: sender({ default: undefined }),
};

type MailEnvironment = Readonly<Partial<Record<MailNames, string | undefined>>>;
type MailNames = "SMTP_URL" | "MAIL_FROM" | "PUBLIC_URL" | "SECRET_KEY" | "DATABASE_URL";

/** Null without SMTP_URL. Mail also needs a sender, an address for links, and a key that encrypts waiting letters. */
export function mailOf(env: MailEnvironment): MailSettings | null {
  const { SMTP_URL: smtpUrl, MAIL_FROM: from, PUBLIC_URL: publicUrl } = env;
  if (smtpUrl === undefined) return null;
  if (from === undefined) throw new SettingsError("MAIL_FROM: must be set with SMTP_URL");
  if (publicUrl === undefined) throw new SettingsError("PUBLIC_URL: must be set with SMTP_URL");
  // A node with an embedded database generates its own key.
  if (env.SECRET_KEY === undefined && env.DATABASE_URL !== undefined) {
    throw new SettingsError("SECRET_KEY: must be set with SMTP_URL");
  }
  return { smtpUrl, from, publicUrl };
}
