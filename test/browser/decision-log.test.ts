import assert from "node:assert/strict";
import { afterEach, before, describe, it } from "node:test";
import { closePages, SKIP_WITHOUT_BROWSER, visit, type Visit } from "../support/people/browser.js";
import {
  decideOrder,
  EXPLAINED_RULES,
  publishOver,
  reportOutcome,
  type Decided,
} from "../support/load/explained-decisions.js";
import { signIn } from "../support/people/feedback.js";
import type { RunningService } from "../support/service/service.js";
import { sharedTestService } from "../support/service/shared-service.js";
import { inOwnWorkspace } from "../support/people/tenants.js";

const OPTIONS = { skip: SKIP_WITHOUT_BROWSER };

let service: RunningService;
let token: string;
/** The orders that the tests look for. The workspace has one more decision, which `inOwnWorkspace` made. */
const decided = new Map<string, Decided>();

afterEach(closePages);
before(async () => {
  if (SKIP_WITHOUT_BROWSER !== false) return;
  service = await inOwnWorkspace(await sharedTestService());
  ({ token } = await signIn(service.pool, service.workspaceId, "analyst"));
  await publishOver(service, EXPLAINED_RULES);
  for (let order = 0; order < 5; order++) {
    const name = `log_${order}`;
    const transaction = { amount: 1000 * (order + 1), ...(order === 2 ? { risk_score: 97 } : {}) };
    decided.set(name, await decideOrder(service, name, { transaction }));
  }
  await reportOutcome(service, idOf("log_1"));
});

const idOf = (name: string): Decided => decided.get(name) ?? assert.fail(name);

interface Shown {
  width?: number;
  scheme?: "light" | "dark";
}

async function open(query = "", shown: Shown = {}): Promise<Visit> {
  const visitor = await visit(service, { token, ...shown });
  await visitor.open(`/dashboard/decisions?mode=test${query}`);
  return visitor;
}

const rows = ({ page }: Visit): Promise<string[]> => page.locator(".log-rows .log-order a").allTextContents();
const waitFor = ({ page }: Visit, names: readonly string[]): Promise<void> =>
  page.locator(`.log-rows:has(tbody tr:nth-child(${names.length}))`).waitFor();
const row = ({ page }: Visit, name: string) => page.getByRole("link", { name, exact: true });
const parameter = ({ page }: Visit, name: string): string | null =>
  new URL(page.url()).searchParams.get(name);
const openPanel = ({ page }: Visit) => page.getByRole("complementary", { name: "Open decision" });
const focused = ({ page }: Visit): Promise<unknown> => page.evaluate("document.activeElement.textContent");
/** Waits until the row's link with this text has the focus, as after the return to the list. */
const focusOn = ({ untilTrue }: Visit, name: string): Promise<void> =>
  untilTrue(`document.activeElement.textContent === ${JSON.stringify(name)}`);

describe("DASH-25: the log's search, filters and columns, in a real browser", OPTIONS, () => {
  it("searches by an id or its beginning, with one box", async () => {
    const visitor = await open();
    const { page } = visitor;
    const search = page.getByRole("searchbox", { name: "Search" });
    await search.fill("log_3");
    await page.keyboard.press("Enter");
    await page.getByText("1–1 of 1").waitFor();
    assert.deepEqual([await rows(visitor), parameter(visitor, "q")], [["log_3"], "log_3"]);
    await search.fill("log");
    await page.keyboard.press("Enter");
    await page.getByText("1–5 of 5").waitFor();
    await search.fill(idOf("log_2").decision_id);
    await page.keyboard.press("Enter");
    await page.getByText("1–1 of 1").waitFor();
    assert.deepEqual(await rows(visitor), ["log_2"]);
    await search.fill("");
    await page.keyboard.press("Enter");
    await row(visitor, "log_0").waitFor();
    assert.equal(parameter(visitor, "q"), null);
    visitor.assertClean();
  });

  it("applies further filters together; each is a chip that lifts it, and all survive a reload", async () => {
    const visitor = await open();
    const { page } = visitor;
    await page.getByRole("button", { name: "More filters" }).click();
    const form = page.getByRole("form", { name: "More filters" });
    await form.getByLabel("Amount from, minor units").fill("2000");
    await form.getByLabel("Amount to, minor units").fill("4000");
    await form.getByLabel("Currency").fill("usd");
    await form.getByLabel("Outcome").selectOption("approved");
    await visitor.assertAccessible();
    await form.getByRole("button", { name: "Apply filters" }).click();
    await page.getByText("1–1 of 1").waitFor();
    assert.deepEqual(await rows(visitor), ["log_1"]);
    await page.reload();
    const chips = page.getByRole("group", { name: "Filters; press one to lift it" });
    await chips.getByRole("button", { name: "Outcome: Approved" }).click();
    await page.getByText("1–3 of 3").waitFor();
    assert.deepEqual(await rows(visitor), ["log_3", "log_2", "log_1"]);
    const search = "?mode=test&currency=USD&amount_min=2000&amount_max=4000";
    const sorted = (text: string): string[] => text.slice(1).split("&").toSorted();
    assert.deepEqual(sorted(new URL(page.url()).search), sorted(search));
    await chips.getByRole("button", { name: /^Amount from: USD.20\.00$/ }).waitFor();
    await page.getByRole("button", { name: "Clear filters" }).click();
    await page.getByText("1–6 of 6").waitFor();
    visitor.assertClean();
  });

  it("searches on where a page has stopped", async () => {
    const visitor = await open();
    const { page } = visitor;
    await row(visitor, "log_0").waitFor();
    // The first answer is like that of a search that stopped after 20,000 rows.
    const searched_to = idOf("log_4").decision_id;
    await page.route("**/v1/decisions?*", async (route) => {
      if (route.request().url().includes("starting_after")) await route.continue();
      else
        await route.fulfill({ json: { page: 1, page_size: 25, has_more: true, searched_to, decisions: [] } });
    });
    await page.getByRole("searchbox", { name: "Search" }).fill("log");
    await page.keyboard.press("Enter");
    await page.getByRole("button", { name: "Search on" }).click();
    await row(visitor, "log_3").waitFor();
    assert.deepEqual(await rows(visitor), ["log_3", "log_2", "log_1", "log_0"]);
    assert.equal(parameter(visitor, "starting_after"), searched_to);
    visitor.assertClean();
  });

  it("a person's columns are kept in this browser, and another person has their own", async () => {
    const visitor = await open();
    const { page } = visitor;
    const heads = (): Promise<string[]> => page.locator(".log-rows th").allTextContents();
    await row(visitor, "log_0").waitFor();
    assert.ok((await heads()).includes("Merchant"));
    await page.getByRole("button", { name: "Columns" }).click();
    const columns = page.getByRole("group", { name: "Columns" });
    await columns.getByRole("button", { name: "Merchant" }).click();
    await columns.getByRole("button", { name: "Reason codes" }).click();
    const chosen = await heads();
    assert.deepEqual([chosen.includes("Merchant"), chosen.includes("Reason codes")], [false, true]);
    await visitor.assertAccessible();
    await page.reload();
    await row(visitor, "log_0").waitFor();
    assert.deepEqual(await heads(), chosen);
    visitor.assertClean();
    const names: unknown = await page.evaluate(
      "Object.keys(localStorage).filter((key) => key.includes('columns'))",
    );
    assert.equal((names as string[]).length, 1);
    assert.match((names as string[])[0] ?? "", /usr_/);
  });
});

describe("DASH-26: a decision beside the log, in a real browser", OPTIONS, () => {
  it("opens beside the filtered list, is in the address, and has a page of its own", async () => {
    const visitor = await open("&amount_min=2000&amount_max=9000");
    const { page } = visitor;
    await row(visitor, "log_2").click();
    await openPanel(visitor).getByText("Do not send this payment to any provider.").waitFor();
    assert.deepEqual(
      [parameter(visitor, "open"), parameter(visitor, "amount_min")],
      [idOf("log_2").decision_id, "2000"],
    );
    assert.equal((await rows(visitor)).length, 4);
    await page.reload();
    await openPanel(visitor).getByText("Do not send this payment to any provider.").waitFor();
    await waitFor(visitor, ["log_4", "log_3", "log_2", "log_1"]);
    await page.goBack();
    await openPanel(visitor).waitFor({ state: "detached" });
    await page.goForward();
    await openPanel(visitor).getByRole("link", { name: "Its own page" }).click();
    await page.getByRole("link", { name: "All decisions" }).waitFor();
    assert.equal(new URL(page.url()).pathname, `/dashboard/decisions/${idOf("log_2").decision_id}`);
    visitor.assertClean();
  });

  for (const shown of [
    { width: 1440, scheme: "light" },
    { width: 1440, scheme: "dark" },
    { width: 390, scheme: "light" },
    { width: 390, scheme: "dark" },
  ] as const) {
    it(`${shown.width} px, ${shown.scheme}: no accessibility violation, no page wider than its window`, async () => {
      const visitor = await open(`&amount_min=2000&amount_max=9000&open=${idOf("log_2").decision_id}`, shown);
      const { page } = visitor;
      await openPanel(visitor).getByText("Do not send this payment to any provider.").waitFor();
      assert.equal(await page.locator(".log-list").isVisible(), shown.width > 1100);
      await visitor.assertAccessible();
      await visitor.assertNoSidewaysScroll();
      await openPanel(visitor).getByRole("button", { name: "Back to the list" }).click();
      await focusOn(visitor, "log_2");
      await page.getByRole("button", { name: "More filters" }).click();
      await visitor.assertAccessible();
      await visitor.assertNoSidewaysScroll();
      assert.equal(parameter(visitor, "amount_min"), "2000");
      visitor.assertClean();
    });
  }
});

describe("DASH-27: the log by keyboard, in a real browser", OPTIONS, () => {
  it("up and down move, Enter opens, the open decision follows, and Escape closes", async () => {
    const visitor = await open();
    const { page } = visitor;
    await row(visitor, "log_0").waitFor();
    await page.keyboard.press("ArrowDown");
    assert.equal(await focused(visitor), "log_4");
    await page.keyboard.press("ArrowDown");
    await page.keyboard.press("ArrowDown");
    await page.keyboard.press("ArrowUp");
    assert.deepEqual([await focused(visitor), parameter(visitor, "open")], ["log_3", null]);
    await page.keyboard.press("Enter");
    await openPanel(visitor).waitFor();
    assert.equal(parameter(visitor, "open"), idOf("log_3").decision_id);
    await page.keyboard.press("ArrowDown");
    await openPanel(visitor).getByText("Do not send this payment to any provider.").waitFor();
    assert.deepEqual(
      [await focused(visitor), parameter(visitor, "open")],
      ["log_2", idOf("log_2").decision_id],
    );
    await page.keyboard.press("Escape");
    await openPanel(visitor).waitFor({ state: "detached" });
    await focusOn(visitor, "log_2");
    assert.equal(parameter(visitor, "open"), null);
    // In a field the arrows move the cursor of the field.
    await page.getByRole("searchbox", { name: "Search" }).focus();
    await page.keyboard.press("ArrowDown");
    assert.equal(await page.evaluate("document.activeElement.type"), "search");
    visitor.assertClean();
  });

  it("on a phone the decision takes the focus, and gives it back to its row", async () => {
    const visitor = await open("", { width: 390 });
    const { page } = visitor;
    await row(visitor, "log_2").focus();
    await page.keyboard.press("Enter");
    await visitor.untilTrue("document.activeElement.getAttribute('aria-label') === 'Open decision'");
    await page.keyboard.press("Escape");
    await focusOn(visitor, "log_2");
    visitor.assertClean();
  });
});
