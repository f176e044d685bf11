import assert from "node:assert/strict";
import { afterEach, before, describe, it } from "node:test";
import type { Locator, Page } from "playwright-core";
import { ask, PASSWORD, register } from "../support/people/accounts.js";
import { closePages, SKIP_WITHOUT_BROWSER, visit } from "../support/people/browser.js";
import type { RunningService } from "../support/service/service.js";
import { sharedTestService } from "../support/service/shared-service.js";

const OPTIONS = { skip: SKIP_WITHOUT_BROWSER };

let service: RunningService;
afterEach(closePages);
before(async () => {
  if (SKIP_WITHOUT_BROWSER === false) service = await sharedTestService();
});

const PRICES = "provider,payment_method,currency,percentage_bps,fixed_minor\nprovider_1,card,USD,150,30";

/** Clicks twice without a pause, as on a machine that shows the result of the first click too late. */
const clickTwice = (button: Locator): Promise<void> =>
  button.evaluate((element) => {
    // The tests are compiled without the browser's types.
    const clicked = element as unknown as { click(): void };
    clicked.click();
    clicked.click();
  });

/** The page's requests that could create something. */
function sentBy(page: Page): string[] {
  const sent: string[] = [];
  page.on("request", (asked) => {
    const { pathname } = new URL(asked.url());
    if (asked.method() === "POST" && !pathname.endsWith("/simulate")) sent.push(pathname);
  });
  return sent;
}

describe("DASH-6: two clicks make one, in a real browser", OPTIONS, () => {
  const FORMS: readonly {
    what: string;
    at: string;
    path: string;
    fill(page: Page): Promise<void>;
    button: string;
    done: RegExp;
  }[] = [
    {
      what: "key",
      at: "/api-keys",
      path: "/v1/api-keys",
      async fill(page) {
        await page.getByRole("button", { name: "Create a live key" }).click();
        await page.getByLabel("Name").fill("Checkout");
      },
      button: "Create the key",
      done: /is ready/,
    },
    {
      what: "invitation",
      at: "/team",
      path: "/v1/team/invitations",
      async fill(page) {
        await page.getByRole("button", { name: "Invite somebody" }).click();
        await page.getByLabel("E-mail").fill("colleague@shop.example");
      },
      button: "Make the invitation",
      done: /Copy it now/,
    },
    {
      what: "contract",
      at: "/pricing",
      path: "/v1/pricing/rules",
      async fill(page) {
        await page.getByLabel("Contract name").fill("Twice");
        await page.getByRole("textbox", { name: "Prices" }).fill(PRICES);
      },
      button: "Store the contract",
      done: /Stored 1 price/,
    },
    {
      what: "draft",
      at: "/policies",
      path: "/v1/policies",
      async fill(page) {
        await page.getByLabel("Policy name").fill("Twice");
        await page.getByText("checked", { exact: true }).waitFor();
      },
      button: "Save draft",
      done: /Saved/,
    },
  ];
  for (const { what, at, path, fill, button, done } of FORMS) {
    it(`one ${what}`, async () => {
      const { token } = await register(service);
      const visitor = await visit(service, { token });
      const { page } = visitor;
      await visitor.open(`/dashboard${at}`);
      await fill(page);
      const sent = sentBy(page);
      await page.locator("button:enabled", { hasText: button }).waitFor();
      await clickTwice(page.getByRole("button", { name: button, exact: true }));
      await page.getByText(done).first().waitFor();
      assert.deepEqual(sent, [path]);
      visitor.assertClean();
    });
  }

  it("IDEM-10: a click after a lost answer gets that answer, and makes no second key", async () => {
    const { token } = await register(service);
    const visitor = await visit(service, { token });
    const { page } = visitor;
    await visitor.open("/dashboard/api-keys");
    await page.getByRole("button", { name: "Create a live key" }).click();
    await page.getByLabel("Name").fill("Checkout");
    let asked = 0;
    await page.route("**/v1/api-keys", async (route) => {
      if (route.request().method() !== "POST" || asked++ > 0) return route.continue();
      // The service makes the key, but its answer is lost.
      assert.equal((await route.fetch()).status(), 201);
      await route.abort("connectionreset");
    });
    const button = page.getByRole("button", { name: "Create the key", exact: true });
    await button.click();
    await page.getByRole("alert").waitFor();
    await button.click();
    await page.getByText(/is ready/).waitFor();
    assert.equal(asked, 2);
    const { json } = await ask(service, "GET", "/v1/api-keys", token);
    assert.equal((json["api_keys"] as unknown[]).length, 1);
  });

  it("one sign-in; after a refusal the form can be sent again", async () => {
    const { email } = await register(service);
    const visitor = await visit(service);
    const { page } = visitor;
    await visitor.open("/dashboard/sign-in");
    const sent = sentBy(page);
    for (const password of ["not the password", PASSWORD]) {
      await page.getByLabel("E-mail").fill(email);
      await page.getByLabel("Password").fill(password);
      await clickTwice(page.getByRole("button", { name: "Sign in" }));
      if (password !== PASSWORD) await page.getByRole("alert").waitFor();
    }
    await page.getByRole("heading", { level: 1, name: "Overview" }).waitFor();
    assert.deepEqual(sent, ["/v1/auth/login", "/v1/auth/login"]);
    visitor.assertClean([401]);
  });
});
