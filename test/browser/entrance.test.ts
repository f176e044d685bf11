import assert from "node:assert/strict";
import { afterEach, before, describe, it } from "node:test";
import type { Route } from "playwright-core";
import { newEmail, PASSWORD, post, register } from "../support/people/accounts.js";
import { closePages, SKIP_WITHOUT_BROWSER, visit, type Visit } from "../support/people/browser.js";
import type { RunningService } from "../support/service/service.js";
import { sharedTestService } from "../support/service/shared-service.js";

const OPTIONS = { skip: SKIP_WITHOUT_BROWSER };

let service: RunningService;
afterEach(closePages);
before(async () => {
  if (SKIP_WITHOUT_BROWSER === false) service = await sharedTestService();
});

const heading = ({ page }: Visit, name: string) => page.getByRole("heading", { level: 1, name });

async function fillSignIn({ page }: Visit, email: string, password: string): Promise<void> {
  await page.getByLabel("E-mail").fill(email);
  await page.getByLabel("Password").fill(password);
  await page.getByRole("button", { name: "Sign in" }).click();
}

describe("register and sign in, in a real browser", OPTIONS, () => {
  it("a new owner registers, signs out and signs in again", async () => {
    const visitor = await visit(service);
    const { page } = visitor;
    const email = newEmail();
    await visitor.open("/dashboard");
    await heading(visitor, "Sign in").waitFor();
    await page.getByRole("link", { name: "Create a workspace" }).click();
    await page.getByLabel("Workspace").fill("Corner shop");
    await page.getByLabel("First merchant").fill("corner_shop");
    await page.getByLabel("Your name").fill("Ada");
    await page.getByLabel("E-mail").fill(email);
    await page.getByLabel("Password").fill(PASSWORD);
    await page.getByRole("button", { name: "Create the workspace" }).click();
    await heading(visitor, "Overview").waitFor();
    await page.getByText("Corner shop").waitFor();
    await page.getByRole("button", { name: "Sign out" }).click();
    await heading(visitor, "Sign in").waitFor();
    assert.deepEqual(await visitor.cookies(), []);
    await fillSignIn(visitor, email, PASSWORD);
    await heading(visitor, "Overview").waitFor();
    visitor.assertClean();
  });

  it("no pending read of the page is refused when the user signs out", async () => {
    const person = await register(service);
    const visitor = await visit(service, { token: person.token });
    const { page } = visitor;
    let endHold = (): void => undefined;
    const hold = new Promise<void>((resolve) => (endHold = resolve));
    // Simulates a slow line: the service gets these reads after the sign-out. Their refusals reach the page before the
    // sign-out's answer.
    const reads = /\/v1\/(?!auth\/)/;
    const answered: Promise<void>[] = [];
    const refuse = async (route: Route): Promise<void> => {
      await hold;
      const response = await route.fetch();
      assert.equal(response.status(), 401);
      // `fulfill` throws if the page has given up the request.
      await route.fulfill({ response }).catch(() => undefined);
    };
    await page.route(reads, (route) => {
      const answer = refuse(route);
      answered.push(answer);
      return answer;
    });
    await page.route("**/v1/auth/logout", async (route) => {
      const response = await route.fetch();
      endHold();
      await Promise.all(answered);
      await route.fulfill({ response });
    });
    const reading = page.waitForRequest(reads);
    await visitor.open("/dashboard");
    await reading;
    await page.getByRole("button", { name: "Sign out" }).click();
    await heading(visitor, "Sign in").waitFor();
    assert.ok(answered.length > 0);
    visitor.assertClean();
  });

  it("a sign-out that does not reach the service changes nothing, and the page says so", async () => {
    const person = await register(service);
    const visitor = await visit(service, { token: person.token });
    const { page } = visitor;
    await page.route("**/v1/auth/logout", async (route) => route.abort());
    await visitor.open("/dashboard");
    await page.getByRole("button", { name: "Sign out" }).click();
    await page.getByRole("status").getByText("nothing was done: try again").waitFor();
    await heading(visitor, "Overview").waitFor();
    await page.unrouteAll();
    await page.getByRole("button", { name: "Sign out" }).click();
    await heading(visitor, "Sign in").waitFor();
    visitor.assertClean(["net::ERR_FAILED"]);
  });

  it("the session outlives a reload, and no script can read its cookie or a token", async () => {
    const { email } = await register(service);
    const visitor = await visit(service);
    await visitor.open("/dashboard/sign-in");
    await fillSignIn(visitor, email, PASSWORD);
    await heading(visitor, "Overview").waitFor();
    await visitor.page.reload();
    await heading(visitor, "Overview").waitFor();
    const readable = await visitor.page.evaluate(
      "document.cookie + JSON.stringify(localStorage) + JSON.stringify(sessionStorage)",
    );
    const [cookie] = await visitor.cookies();
    assert.equal(cookie?.httpOnly, true);
    assert.equal(cookie?.sameSite, "Strict");
    assert.equal(readable, '{"payinference.signed-in":"1"}{}');
    visitor.assertClean();
  });

  it("shows the service's refusal of a wrong password, and screen readers announce it", async () => {
    const { email } = await register(service);
    const visitor = await visit(service);
    await visitor.open("/dashboard/sign-in");
    await fillSignIn(visitor, email, "not the password");
    const alert = visitor.page.getByRole("alert");
    await alert.waitFor();
    assert.equal(await alert.textContent(), "Invalid e-mail address or password");
    await visitor.assertAccessible();
    await fillSignIn(visitor, email, PASSWORD);
    await heading(visitor, "Overview").waitFor();
    visitor.assertClean([401]);
  });

  it("an address in use stays with its owner", async () => {
    const { email } = await register(service);
    const visitor = await visit(service);
    await visitor.open("/dashboard/register");
    await visitor.page.getByLabel("Workspace").fill("Another");
    await visitor.page.getByLabel("E-mail").fill(email);
    await visitor.page.getByLabel("Password").fill(PASSWORD);
    await visitor.page.getByRole("button", { name: "Create the workspace" }).click();
    await visitor.page.getByRole("alert").getByText("cannot be registered").waitFor();
    visitor.assertClean([409]);
  });

  it("an invitation is accepted from its link, and only the request carries the link's token", async () => {
    const owner = await register(service);
    const invited = await post(
      service,
      "/v1/team/invitations",
      { email: newEmail(), role: "analyst" },
      owner.token,
    );
    const token = String(invited.json["token"]);
    const visitor = await visit(service);
    const urls: string[] = [];
    visitor.page.on("request", (request) => urls.push(request.url().split("#")[0] ?? ""));
    await visitor.open(`/dashboard/accept-invitation#${new URLSearchParams({ token }).toString()}`);
    assert.equal(await visitor.page.getByLabel("Invitation").inputValue(), token);
    await visitor.page.getByLabel("Your name").fill("Grace");
    await visitor.page.getByLabel("Password").fill(PASSWORD);
    await visitor.assertAccessible();
    await visitor.page.getByRole("button", { name: "Join" }).click();
    await heading(visitor, "Overview").waitFor();
    await visitor.page.getByText("analyst", { exact: true }).waitFor();
    assert.equal(
      urls.some((url) => url.includes(token)),
      false,
    );
    visitor.assertClean();
  });

  it("after the sign-in the user gets the page asked for before", async () => {
    const { email } = await register(service);
    const visitor = await visit(service);
    await visitor.open("/dashboard/no-such-place?mode=test");
    await heading(visitor, "Sign in").waitFor();
    await fillSignIn(visitor, email, PASSWORD);
    await heading(visitor, "Not found").waitFor();
    assert.equal(visitor.page.url(), `${service.url}/dashboard/no-such-place?mode=test`);
    visitor.assertClean();
  });

  it("no address leads to another site after the sign-in", async () => {
    const { email } = await register(service);
    for (const next of ["//example.com/", "https://example.com/", "/\\example.com"]) {
      const visitor = await visit(service);
      await visitor.open(`/dashboard/sign-in?${new URLSearchParams({ next }).toString()}`);
      await fillSignIn(visitor, email, PASSWORD);
      await visitor.page.getByRole("button", { name: "Sign out" }).waitFor();
      assert.equal(new URL(visitor.page.url()).origin, service.url, next);
      visitor.assertClean();
    }
  });

  it("a session that has ended leads back to the sign-in", async () => {
    const person = await register(service);
    const visitor = await visit(service, { token: person.token });
    await visitor.open("/dashboard");
    await heading(visitor, "Overview").waitFor();
    await post(service, "/v1/auth/logout", undefined, person.token);
    await heading(visitor, "Sign in").waitFor();
    visitor.assertClean([401]);
  });

  for (const scheme of ["light", "dark"] as const) {
    for (const path of ["sign-in", "register", "accept-invitation"]) {
      it(`${path} has no accessibility violation in the ${scheme} scheme, at 360 px too`, async () => {
        const visitor = await visit(service, { scheme, width: 360, height: 740 });
        await visitor.open(`/dashboard/${path}`);
        await visitor.page.getByRole("heading", { level: 1 }).waitFor();
        await visitor.assertAccessible();
        await visitor.assertNoSidewaysScroll();
        await visitor.assertSteady();
        visitor.assertClean();
      });
    }
  }
});
