import assert from "node:assert/strict";
import { afterEach, before, describe, it } from "node:test";
import type { Page } from "playwright-core";
import { ROLES, type Role } from "../../../src/domain/vocabulary/vocabulary.js";
import {
  closePages,
  SKIP_WITHOUT_BROWSER,
  visit,
  type Visit,
  type VisitOptions,
} from "../../support/people/browser.js";
import { signIn } from "../../support/people/feedback.js";
import { decisionBody, send, startTestService, type RunningService } from "../../support/service/service.js";

const OPTIONS = { skip: SKIP_WITHOUT_BROWSER };
const DECISIONS = 20;
const MERCHANT = "demo_merchant";

let service: RunningService;
afterEach(closePages);
before(async () => {
  if (SKIP_WITHOUT_BROWSER !== false) return;
  service = await startTestService();
  await storePolicy("First", []);
  await storePolicy("Second", [
    {
      rule_id: "big",
      name: "Big payments",
      when: { amount_gte: 500_000, currency_in: ["USD"] },
      then: { type: "hold" },
    },
    { rule_id: "retry", name: "Try again", when: {}, then: { type: "retry_on_timeout" } },
  ]);
  for (let order = 0; order < DECISIONS; order++) {
    const { status } = await send(service, "POST", "/v1/decision", {
      body: decisionBody({ order_id: `order_${order}` }),
    });
    assert.equal(status, 200);
  }
});

async function storePolicy(name: string, rules: readonly object[]): Promise<void> {
  const body = { merchant_id: MERCHANT, name, publish: true, default_provider: "provider_1", rules };
  const { status, text } = await send(service, "POST", "/v1/policies", { body });
  assert.equal(status, 200, text);
}

/** The statuses of the versions, newest first. */
async function statuses(): Promise<string[]> {
  const { json } = await send(service, "GET", `/v1/policies/${MERCHANT}`);
  const policies = json["policies"] as { version: string; status: string }[];
  return policies.map(({ version, status }) => `${version} ${status}`);
}

async function openPolicies(role: Role, options: VisitOptions = {}): Promise<Visit> {
  const { token } = await signIn(service.pool, service.workspaceId, role);
  const visitor = await visit(service, { ...options, token });
  await visitor.open("/dashboard/policies?mode=test");
  await visitor.page.getByRole("heading", { name: /^Edit v/ }).waitFor();
  await visitor.page.getByText("checked", { exact: true }).waitFor();
  await simulated(visitor.page).getByText("Scores").waitFor();
  await visitor.assertSteady();
  return visitor;
}

const simulated = (page: Page) => page.getByRole("region", { name: "Simulated decision" });

/** Opens the rule from the list. */
async function openRule(page: Page, name: string): Promise<void> {
  await page.getByRole("button", { name: new RegExp(`^\\d+ ${name}`) }).click();
}

describe("the policy editor, in a real browser", OPTIONS, () => {
  for (const role of ROLES) {
    it(`shows versions and simulates for ${role}; only permitted roles can save`, async () => {
      const visitor = await openPolicies(role);
      const { page } = visitor;
      const versions = page.getByRole("region", { name: "Table: Versions" });
      await versions.getByText("Live").waitFor();
      const retryRules = page.getByRole("region", { name: "Table: Retry rules" });
      await retryRules.getByText("Pick up card", { exact: true }).waitFor();
      await openRule(page, "Try again");
      await page.getByLabel("Name", { exact: true }).fill("Try again once");
      const save = page.getByRole("button", { name: "Save draft" });
      await page.getByText("checked", { exact: true }).waitFor();
      assert.equal(await save.isEnabled(), role !== "analyst");
      assert.equal(await page.getByText(/^Your role may try drafts\./).count(), role === "analyst" ? 1 : 0);
      assert.equal(
        await page.getByRole("button", { name: "Roll back to v1" }).count(),
        role === "analyst" ? 0 : 1,
      );
      visitor.assertClean();
    });
  }

  it("DASH-31: builds a rule from the vocabulary, shows the service's messages at the field, and simulates during typing", async () => {
    const visitor = await openPolicies("owner");
    const { page } = visitor;
    await page.getByRole("button", { name: "Add a rule" }).click();
    await page.getByLabel("Name", { exact: true }).fill("Guests");
    await page.getByLabel("Add a condition").selectOption("customer_type");
    const rule = page.getByRole("listitem").filter({ has: page.getByLabel("Name", { exact: true }) });
    await rule.getByText("never match").first().waitFor();
    await rule.getByRole("button", { name: "Guest", exact: true }).click();
    await rule.getByText("never match").first().waitFor({ state: "detached" });
    await page.getByLabel("Add a condition").selectOption("any_of");
    await page.getByLabel("Add a condition").first().selectOption("amount");
    await page.getByLabel("Amount is at least").fill("1000");
    await rule.locator(".issue-warning", { hasText: "on currency" }).first().waitFor();
    await page.getByLabel("Add a condition").first().selectOption("currency");
    await page.getByText("minor units", { exact: true }).waitFor();
    await page.getByLabel("Currency is one of").fill("usd ");
    await page.getByRole("button", { name: "Remove USD" }).waitFor();
    // DASH-31: the number stays, and is shown in the rule's currency from now on.
    assert.equal(await page.getByLabel("Amount is at least").inputValue(), "10.00");
    await page.getByLabel("Amount is at least").fill("10.005");
    await page.getByText("USD has 2 decimals.", { exact: true }).waitFor();
    await page.getByLabel("Amount is at least").fill("12.5");
    await page.getByText("USD has 2 decimals.", { exact: true }).waitFor({ state: "detached" });
    await page.getByLabel("Action", { exact: true }).selectOption("block");
    await simulated(page).getByText("stopped by").first().waitFor();
    await page.getByText("More of the transaction").click();
    await page.getByLabel("Customer type").last().selectOption("guest");
    await simulated(page).getByText("Block", { exact: true }).waitFor();
    await visitor.assertAccessible();
    await page.getByRole("tab", { name: "JSON" }).click();
    const text = await page.getByLabel("Policy as JSON").inputValue();
    const rules = (JSON.parse(text) as { rules: object[] }).rules;
    assert.deepEqual(rules.at(-1), {
      name: "Guests",
      enabled: true,
      when: {
        customer_type_in: ["guest"],
        any_of: [{ amount_gte: 1250, currency_in: ["USD"] }],
      },
      then: { type: "block" },
    });
    visitor.assertClean([400]);
  });

  it("form and JSON edit the same draft, and an error in the JSON names its place", async () => {
    const visitor = await openPolicies("developer");
    const { page } = visitor;
    await page.getByRole("button", { name: "Move Try again up" }).click();
    await page.getByRole("tab", { name: "JSON" }).click();
    const area = page.getByLabel("Policy as JSON");
    const text = await area.inputValue();
    const policy = JSON.parse(text) as { rules: { name: string; enabled: boolean }[] };
    assert.deepEqual(
      policy.rules.map(({ name }) => name),
      ["Try again", "Big payments"],
    );
    await area.fill(text.replace('"Try again",', '"Try again"'));
    await page.getByText(/^This is not JSON: see line \d+\.$/).waitFor();
    await page.getByRole("tab", { name: "Form" }).click();
    await page.getByRole("alert").getByText("once its JSON is mended").waitFor();
    await page.getByRole("tab", { name: "JSON" }).click();
    policy.rules[0] = { ...policy.rules[0], name: "Once more", enabled: false };
    await area.fill(JSON.stringify(policy));
    await page.getByRole("tab", { name: "Form" }).click();
    await page.getByRole("button", { name: /^1 Once more/ }).waitFor();
    assert.equal(await page.getByRole("switch", { name: "Once more: enabled" }).isChecked(), false);
    visitor.assertClean([400]);
  });

  it("adds the rules it understood from plain English, and names the sentences that it did not understand", async () => {
    const visitor = await openPolicies("owner");
    const { page } = visitor;
    await page.getByRole("tab", { name: "Write in English" }).click();
    await page
      .getByLabel("Rules in plain English")
      .fill("Block payments over 5000 USD from guests. Make everybody happy.");
    await page.getByRole("button", { name: "Translate" }).click();
    const translation = page.getByRole("region", { name: "Translation" });
    await translation.getByText("Sentence 2:").waitFor();
    await translation.getByRole("button", { name: "Add to the draft" }).click();
    await page.getByRole("button", { name: /^3 .*amount > USD.5,000\.00.*Block/ }).waitFor();
    visitor.assertClean();
  });

  it("SIM-7: replays past decisions, and links to those that would change", async () => {
    const visitor = await openPolicies("analyst");
    const { page } = visitor;
    await openRule(page, "Big payments");
    await page.getByLabel("Amount is at least").fill("10.00");
    await page.getByRole("tab", { name: "Backtest" }).click();
    await page.getByRole("button", { name: "Run the backtest" }).click();
    const result = page.getByRole("region", { name: "Backtest result" });
    await result.getByText("Changed decisions").waitFor();
    const row = result.getByRole("row", { name: /^Hold/ });
    assert.deepEqual(await row.getByRole("cell").allTextContents(), [
      "0",
      String(DECISIONS),
      `+${DECISIONS}`,
    ]);
    const pair = result.getByRole("row", { name: /^Route Hold/ });
    assert.deepEqual(await pair.getByRole("cell").allTextContents(), ["Hold", String(DECISIONS)]);
    const link = result.getByRole("link", { name: /^dec_/ }).first();
    assert.match(String(await link.getAttribute("href")), /^\/dashboard\/decisions\/dec_\w+\?mode=test$/);
    await visitor.assertAccessible();
    visitor.assertClean();
  });

  it("saves a draft, refuses to publish with warnings, publishes with the diff and rolls back", async () => {
    const visitor = await openPolicies("admin");
    const { page } = visitor;
    await openRule(page, "Big payments");
    await page.getByLabel("Policy name").fill("Third");
    await page.getByRole("button", { name: "Remove the condition on currency" }).click();
    await page.getByText("1 warning", { exact: true }).first().waitFor();
    await page.getByRole("button", { name: "Save draft" }).click();
    await page.getByRole("heading", { name: "Edit v3" }).waitFor();
    await page.getByRole("button", { name: "Publish v3" }).click();
    const dialog = page.getByRole("dialog");
    await dialog.getByText("The service refuses to publish this").waitFor();
    assert.equal(await dialog.getByRole("button", { name: "Publish", exact: true }).isEnabled(), false);
    await dialog.getByText(/amount ≥ USD.5,000\.00 and currency is USD/).waitFor();
    await visitor.assertAccessible();
    await page.keyboard.press("Escape");
    await openRule(page, "Big payments");
    await page.getByRole("button", { name: "Remove the condition on amount" }).click();
    await page.getByText("Valid", { exact: true }).waitFor();
    await page.getByRole("button", { name: "Publish…" }).click();
    await dialog.getByRole("button", { name: "Publish", exact: true }).click();
    await page.getByRole("heading", { name: "Edit v4" }).waitFor();
    await page.getByRole("button", { name: "Roll back to v2" }).click();
    await dialog.getByRole("button", { name: "Roll back" }).click();
    await page.getByRole("status").getByText("v2 is live").waitFor();
    assert.deepEqual(await statuses(), ["v4 archived", "v3 draft", "v2 published", "v1 archived"]);
    visitor.assertClean();
  });

  it("DASH-42: a template begins a draft and says which values are to choose, also after it was saved", async () => {
    const visitor = await openPolicies("developer", { width: 390 });
    const { page } = visitor;
    await page.getByRole("button", { name: "Begin with a template" }).click();
    await page.getByRole("button", { name: "Begin with: Block by country" }).waitFor();
    await visitor.assertAccessible();
    assert.match(page.url(), /templates=open/);
    await page.getByRole("button", { name: "Begin with: Block by country" }).press("Enter");
    await page.getByRole("heading", { name: "New draft" }).waitFor();
    const note = page.getByRole("status").filter({ hasText: "Begun with “Block by country”" });
    await note.getByText("Rule 1: The countries. AQ only stands in for them.").waitFor();
    await page.getByText("checked", { exact: true }).waitFor();
    await openRule(page, "Block countries");
    await page.getByRole("button", { name: "Remove AQ" }).waitFor();
    await page.reload();
    await page.getByRole("button", { name: /^Continue the draft of/ }).click();
    await note.waitFor();
    await page.getByText("checked", { exact: true }).waitFor();
    await page.getByRole("button", { name: "Save draft" }).click();
    await page.getByRole("heading", { name: /^Edit v/ }).waitFor();
    await note.waitFor();
    visitor.assertClean();
  });

  for (const scheme of ["light", "dark"] as const) {
    it(`has no accessibility violation in ${scheme}, and stays within 360 px`, async () => {
      const visitor = await openPolicies("owner", { scheme, width: 360, height: 800 });
      await visitor.assertAccessible();
      await openRule(visitor.page, "Big payments");
      await visitor.assertAccessible();
      await visitor.assertNoSidewaysScroll();
      visitor.assertClean();
    });
  }
});
