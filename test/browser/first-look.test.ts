import assert from "node:assert/strict";
import { afterEach, before, describe, it } from "node:test";
import { register } from "../support/people/accounts.js";
import { closePages, OTHER_NAME, SKIP_WITHOUT_BROWSER, visit } from "../support/people/browser.js";
import { signIn } from "../support/people/feedback.js";
import { decisionBody, send, type RunningService } from "../support/service/service.js";
import { sharedTestService } from "../support/service/shared-service.js";
import { inOwnWorkspace } from "../support/people/tenants.js";

const OPTIONS = { skip: SKIP_WITHOUT_BROWSER };

let service: RunningService;
afterEach(closePages);
before(async () => {
  if (SKIP_WITHOUT_BROWSER === false) service = await inOwnWorkspace(await sharedTestService());
});

describe("a first look, in a real browser", OPTIONS, () => {
  it("DASH-7: over plain http on a name that is not loopback the form says why, and sends nothing", async () => {
    const visitor = await visit(service);
    const { page } = visitor;
    const sent: string[] = [];
    page.on("request", (asked) => {
      if (asked.method() === "POST") sent.push(asked.url());
    });
    for (const place of ["sign-in", "register", "accept-invitation"]) {
      await page.goto(`http://${OTHER_NAME}:${new URL(service.url).port}/dashboard/${place}`);
      const alert = page.getByRole("alert");
      await alert.getByText("over plain http the browser does not keep the session's cookie").waitFor();
      await alert.getByText("Open this page over https").waitFor();
      assert.equal(await page.locator("form button[type=submit]").isEnabled(), false);
      await page.locator("form input").first().press("Enter");
    }
    assert.deepEqual(sent, []);
  });

  it("DASH-7: a dropped cookie is reported, instead of an empty form", async () => {
    const { email } = await register(service);
    const visitor = await visit(service);
    const { page } = visitor;
    // Simulates an answer whose cookie is dropped. The page does not look at the answer's content.
    await page.route("**/v1/auth/login", (route) => route.fulfill({ status: 200, json: {} }));
    await visitor.open("/dashboard/sign-in");
    await page.getByLabel("E-mail").fill(email);
    await page.getByLabel("Password").fill("a good password");
    await page.getByRole("button", { name: "Sign in" }).click();
    await page.getByRole("alert").getByText("the browser did not keep the session's cookie").waitFor();
    visitor.assertClean([401]);
  });

  it("DASH-8: the overview opens in the mode that has data, and stays in a chosen mode", async () => {
    const { status } = await send(service, "POST", "/v1/decision", { body: decisionBody() });
    assert.equal(status, 200);
    const { token } = await signIn(service.pool, service.workspaceId, "owner");
    const visitor = await visit(service, { token });
    const { page } = visitor;
    await visitor.open("/dashboard");
    await page.getByText("Test mode: decisions of test keys").waitFor();
    assert.equal(new URL(page.url()).search, "?mode=test");
    await page.getByRole("radio", { name: "Live" }).click();
    await page.waitForURL(({ search }) => search === "?mode=live");
    await page.getByRole("link", { name: "Decisions", exact: true }).click();
    await page.getByRole("link", { name: "Overview", exact: true }).click();
    await page.getByText("in live mode").waitFor();
    assert.equal(new URL(page.url()).search, "?mode=live");
    visitor.assertClean();
  });

  it("DASH-8: an untouched form shows no error", async () => {
    const { token } = await register(service);
    const visitor = await visit(service, { token });
    const { page } = visitor;
    await visitor.open("/dashboard/policies");
    await page.getByRole("heading", { name: "New draft" }).waitFor();
    await page.getByRole("region", { name: "Simulated decision" }).getByText("Scores").waitFor();
    assert.equal(await page.getByText("A name is required").count(), 0);
    assert.equal(await page.getByRole("alert").count(), 0);
    assert.equal(await page.getByRole("button", { name: "Publish…" }).isEnabled(), false);
    await page.getByLabel("Policy name").fill("Draft");
    await page.getByLabel("Policy name").fill("");
    await page.getByLabel("Default provider").selectOption("provider_1");
    await page.getByText("A name is required").first().waitFor();
    visitor.assertClean();
  });

  it("DASH-20, DASH-21: the first steps lead from an empty workspace to its first decision", async () => {
    const owner = await register(service);
    const visitor = await visit(service, { token: owner.token, width: 390 });
    const { page } = visitor;
    const stepped = (text: string): Promise<void> =>
      page.getByRole("region", { name: "First steps" }).getByText(text, { exact: true }).waitFor();
    await visitor.open("/dashboard");
    await stepped("1 of 6 done");
    await visitor.assertAccessible();
    await visitor.assertNoSidewaysScroll();
    await visitor.assertSteady();
    await page.goto(`${service.url}/dashboard/settings?add=merchant`);
    await page.getByRole("textbox", { name: "Merchant id" }).fill("another_shop");
    await page.getByRole("button", { name: "Add the merchant" }).click();
    await page.getByRole("button", { name: "Make its key" }).click();
    await page.getByLabel("Name").fill("Checkout");
    assert.equal(await page.getByRole("combobox", { name: "Merchant" }).inputValue(), "another_shop");
    await page.getByRole("button", { name: "Create the key" }).click();
    const command = await page.getByLabel("Get a decision with it").inputValue();
    await visitor.assertAccessible();
    const [key, body] = /x-api-key: (\S+)'[^]*-d '(.*)'$/.exec(command)?.slice(1) ?? [];
    await page.getByRole("button", { name: "I have stored it" }).click();
    await visitor.open("/dashboard");
    await stepped("2 of 6 done");
    const sent = JSON.parse(body ?? "") as { merchant_id: string };
    assert.equal(sent.merchant_id, "another_shop");
    const decided = await send(service, "POST", "/v1/decision", { body: sent, key: key ?? null });
    assert.equal(decided.status, 200, decided.text);
    await stepped("3 of 6 done");
    const step = page.getByRole("link", { name: "Get the first decision" });
    assert.match((await step.getAttribute("href")) ?? "", new RegExp(String(decided.json["decision_id"])));
    await page.getByRole("button", { name: "Dismiss" }).click();
    await page.reload();
    await page.getByRole("heading", { level: 2, name: "Alerts" }).waitFor();
    assert.equal(await page.getByRole("heading", { level: 2, name: "First steps" }).count(), 0);
    visitor.assertClean();
  });

  it("DASH-24: a hold is tried with one click, and its key ends with the page", async () => {
    const { token } = await register(service);
    const visitor = await visit(service, { token, scheme: "dark", width: 390 });
    const { page } = visitor;
    await visitor.open("/dashboard/api-keys?mode=test");
    await page.getByRole("button", { name: "Try Hold" }).click();
    const answer = page.locator(".tries-answer");
    await answer.getByText("Wait for a review.").waitFor();
    await visitor.assertAccessible();
    await visitor.assertNoSidewaysScroll();
    await visitor.assertSteady();
    const revoked = page.waitForResponse((response) => response.request().method() === "DELETE");
    await answer.getByRole("link", { name: "Open the decision" }).click();
    assert.equal((await revoked).status(), 200);
    await page.getByRole("heading", { level: 1, name: "Decision" }).waitFor();
    await page.getByText("Held", { exact: false }).first().waitFor();
    visitor.assertClean();
  });
});
