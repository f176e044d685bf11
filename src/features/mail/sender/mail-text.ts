import type { MailKind } from "../queries/mail-tuning.js";

export interface MailText {
  subject: string;
  text: string;
}

const PAGES: Readonly<Record<MailKind, string>> = {
  invitation: "accept-invitation",
  password_reset: "reset-password",
  forgotten_password: "reset-password",
  address_proof: "prove-email",
};

/**
 * A letter in plain text. The only text from a person in it is the sender's address. Otherwise somebody could make the
 * service send their words to strangers. The token is in the link's fragment, which a browser never sends to a server.
 */
export function mailText(
  kind: MailKind,
  { token, publicUrl, authorEmail }: { token: string; publicUrl: string; authorEmail: string | null },
): MailText {
  const link = `${publicUrl.replace(/\/+$/, "")}/dashboard/${PAGES[kind]}#${new URLSearchParams({ token }).toString()}`;
  const who = authorEmail ?? "An owner or admin";
  switch (kind) {
    case "invitation":
      return {
        subject: "You are invited to a workspace of PayInference",
        text: letter(
          `${who} invites you to their workspace. Accept the invitation here, within 7 days:`,
          link,
        ),
      };
    case "password_reset":
      return {
        subject: "Set a new password",
        text: letter(`${who} lets you set a new password. The link works once, for an hour:`, link),
      };
    case "forgotten_password":
      return {
        subject: "Set a new password",
        text: letter(
          "Somebody, probably you, has forgotten the password of this address. The link works once, for an hour:",
          link,
        ),
      };
    case "address_proof":
      return {
        subject: "Confirm your e-mail address",
        text: letter("Confirm here, within 7 days, that this address is yours:", link),
      };
  }
}

function letter(sentence: string, link: string): string {
  return `${sentence}\n\n${link}\n\nIf you do not expect this letter, do nothing.\n`;
}
