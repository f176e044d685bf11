import assert from "node:assert/strict";
import { after, afterEach, before, describe, it } from "node:test";
import { ask, freshSession, join, login, PASSWORD, personOf, register } from "../support/people/accounts.js";
import {
  linkIn,
  mailSettings,
  startMailServer,
  tokenIn,
  type MailServer,
} from "../support/service/letters.js";
import { closePages, SKIP_WITHOUT_BROWSER, visit, type Visit } from "../support/people/browser.js";
import { eventually, startTestService, type RunningService } from "../support/service/service.js";
import { sharedTestService } from "../support/service/shared-service.js";

const OPTIONS = { skip: SKIP_WITHOUT_BROWSER };
const NEW_PASSWORD = "a longer horse battery";
const FIREFOX = "Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0";

let service: RunningService;
afterEach(closePages);
before(async () => {
  if (SKIP_WITHOUT_BROWSER === false) service = await sharedTestService();
});

const heading = ({ page }: Visit, name: string) => page.getByRole("heading", { level: 1, name });
const waitForToast = ({ page }: Visit, text: string): Promise<void> =>
  page.getByRole("status").getByText(text).waitFor();
const statusOfMe = async (token: string): Promise<number> =>
  (await ask(service, "GET", "/v1/auth/me", token)).status;

async function openAccount(token: string): Promise<Visit> {
  const visitor = await visit(service, { token });
  await visitor.open("/dashboard");
  await visitor.page.getByRole("link", { name: "Account" }).click();
  await heading(visitor, "Account").waitFor();
  return visitor;
}

describe("DASH-15: the account page, in a real browser", OPTIONS, () => {
  it("lists the person's sessions, ends one, and then all others", async () => {
    const owner = await register(service);
    const named = personOf(await login(service, owner.email, PASSWORD, { "user-agent": FIREFOX }));
    const [one, other] = [await freshSession(service, owner), await freshSession(service, owner)];
    const visitor = await openAccount(owner.token);
    const { page } = visitor;
    await page.getByText("This session").waitFor();
    assert.equal(await page.getByRole("button", { name: /^End the session of / }).count(), 3);
    await visitor.assertAccessible();
    await visitor.assertNoSidewaysScroll();
    await page.getByRole("button", { name: "End the session of Firefox on Linux" }).click();
    await waitForToast(visitor, "The session has ended");
    assert.deepEqual([await statusOfMe(named.token), await statusOfMe(one.token)], [401, 200]);
    await page.getByRole("button", { name: "End all others" }).click();
    await visitor.assertAccessible();
    await page.getByRole("button", { name: "End them" }).click();
    await waitForToast(visitor, "Your other sessions have ended");
    await page
      .getByRole("button", { name: /^End the session of / })
      .first()
      .waitFor({ state: "detached" });
    assert.deepEqual([await statusOfMe(one.token), await statusOfMe(other.token)], [401, 401]);
    assert.equal(await page.getByRole("button", { name: "End all others" }).isDisabled(), true);
    visitor.assertClean();
  });

  it("changes the password; a wrong current one is refused in the form", async () => {
    const owner = await register(service);
    const visitor = await openAccount(owner.token);
    const { page } = visitor;
    await page.getByLabel("Current password").fill("not this one");
    await page.getByLabel("New password").fill(NEW_PASSWORD);
    await page.getByRole("button", { name: "Change the password" }).click();
    await page.getByRole("alert").getByText("The current password is not right").waitFor();
    await page.getByLabel("Current password").fill(PASSWORD);
    await page.getByRole("button", { name: "Change the password" }).click();
    await waitForToast(visitor, "The password is changed");
    assert.equal(await page.getByLabel("Current password").inputValue(), "");
    assert.equal(await page.getByLabel("New password").inputValue(), "");
    assert.equal((await login(service, owner.email, NEW_PASSWORD)).status, 200);
    visitor.assertClean([403]);
  });
});

describe("DASH-16: a member's password is reset by a link, in a real browser", OPTIONS, () => {
  it("the team page shows the link once; its page sets the password, and the link works once", async () => {
    const owner = await register(service);
    const member = await join(service, owner, "analyst");
    const visitor = await visit(service, { token: owner.token });
    const { page } = visitor;
    await visitor.open("/dashboard/team");
    await heading(visitor, "Team").waitFor();
    // A person cannot reset their own password.
    const reset = page.getByRole("button", { name: /^Reset password of / });
    await reset.first().waitFor();
    assert.equal(await reset.count(), 1);
    await page.getByRole("button", { name: "Reset password of Member" }).click();
    await visitor.assertAccessible();
    await page.getByRole("button", { name: "Make the link" }).click();
    const link = await page.getByLabel("Link to a new password").inputValue();
    await visitor.assertAccessible();
    await page.getByRole("button", { name: "Done" }).click();
    assert.equal((await page.content()).includes(link), false);
    visitor.assertClean();

    const invited = await visit(service);
    await invited.page.goto(link);
    await heading(invited, "Set a new password").waitFor();
    await invited.assertAccessible();
    await invited.page.getByLabel("New password").fill(NEW_PASSWORD);
    await invited.page.getByRole("button", { name: "Set the password" }).click();
    await heading(invited, "The password is set").waitFor();
    assert.equal(new URL(invited.page.url()).hash, "");
    assert.equal(await statusOfMe(member.token), 401);
    await invited.page.getByRole("link", { name: "Sign in" }).click();
    await invited.page.getByLabel("E-mail").fill(member.email);
    await invited.page.getByLabel("Password").fill(NEW_PASSWORD);
    await invited.page.getByRole("button", { name: "Sign in" }).click();
    await heading(invited, "Overview").waitFor();

    const late = await visit(service);
    await late.page.goto(link);
    await late.page.getByLabel("New password").fill(NEW_PASSWORD);
    await late.page.getByRole("button", { name: "Set the password" }).click();
    await late.page.getByRole("alert").getByText("Password reset not found").waitFor();
    late.assertClean([404]);
    invited.assertClean();
  });
});

describe("DASH-35: links of letters, in a real browser", OPTIONS, () => {
  let server: MailServer;
  let mailing: RunningService;
  before(async () => {
    if (SKIP_WITHOUT_BROWSER !== false) return;
    server = await startMailServer();
    mailing = await startTestService({ ...mailSettings(server.url), AUTH_RATE_LIMIT_PER_MINUTE: "0" });
  });
  after(async () => {
    if (SKIP_WITHOUT_BROWSER === false) await server.close();
  });

  /** The path and the fragment of the link in the newest letter with that subject. */
  const linkOf = (email: string, subject: string): Promise<string> =>
    eventually(async () => {
      const letter = server.taken.findLast(({ to, text }) => to === email && text.includes(subject));
      if (letter === undefined) assert.fail("no letter");
      const { pathname, hash } = linkIn(letter);
      assert.ok(hash.includes(tokenIn(letter)));
      return pathname + hash;
    });

  it("the account page says that the address is not proved, and the link proves it by a button", async () => {
    const owner = await register(mailing);
    const visitor = await visit(mailing, { token: owner.token, width: 390 });
    const { page } = visitor;
    await visitor.open("/dashboard/account");
    await page.getByText("is not confirmed yet").waitFor();
    await visitor.assertAccessible();
    await visitor.assertNoSidewaysScroll();
    // A new link is sent only some time after the last letter, so this makes the registration's letter older.
    await mailing.pool.query("update email_tokens set created_at = created_at - interval '1 minute'");
    await page.getByRole("button", { name: "Send the link" }).click();
    await waitForToast(visitor, "A letter is on its way");
    await eventually(async () => assert.equal(server.taken.filter(({ to }) => to === owner.email).length, 2));
    await visitor.open(await linkOf(owner.email, "Confirm your e-mail address"));
    await visitor.assertAccessible();
    await page.getByRole("button", { name: "Confirm this address" }).click();
    await heading(visitor, "Your address is confirmed").waitFor();
    assert.equal(new URL(page.url()).hash, "");
    await visitor.open("/dashboard/account");
    await page.getByText("was confirmed").waitFor();
    assert.equal(await page.getByRole("button", { name: "Send the link" }).isEnabled(), false);
    visitor.assertClean();
  });

  it("a forgotten password is set by a link that the sign-in page has sent", async () => {
    const owner = await register(mailing);
    const visitor = await visit(mailing, { scheme: "dark", width: 390 });
    const { page } = visitor;
    await visitor.open("/dashboard/sign-in");
    await page.getByRole("link", { name: "Forgot your password?" }).click();
    await heading(visitor, "Forgot your password?").waitFor();
    await visitor.assertAccessible();
    await visitor.assertNoSidewaysScroll();
    await page.getByLabel("E-mail").fill(owner.email);
    await page.keyboard.press("Enter");
    await heading(visitor, "Look into your mailbox").waitFor();
    await visitor.open(await linkOf(owner.email, "Set a new password"));
    await page.getByLabel("New password").fill(NEW_PASSWORD);
    await page.keyboard.press("Enter");
    await heading(visitor, "The password is set").waitFor();
    assert.equal((await login(mailing, owner.email, NEW_PASSWORD)).status, 200);
  });

  it("an invitation is sent, and nothing is shown to copy", async () => {
    const owner = await register(mailing);
    const visitor = await visit(mailing, { token: owner.token });
    const { page } = visitor;
    await visitor.open("/dashboard/team");
    await page.getByRole("button", { name: "Invite somebody" }).click();
    await page.getByLabel("E-mail").fill("invited@shop.example");
    await page.getByRole("button", { name: "Make the invitation" }).click();
    await page.getByText("The invitation is on its way to").waitFor();
    assert.equal(await page.getByLabel("Invitation link").count(), 0);
    await visitor.assertAccessible();
    assert.match(await linkOf("invited@shop.example", "You are invited"), /accept-invitation#token=/);
    visitor.assertClean();
  });
});
