import assert from "node:assert/strict";
import { afterEach, before, describe, it } from "node:test";
import { closePages, SKIP_WITHOUT_BROWSER, visit, type Visit } from "../support/people/browser.js";
import { decideOrder, reportOutcome } from "../support/load/explained-decisions.js";
import { signIn } from "../support/people/feedback.js";
import { startTestService, type RunningService } from "../support/service/service.js";

const OPTIONS = { skip: SKIP_WITHOUT_BROWSER };

let service: RunningService;
let token: string;
afterEach(closePages);
before(async () => {
  if (SKIP_WITHOUT_BROWSER !== false) return;
  service = await startTestService({ RATE_LIMIT_PER_MINUTE: "0" });
  token = (await signIn(service.pool, service.workspaceId, "analyst")).token;
  for (const [currency, country, count, approved] of [
    ["USD", "US", 6, 5],
    ["NGN", "NG", 4, 1],
  ] as const) {
    for (let at = 0; at < count; at++) {
      const decided = await decideOrder(service, `order_${currency}_${at}`, {
        transaction: { currency, country },
      });
      const outcome = at < approved ? "approved" : "soft_declined";
      await reportOutcome(service, decided, { outcome, currency });
    }
  }
});

const breakdown = ({ page }: Visit) => page.getByRole("region", { name: "Breakdown", exact: true });
const parametersOf = ({ page }: Visit): URLSearchParams => new URL(page.url()).searchParams;

describe("a breakdown of approval, in a real browser", OPTIONS, () => {
  for (const width of [1280, 390]) {
    it(`DASH-11, DASH-10, DASH-44, DASH-45: the overview leads to slices with a chart each; a row narrows, its link leads to exactly its decisions, and back again, at ${width} px`, async () => {
      const visitor = await visit(service, { token, width });
      const { page } = visitor;
      await visitor.open("/dashboard?range=24h&mode=test");
      await page.getByRole("link", { name: "60.0%", exact: true }).click();
      await breakdown(visitor).waitFor();
      assert.deepEqual(
        ["range", "mode"].map((name) => parametersOf(visitor).get(name)),
        ["24h", "test"],
      );
      const row = breakdown(visitor).getByRole("row", { name: /^NGN/ });
      await row.getByText("25.0%").waitFor();
      await row.getByRole("img", { name: /^Approval (by hour: )?25\.0% in / }).waitFor();
      await visitor.assertNoSidewaysScroll();
      await visitor.assertAccessible();
      await row.getByRole("link", { name: "NGN" }).click();
      await page.getByRole("button", { name: "Currency: NGN" }).waitFor();
      assert.equal(parametersOf(visitor).get("currency"), "NGN");
      // The page now breaks down by a column that is not filtered yet.
      const merchant = breakdown(visitor).getByRole("row", { name: /^demo_merchant/ });
      await merchant.getByText("25.0%").waitFor();
      await page.getByLabel("and by").selectOption("country");
      await breakdown(visitor).getByRole("cell", { name: "NG", exact: true }).waitFor();
      assert.equal(parametersOf(visitor).get("group_by"), "merchant_id,country");

      await merchant.getByRole("link", { name: "Decisions" }).click();
      await page.getByText("4 match, newest first").waitFor();
      const of = parametersOf(visitor);
      assert.deepEqual(
        ["merchant_id", "country", "currency", "range", "mode"].map((name) => of.get(name)),
        ["demo_merchant", "NG", "NGN", "24h", "test"],
      );
      await page.getByRole("link", { name: "order_NGN_0", exact: true }).waitFor();
      await visitor.assertAccessible();
      await page.getByRole("button", { name: "Country: NG" }).click();
      await page.getByRole("button", { name: "Country: NG" }).waitFor({ state: "detached" });
      assert.equal(parametersOf(visitor).has("country"), false);

      await page.goBack();
      await page.goBack();
      await breakdown(visitor).getByRole("cell", { name: "NG", exact: true }).waitFor();
      await page.reload();
      await page.getByRole("button", { name: "Currency: NGN" }).waitFor();
      await page.getByRole("button", { name: "Currency: NGN" }).click();
      await breakdown(visitor).waitFor();
      assert.equal(parametersOf(visitor).has("currency"), false);
      visitor.assertClean();
    });
  }

  it("DASH-46: a slice without a card network narrows, and leads to the log of exactly its decisions", async () => {
    const visitor = await visit(service, { token });
    const { page } = visitor;
    await visitor.open("/dashboard/analytics?range=24h&mode=test&currency=NGN&group_by=card_network");
    const none = breakdown(visitor).getByRole("row", { name: /^None/ });
    await none.getByRole("link", { name: "None" }).click();
    await page.getByRole("button", { name: "Card network: None" }).waitFor();
    assert.equal(parametersOf(visitor).get("card_network"), "-");
    const merchant = breakdown(visitor).getByRole("row", { name: /^demo_merchant/ });
    await merchant.getByText("25.0%").waitFor();
    await merchant.getByRole("link", { name: "Decisions" }).click();
    await page.getByText("4 match, newest first").waitFor();
    await page.getByRole("button", { name: "Card network: None" }).waitFor();
    visitor.assertClean();
  });

  it("DASH-37, DASH-38: an interval in the chosen zone is saved as a view, and a colleague opens it", async () => {
    const visitor = await visit(service, { token, width: 390, scheme: "dark", zone: "Asia/Kolkata" });
    const { page } = visitor;
    await visitor.open("/dashboard/analytics?mode=test&currency=NGN&range=24h");
    const fields = page.getByRole("form", { name: "Interval in Asia/Kolkata" });
    await fields.getByLabel("From").fill("2020-01-01T00:00");
    await fields.getByLabel("To").fill("2019-01-01T00:00");
    assert.equal(await fields.getByRole("button", { name: "Apply" }).isEnabled(), false);
    await fields.getByLabel("To").fill("");
    await fields.getByRole("button", { name: "Apply" }).click();
    await page.waitForURL(({ searchParams }) => searchParams.get("from") === "2019-12-31T18:30:00.000Z");
    assert.equal(parametersOf(visitor).has("range"), false);
    await breakdown(visitor)
      .getByRole("row", { name: /^demo_merchant/ })
      .getByText("25.0%")
      .waitFor();
    await page.getByRole("button", { name: "Saved views" }).click();
    await page.getByText("None yet.").waitFor();
    await page.getByLabel("Name of the view").fill("Naira");
    await page.getByRole("switch", { name: "Share it with the workspace" }).check();
    await page.getByRole("button", { name: "Save this view" }).click();
    await page.getByRole("link", { name: "Naira" }).waitFor();
    await visitor.assertAccessible();
    await visitor.assertNoSidewaysScroll();
    visitor.assertClean();

    const colleague = await visit(service, {
      token: (await signIn(service.pool, service.workspaceId, "developer")).token,
    });
    await colleague.open("/dashboard/analytics?mode=test");
    await breakdown(colleague).waitFor();
    await colleague.page.getByRole("button", { name: "Saved views" }).click();
    // A developer cannot delete a view that a colleague has shared.
    assert.equal(await colleague.page.getByRole("button", { name: "Delete Naira" }).count(), 0);
    await colleague.page.getByRole("link", { name: "Naira" }).click();
    await colleague.page.getByRole("button", { name: "Currency: NGN" }).waitFor();
    assert.deepEqual(parametersOf(colleague).get("from"), "2019-12-31T18:30:00.000Z");
    assert.equal(await colleague.page.getByRole("dialog").count(), 0);
    colleague.assertClean();

    await page.reload();
    await page.getByRole("button", { name: "Saved views" }).click();
    await page.getByRole("button", { name: "Delete Naira" }).click();
    await page.getByText("None yet.").waitFor();
    visitor.assertClean();
  });
});
