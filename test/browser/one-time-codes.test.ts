import assert from "node:assert/strict";
import { afterEach, before, describe, it } from "node:test";
import { join, PASSWORD, post, register } from "../support/people/accounts.js";
import { closePages, SKIP_WITHOUT_BROWSER, visit, type Visit } from "../support/people/browser.js";
import { authenticatorOf, turnOnCodes } from "../support/people/one-time-codes.js";
import { readQrCode } from "../support/people/qr-reader.js";
import type { RunningService } from "../support/service/service.js";
import { sharedTestService } from "../support/service/shared-service.js";

const OPTIONS = { skip: SKIP_WITHOUT_BROWSER };

let service: RunningService;
afterEach(closePages);
before(async () => {
  if (SKIP_WITHOUT_BROWSER === false) service = await sharedTestService();
});

const heading = ({ page }: Visit, name: string) => page.getByRole("heading", { level: 1, name });
const waitForToast = ({ page }: Visit, text: string): Promise<void> =>
  page.getByRole("status").getByText(text).waitFor();

describe("one-time codes, in a real browser", OPTIONS, () => {
  it("DASH-15, DASH-40, ACC-14, ACC-15, ACC-18: the account page turns them on, shows the recovery codes once, and turns them off", async () => {
    const owner = await register(service);
    const visitor = await visit(service, { token: owner.token });
    const { page } = visitor;
    await visitor.open("/dashboard/account");
    await page.getByRole("button", { name: "Turn on" }).click();
    await page.getByLabel("Your password").fill("not this one");
    await page.getByRole("button", { name: "Go on" }).click();
    await page.getByRole("alert").getByText("The current password is not right").waitFor();
    await page.getByLabel("Your password").fill(PASSWORD);
    await page.getByRole("button", { name: "Go on" }).click();
    const secret = await page.getByLabel("Secret", { exact: true }).inputValue();
    await visitor.assertAccessible();
    const uri = await page.getByRole("link", { name: "Open it in an app" }).getAttribute("href");
    assert.equal(new URL(uri ?? "").searchParams.get("secret"), secret);
    assert.equal(await readQrCode(page.getByRole("img", { name: "QR code of the secret" })), uri);
    const app = authenticatorOf(secret);
    await page.getByLabel("First code").fill("123abc");
    await page.getByRole("button", { name: "Turn them on" }).click();
    await page.getByRole("alert").getByText("The one-time code is not right").waitFor();
    await page.getByLabel("First code").fill(await app.nextCode());
    await page.getByRole("button", { name: "Turn them on" }).click();
    const codes = (await page.getByLabel("Recovery codes").inputValue()).split("\n");
    assert.equal(codes.length, 10);
    await visitor.assertAccessible();
    await page.getByRole("button", { name: "I have stored it" }).click();
    await page.getByText("Recovery codes left: 10").waitFor();
    for (const shown of [secret, ...codes]) assert.equal((await page.content()).includes(shown), false);
    await visitor.assertAccessible();
    await page.getByRole("button", { name: "Turn off" }).click();
    await page.getByLabel("Your password").fill(PASSWORD);
    await page.getByLabel("One-time code", { exact: true }).fill(codes[0] ?? "");
    await visitor.assertAccessible();
    await page.getByRole("button", { name: "Turn them off" }).click();
    await waitForToast(visitor, "One-time codes are off");
    await page.getByRole("button", { name: "Turn on" }).waitFor();
    visitor.assertClean([403, 403]);
  });

  it("ACC-16: the sign-in asks for a code once the password was right", async () => {
    const owner = await register(service);
    const app = await turnOnCodes(service, owner);
    const visitor = await visit(service);
    const { page } = visitor;
    await visitor.open("/dashboard/sign-in");
    await page.getByLabel("E-mail").fill(owner.email);
    await page.getByLabel("Password").fill(PASSWORD);
    assert.equal(await page.getByLabel("One-time code").count(), 0);
    await page.getByRole("button", { name: "Sign in" }).click();
    await page.getByRole("alert").getByText("A one-time code is required").waitFor();
    await visitor.assertAccessible();
    await page.getByLabel("One-time code").fill("000-000x");
    await page.getByRole("button", { name: "Sign in" }).click();
    await page.getByRole("alert").getByText("The one-time code is not right").waitFor();
    await page.getByLabel("One-time code").fill(await app.nextCode());
    await page.getByRole("button", { name: "Sign in" }).click();
    await heading(visitor, "Overview").waitFor();
    visitor.assertClean([401, 401]);
  });

  it("DASH-33, ACC-35, AUTH-36: an owner requires codes, and a member at work is led to turn theirs on", async () => {
    const owner = await register(service);
    const member = await join(service, owner, "analyst");
    const colleague = await visit(service, { token: member.token, scheme: "dark", width: 390, height: 800 });
    await colleague.open("/dashboard/reviews");
    await heading(colleague, "Reviews").waitFor();
    const visitor = await visit(service, { token: owner.token });
    const { page } = visitor;
    await visitor.open("/dashboard/settings");
    await page.getByLabel("Require one-time codes").check();
    await page.getByRole("button", { name: "Save the changes" }).click();
    await page.getByRole("alert").getByText("Turn on your own one-time codes").waitFor();
    await turnOnCodes(service, owner);
    await page.getByRole("button", { name: "Save the changes" }).click();
    await waitForToast(visitor, "The settings are saved");
    await visitor.assertAccessible();
    await visitor.open("/dashboard/account");
    await page.getByText("This workspace requires them.").waitFor();
    assert.equal(await page.getByRole("button", { name: "Turn off" }).isEnabled(), false);
    visitor.assertClean([409]);

    // The colleague's page refreshes its reviews by itself, and learns from the refusal that codes are required.
    await heading(colleague, "One-time codes").waitFor();
    await colleague.assertAccessible();
    await colleague.page.getByRole("button", { name: "Turn on" }).press("Enter");
    await colleague.page.getByLabel("Your password").fill(PASSWORD);
    await colleague.page.getByLabel("Your password").press("Enter");
    // The code is dark on light in the dark scheme, and no wider than a phone.
    const code = colleague.page.getByRole("img", { name: "QR code of the secret" });
    await code.waitFor();
    await colleague.assertAccessible();
    const drawn = await colleague.page.evaluate<string>(
      "(({ backgroundColor, fill }) => backgroundColor + fill)(getComputedStyle(document.querySelector('.qr-code')))",
    );
    assert.equal(drawn, "rgb(255, 255, 255)rgb(0, 0, 0)");
    const { width = 0 } = (await code.boundingBox()) ?? {};
    assert.ok(width >= 180 && width <= 390, `${width} px`);
    const secret = await colleague.page.getByLabel("Secret", { exact: true }).inputValue();
    await colleague.page.getByLabel("First code").fill(await authenticatorOf(secret).nextCode());
    await colleague.page.getByLabel("First code").press("Enter");
    assert.equal((await colleague.page.getByLabel("Recovery codes").inputValue()).split("\n").length, 10);
    await colleague.page.getByRole("button", { name: "I have stored it" }).click();
    await heading(colleague, "Reviews").waitFor();
  });

  it("ACC-19: the team page turns off the codes of a member who has lost them", async () => {
    const owner = await register(service);
    const member = await join(service, owner, "analyst");
    await turnOnCodes(service, member);
    const visitor = await visit(service, { token: owner.token });
    const { page } = visitor;
    await visitor.open("/dashboard/team");
    await page.getByRole("button", { name: "Reset codes of Member" }).click();
    await visitor.assertAccessible();
    await page.getByRole("button", { name: "Turn them off" }).click();
    await waitForToast(visitor, "signs in without a code now");
    const { email } = member;
    assert.equal((await post(service, "/v1/auth/login", { email, password: PASSWORD })).status, 200);
    visitor.assertClean();
  });
});
