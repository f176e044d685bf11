import assert from "node:assert/strict";
import { afterEach, before, describe, it } from "node:test";
import type { Page } from "playwright-core";
import { idToHex } from "../../../src/domain/ids/ids.js";
import { closePages, SKIP_WITHOUT_BROWSER, visit, type Visit } from "../../support/people/browser.js";
import { signIn } from "../../support/people/feedback.js";
import { eventually, send, type RunningService } from "../../support/service/service.js";
import { sharedTestService } from "../../support/service/shared-service.js";
import { inOwnWorkspace } from "../../support/people/tenants.js";

const OPTIONS = { skip: SKIP_WITHOUT_BROWSER };
const MERCHANT = "demo_merchant";

interface Person {
  userId: string;
  token: string;
}

interface StoredPolicy {
  policy_id: string;
  version: string;
  status: string;
  author: string | null;
  comment: string | null;
  published_by: string | null;
  rules: { name: string }[];
}

let service: RunningService;
let ada: Person;
let ben: Person;
afterEach(closePages);
before(async () => {
  if (SKIP_WITHOUT_BROWSER !== false) return;
  service = await inOwnWorkspace(await sharedTestService());
  ada = await person("Ada");
  ben = await person("Ben");
});

async function person(name: string): Promise<Person> {
  const signedIn = await signIn(service.pool, service.workspaceId, "developer");
  await service.pool.query("update users set name = $2 where user_id = $1", [idToHex(signedIn.userId), name]);
  return signedIn;
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

/** Publishes as a person at another computer would. */
async function publishAs(
  by: Person,
  name: string,
  rules: readonly object[],
  comment: string | null = null,
): Promise<StoredPolicy> {
  const { status, json, text } = await send(service, "POST", "/v1/policies", {
    body: { merchant_id: MERCHANT, name, publish: true, default_provider: "provider_1", comment, rules },
    headers: { authorization: `Bearer ${by.token}` },
    key: null,
  });
  assert.equal(status, 200, text);
  return json["policy"] as StoredPolicy;
}

async function versions(): Promise<StoredPolicy[]> {
  const { json } = await send(service, "GET", `/v1/policies/${MERCHANT}`);
  return json["policies"] as StoredPolicy[];
}

async function openPolicies(by: Person, width = 1440): Promise<Visit> {
  const visitor = await visit(service, { token: by.token, width });
  await visitor.open("/dashboard/policies?mode=test");
  await loaded(visitor.page);
  return visitor;
}

async function loaded(page: Page): Promise<void> {
  await page.getByRole("heading", { name: /^Edit v|^New draft/ }).waitFor();
  await page.getByText("checked", { exact: true }).waitFor();
}

/** Closes the tab and opens the page in a new one of the same browser. */
async function closeAndComeBack({ newTab, page }: Visit): Promise<Page> {
  await page.close();
  const next = await newTab();
  await next.goto("/dashboard/policies?mode=test");
  await loaded(next);
  return next;
}

const button = (page: Page, name: string | RegExp) => page.getByRole("button", { name, exact: true });
const dialogOf = (page: Page) => page.getByRole("dialog");
const offer = (page: Page) => button(page, /^Continue the draft of /);

async function raiseAmount(page: Page, amount = "9000"): Promise<void> {
  await page.getByRole("button", { name: /^\d+ Big payments/ }).click();
  await page.getByLabel("Amount is at least").fill(amount);
}

/** The number of drafts that the browser stores. */
const keptDrafts = (page: Page) =>
  page.evaluate("Object.keys(localStorage).filter((key) => key.startsWith('payinference.kept.')).length");

describe("DASH-12: policies with colleagues, in a real browser", OPTIONS, () => {
  it("POL-21, POL-22: the versions name their people and comments, and a publish takes a comment", async () => {
    await publishAs(ada, "First", [BIG], "Holds large payments");
    const visitor = await openPolicies(ben);
    const { page } = visitor;
    const table = page.getByRole("region", { name: "Table: Versions" });
    await table.getByText("Holds large payments").waitFor();
    await raiseAmount(page);
    await page.getByLabel("Comment").fill("Fewer holds: see ticket 7");
    await button(page, "Publish…").click();
    const field = dialogOf(page).getByLabel("Comment");
    assert.equal(await field.inputValue(), "Fewer holds: see ticket 7");
    await field.fill("Fewer holds: see ticket 8");
    await visitor.assertAccessible();
    await dialogOf(page).getByRole("button", { name: "Publish", exact: true }).click();
    await dialogOf(page).waitFor({ state: "detached" });
    const [live] = await versions();
    assert.deepEqual(
      [live?.author, live?.published_by, live?.comment],
      [ben.userId, ben.userId, "Fewer holds: see ticket 8"],
    );
    await table.getByText("Fewer holds: see ticket 8").waitFor();
    const cells = await table.getByRole("row", { name: /First/ }).nth(1).getByRole("cell").allTextContents();
    assert.equal(cells[5], "Ada");
    assert.match(cells[6] ?? "", /^Ada /);
    assert.match(cells[7] ?? "", /^Ben /);
    await visitor.assertAccessible();
    visitor.assertClean();
  });

  it("a colleague's publish appears during editing, with its author, time and comparison", async () => {
    const began = await publishAs(ada, "Began", [BIG]);
    const visitor = await openPolicies(ben);
    const { page } = visitor;
    await raiseAmount(page);
    const second = await publishAs(ada, "Second", [BIG, GUESTS], "Guests are asked");
    const note = page.getByRole("status").filter({ hasText: "You edit a draft based on" });
    await eventually(async () => {
      // The page refreshes at intervals. When a person returns to the window, it refreshes at once.
      await page.evaluate("window.dispatchEvent(new Event('visibilitychange'))");
      assert.ok(await note.isVisible());
    });
    const text = String(await note.textContent());
    assert.match(text, new RegExp(`^${second.version} “Second” was published by Ada at .*\\d\\d:\\d\\d`));
    assert.ok(text.includes(`based on ${began.version}.`), text);
    assert.ok(text.includes("Guests are asked"), text);
    await visitor.assertAccessible();
    await button(page, `Compare ${began.version} with ${second.version}`).click();
    const differences = dialogOf(page).getByRole("region", {
      name: `Differences from ${began.version} to ${second.version}`,
    });
    await differences.getByText("Guests").waitFor();
    assert.equal(await differences.getByText("Added").count(), 1);
    await page.keyboard.press("Escape");
    await dialogOf(page).waitFor({ state: "detached" });
    assert.equal(await page.getByLabel("Amount is at least").inputValue(), "9000", "the draft is untouched");
    await button(page, "Publish…").click();
    await dialogOf(page).getByRole("alert").getByText("Ada published it.").waitFor();
    visitor.assertClean();
  });
});

describe("DASH-13: an unsaved draft survives a closed tab, in a real browser", OPTIONS, () => {
  it("is offered again with its comment and its base, and is no longer once it is saved", async () => {
    const began = await publishAs(ada, "Began", [BIG]);
    const visitor = await openPolicies(ben);
    await raiseAmount(visitor.page);
    await visitor.page.getByLabel("Comment").fill("Half a thought");
    const page = await closeAndComeBack(visitor);
    await page.getByText(`, which began as ${began.version}.`).waitFor();
    assert.equal(await page.getByRole("button", { name: /amount ≥ USD.9,000\.00/ }).count(), 0);

    const second = await publishAs(ada, "Second", [BIG, RETRY]);
    await page.reload();
    await loaded(page);
    await offer(page).click();
    await page.getByRole("heading", { name: `Edit ${began.version}` }).waitFor();
    await page.getByRole("button", { name: /amount ≥ USD.9,000\.00/ }).waitFor();
    assert.equal(await page.getByLabel("Comment").inputValue(), "Half a thought");
    assert.equal(await offer(page).count(), 0);
    await page.getByText(`You edit a draft based on ${began.version}`).waitFor();

    await button(page, "Save draft").click();
    await page.getByText("changed, not saved").waitFor({ state: "detached" });
    const [saved] = await versions();
    assert.deepEqual([saved?.status, saved?.comment], ["draft", "Half a thought"]);
    assert.equal((await versions())[1]?.version, second.version);
    assert.equal(await keptDrafts(page), 0);
    await page.reload();
    await loaded(page);
    assert.equal(await offer(page).count(), 0);
  });

  it("two tabs keep a draft each; a discarded one is gone, and so is one that was published", async () => {
    await publishAs(ada, "Began", [BIG]);
    const visitor = await openPolicies(ben);
    await raiseAmount(visitor.page, "7000");
    const other = await visitor.newTab();
    await other.goto("/dashboard/policies?mode=test");
    await loaded(other);
    await raiseAmount(other, "8000");
    await other.close();
    const page = await closeAndComeBack(visitor);
    assert.equal(await offer(page).count(), 2);
    await button(page, /^Discard the draft of/)
      .last()
      .click();
    assert.equal(await offer(page).count(), 1);
    assert.equal(await keptDrafts(page), 1);
    await offer(page).click();
    await page.getByRole("button", { name: /amount ≥ USD.8,000\.00/ }).waitFor();
    await button(page, "Publish…").click();
    await dialogOf(page).getByRole("button", { name: "Publish", exact: true }).click();
    await dialogOf(page).waitFor({ state: "detached" });
    assert.equal(await keptDrafts(page), 0);
  });

  it("JSON that is no draft yet is kept as it was typed, and undoing everything keeps nothing", async () => {
    await publishAs(ada, "Began", [BIG]);
    const visitor = await openPolicies(ben);
    await visitor.page.getByRole("tab", { name: "JSON" }).click();
    const text = await visitor.page.getByLabel("Policy as JSON").inputValue();
    await visitor.page.getByLabel("Policy as JSON").fill(`${text} and then`);
    const page = await closeAndComeBack(visitor);
    await offer(page).click();
    await page.getByRole("tab", { name: "JSON" }).click();
    assert.equal(await page.getByLabel("Policy as JSON").inputValue(), `${text} and then`);
    await page.getByLabel("Policy as JSON").fill(text);
    await page.getByText("changed, not saved").waitFor({ state: "detached" });
    assert.equal(await keptDrafts(page), 0);
  });

  it("is nobody else's, and a sign-out ends it", async () => {
    await publishAs(ada, "Began", [BIG]);
    const visitor = await openPolicies(ben);
    await raiseAmount(visitor.page);
    await visitor.setSession(ada.token);
    const page = await closeAndComeBack(visitor);
    assert.equal(await offer(page).count(), 0);
    assert.equal(await keptDrafts(page), 1);
    const leaver = await person("Leaver");
    await visitor.setSession(leaver.token);
    await page.reload();
    await loaded(page);
    await raiseAmount(page);
    assert.equal(await keptDrafts(page), 2);
    await button(page, "Sign out").click();
    await page.getByRole("button", { name: "Sign in" }).waitFor();
    assert.equal(await keptDrafts(page), 1, "Ben's stays: his session only ran out");
  });
});

describe("DASH-14: any two versions are compared, in a real browser", OPTIONS, () => {
  it("in words, side by side at a wide width and below each other at 360 px, and a reload keeps the choice", async () => {
    const first = await publishAs(ada, "One", [BIG, RETRY], "The first one");
    const second = await publishAs(ben, "Two", [{ ...BIG, when: { ...BIG.when, amount_gte: 700_000 } }]);
    await publishAs(ada, "Three", [GUESTS]);
    const visitor = await openPolicies(ben);
    const { page } = visitor;
    await button(page, "Compare versions").click();
    const dialog = dialogOf(page);
    await dialog.getByLabel("From", { exact: true }).selectOption(first.policy_id);
    await dialog.getByLabel("To", { exact: true }).selectOption(second.policy_id);
    const differences = dialog.getByRole("region", {
      name: `Differences from ${first.version} to ${second.version}`,
    });
    await differences.getByText(/amount ≥ USD.7,000\.00 and currency is USD/).waitFor();
    assert.equal(await differences.getByText("Removed").count(), 1);
    await dialog.getByText("Written by Ada").waitFor();
    await dialog.getByText("Written by Ben").waitFor();
    await dialog.getByText("The first one").waitFor();
    await visitor.assertAccessible();

    const places = async () => {
      const [before, after] = [differences.locator("del"), differences.locator("ins")];
      const [from, to] = [await before.boundingBox(), await after.boundingBox()];
      assert.ok(from !== null && to !== null);
      return { isBeside: to.x > from.x + from.width, isBelow: to.y >= from.y + from.height };
    };
    assert.deepEqual(await places(), { isBeside: true, isBelow: false });

    await page.reload();
    await loaded(page);
    await differences.getByText(/amount ≥ USD.7,000\.00 and currency is USD/).waitFor();
    await page.setViewportSize({ width: 360, height: 800 });
    assert.deepEqual(await places(), { isBeside: false, isBelow: true });
    await visitor.assertNoSidewaysScroll();
    await visitor.assertAccessible();
    await page.keyboard.press("Escape");
    await dialog.waitFor({ state: "detached" });
    assert.ok(!page.url().includes("compare="));
    visitor.assertClean();
  });
});
