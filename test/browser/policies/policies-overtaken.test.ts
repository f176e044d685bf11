import assert from "node:assert/strict";
import { afterEach, before, describe, it } from "node:test";
import type { Page } from "playwright-core";
import { closePages, SKIP_WITHOUT_BROWSER, visit, type Visit } from "../../support/people/browser.js";
import { signIn } from "../../support/people/feedback.js";
import { eventually, send, type RunningService } from "../../support/service/service.js";
import { sharedTestService } from "../../support/service/shared-service.js";
import { inOwnWorkspace } from "../../support/people/tenants.js";

const OPTIONS = { skip: SKIP_WITHOUT_BROWSER };
const MERCHANT = "demo_merchant";

let service: RunningService;
afterEach(closePages);
before(async () => {
  if (SKIP_WITHOUT_BROWSER !== false) return;
  service = await inOwnWorkspace(await sharedTestService());
});

interface StoredPolicy {
  policy_id: string;
  name: string;
  status: string;
  version: string;
  rules: { name: string; when: object; enabled: boolean }[];
}

const BIG = {
  rule_id: "big",
  name: "Big payments",
  when: { amount_gte: 500_000, currency_in: ["USD"] },
  then: { type: "hold" },
};
const RETRY = { rule_id: "retry", name: "Try again", when: {}, then: { type: "retry_on_timeout" } };
const GUESTS = {
  rule_id: "guests",
  name: "Guests",
  when: { customer_type_in: ["guest"] },
  then: { type: "step_up" },
};

/** Stores a policy as a colleague at another computer would. */
async function store(name: string, rules: readonly object[], publish = true): Promise<StoredPolicy> {
  const body = { merchant_id: MERCHANT, name, publish, default_provider: "provider_1", rules };
  const { status, json, text } = await send(service, "POST", "/v1/policies", { body });
  assert.equal(status, 200, text);
  return json["policy"] as StoredPolicy;
}

async function live(): Promise<StoredPolicy> {
  const { json } = await send(service, "GET", `/v1/policies/${MERCHANT}`);
  const found = (json["policies"] as StoredPolicy[]).find(({ status }) => status === "published");
  return found ?? assert.fail("nothing is live");
}

async function openPolicies(): Promise<Visit> {
  const { token } = await signIn(service.pool, service.workspaceId, "developer");
  const visitor = await visit(service, { token });
  await visitor.open("/dashboard/policies?mode=test");
  await visitor.page.getByRole("heading", { name: /^Edit v/ }).waitFor();
  await visitor.page.getByText("checked", { exact: true }).waitFor();
  return visitor;
}

const button = (page: Page, name: string) => page.getByRole("button", { name, exact: true });
const dialogOf = (page: Page) => page.getByRole("dialog");
const side = (page: Page, title: string) => dialogOf(page).getByRole("region", { name: title });

async function raiseAmount(page: Page): Promise<void> {
  await page.getByRole("button", { name: /^\d+ Big payments/ }).click();
  await page.getByLabel("Amount is at least").fill("9000");
}

/**
 * Clicks a button of the dialog. Before a publish, Playwright waits until the service has checked the draft and the
 * button is enabled.
 */
async function confirm(page: Page, name: string): Promise<void> {
  await dialogOf(page).getByRole("button", { name, exact: true }).click();
}

describe("DASH-4: publishing against a version that is no longer live, in a real browser", OPTIONS, () => {
  it("a colleague's removal stays: shows both differences, and applies the changes to the live version", async () => {
    const first = await store("First", [BIG, RETRY]);
    const [mine, theirs] = [await openPolicies(), await openPolicies()];
    await raiseAmount(mine.page);
    await button(mine.page, "Publish…").click();
    await dialogOf(mine.page)
      .getByText(/amount ≥ USD.9,000\.00 and currency is USD/)
      .waitFor();

    await button(theirs.page, "Remove Try again").click();
    await button(theirs.page, "Publish…").click();
    await confirm(theirs.page, "Publish");
    await theirs.page.getByRole("status").getByText("is live", { exact: false }).first().waitFor();
    const second = await live();
    assert.deepEqual(second.rules, first.rules.slice(0, 1));

    await confirm(mine.page, "Publish");
    const [from, to] = [first.version, second.version];
    await dialogOf(mine.page)
      .getByRole("alert")
      .getByText(`${to} “First” went live after you began`)
      .waitFor();
    const went = side(mine.page, `What went live: ${from} to ${to}`);
    await went.getByText("Try again").waitFor();
    assert.equal(await went.getByText("Removed").count(), 1);
    assert.equal(await went.getByText("Big payments").count(), 0);
    const yours = side(mine.page, `What you would publish: ${from} to your draft`);
    await yours.getByText(/amount ≥ USD.9,000\.00 and currency is USD/).waitFor();
    assert.equal(await yours.getByText("Try again").count(), 0);
    assert.deepEqual(await live(), second, "nothing took its place");
    await mine.assertAccessible();

    await confirm(mine.page, `Put the changes on ${to}`);
    await mine.page.getByText(`The changes are on ${to} now`).waitFor();
    await mine.assertAccessible();
    await button(mine.page, "Publish…").click();
    await dialogOf(mine.page).getByText(`Compared with the live ${to}`).waitFor();
    await confirm(mine.page, "Publish");
    await mine.page.getByRole("heading", { name: "Edit v3" }).waitFor();
    const third = await live();
    assert.deepEqual(
      third.rules.map(({ name, when }) => [name, when]),
      [["Big payments", { ...BIG.when, amount_gte: 900_000 }]],
    );
    mine.assertClean([412]);
    theirs.assertClean();
  });

  it("says so as soon as the page knows, replaces the live version only on request, and shows the next change too", async () => {
    const began = await store("Began", [BIG]);
    const { page, ...visitor } = await openPolicies();
    await raiseAmount(page);
    const second = await store("Second", [BIG, GUESTS]);
    await eventually(async () => {
      // Simulates the person's return to the window. The event is repeated, because the page ignores it while its data
      // is fresh.
      await page.evaluate("window.dispatchEvent(new Event('visibilitychange'))");
      const note = page.getByText(`${second.version} “Second” was published by`);
      assert.ok(await note.isVisible());
    });
    await button(page, "Publish…").click();
    await side(page, `What went live: ${began.version} to ${second.version}`).getByText("Guests").waitFor();

    const third = await store("Third", [BIG, GUESTS, RETRY]);
    await confirm(page, `Publish in place of ${second.version}`);
    await side(page, `What went live: ${began.version} to ${third.version}`).getByText("Try again").waitFor();
    assert.equal((await live()).version, third.version);

    await confirm(page, `Publish in place of ${third.version}`);
    await dialogOf(page).waitFor({ state: "detached" });
    const now = await live();
    assert.deepEqual(
      now.rules.map(({ name }) => name),
      ["Big payments"],
    );
    assert.notEqual(now.version, third.version);
    visitor.assertClean([412]);
  });

  it("also compares a rollback and a stored draft, and lets the user drop their own changes", async () => {
    const old = await store("Old", [BIG]);
    const draft = await store("Draft", [BIG, GUESTS], false);
    const began = await store("Began", [BIG, RETRY]);
    const { page, ...visitor } = await openPolicies();
    await button(page, `Roll back to ${old.version}`).click();
    await dialogOf(page).getByText("Try again").waitFor();
    const second = await store("Second", [RETRY]);
    await confirm(page, "Roll back");
    await side(page, `What went live: ${began.version} to ${second.version}`)
      .getByText("Big payments")
      .waitFor();
    await side(page, `What you would publish: ${began.version} to ${old.version}`)
      .getByText("Try again")
      .waitFor();
    assert.equal((await live()).version, second.version);
    await confirm(page, `Roll back in place of ${second.version}`);
    await page.getByRole("status").getByText(`${old.version} is live`).waitFor();
    assert.equal((await live()).version, old.version);

    await button(page, `Publish ${draft.version}`).click();
    await dialogOf(page).getByText("Guests").waitFor();
    const third = await store("Third", [BIG, RETRY]);
    await confirm(page, "Publish");
    await confirm(page, `Put the changes on ${third.version}`);
    await page.getByText(`The changes are on ${third.version} now`).waitFor();
    for (const name of ["1 Big payments", "2 Guests", "3 Try again"])
      await page.getByRole("button", { name: new RegExp(`^${name}`) }).waitFor();

    await button(page, "Publish…").click();
    await dialogOf(page).getByText(`Compared with the live ${third.version}`).waitFor();
    const fourth = await store("Fourth", [RETRY]);
    await confirm(page, "Publish");
    await confirm(page, `Drop mine and take ${fourth.version}`);
    await page.getByRole("heading", { name: `Edit ${fourth.version}` }).waitFor();
    await page.getByText("the live version", { exact: true }).waitFor();
    assert.equal(await page.getByRole("button", { name: /^\d+ Guests/ }).count(), 0);
    visitor.assertClean([412]);
  });

  it("shows both differences within 360 px", async () => {
    await store("Began", [BIG]);
    const visitor = await openPolicies();
    const { page } = visitor;
    await page.setViewportSize({ width: 360, height: 800 });
    await raiseAmount(page);
    await button(page, "Publish…").click();
    const { version } = await store("Second", [BIG, GUESTS]);
    await confirm(page, "Publish");
    await dialogOf(page).getByRole("alert").getByText(`${version} “Second”`).waitFor();
    await visitor.assertAccessible();
    await visitor.assertNoSidewaysScroll();
    // Playwright cannot click a button beyond the dialog's edge.
    await confirm(page, `Drop mine and take ${version}`);
    await page.getByRole("heading", { name: `Edit ${version}` }).waitFor();
    visitor.assertClean([412]);
  });
});
