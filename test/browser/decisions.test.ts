import assert from "node:assert/strict";
import { afterEach, before, describe, it } from "node:test";
import { ROLES } from "../../src/domain/vocabulary/vocabulary.js";
import {
  closePages,
  SKIP_WITHOUT_BROWSER,
  visit,
  type Visit,
  type VisitOptions,
} from "../support/people/browser.js";
import {
  decideOrder,
  EXPLAINED_RULES,
  publishOver,
  reportOutcome,
  uploadPrices,
  type Decided,
} from "../support/load/explained-decisions.js";
import { signIn } from "../support/people/feedback.js";
import { eventually, startTestService, type RunningService } from "../support/service/service.js";

const OPTIONS = { skip: SKIP_WITHOUT_BROWSER };
const ORDERS = 30;

let service: RunningService;
const tokens = new Map<string, string>();
let nigerian: Decided;
let blocked: Decided;
let declined: Decided;
let priced: Decided;

afterEach(closePages);
before(async () => {
  if (SKIP_WITHOUT_BROWSER !== false) return;
  service = await startTestService({ RATE_LIMIT_PER_MINUTE: "0" });
  for (const role of ROLES) {
    tokens.set(role, (await signIn(service.pool, service.workspaceId, role)).token);
  }
  await publishOver(service, EXPLAINED_RULES);
  for (let order = 0; order < ORDERS; order++) {
    const decided = await decideOrder(service, `order_${order}`, {
      transaction: { customer_type: order % 10 === 0 ? "new" : "returning" },
      decision_mode: order < 10 ? "shadow" : "enforce",
    });
    if (order >= 8) continue;
    // Two shadow decisions with an outcome used another provider.
    const elsewhere = order < 2 ? { provider_used: "provider_5", outcome: "soft_declined" } : {};
    await reportOutcome(service, decided, elsewhere);
  }
  nigerian = await decideOrder(service, "order_ng", { transaction: { currency: "NGN", country: "NG" } });
  blocked = await decideOrder(service, "order_blocked", { transaction: { risk_score: 97 } });
  const within = { name: "Retries", when: {}, then: { type: "retry_within_scheme_rules" } };
  await publishOver(service, [...EXPLAINED_RULES, within]);
  declined = await decideOrder(service, "order_declined", {
    transaction: { card_network: "visa" },
    previous_attempt: { provider: "provider_1", outcome: "declined", provider_reason_code: "51" },
  });
  await uploadPrices(service);
  const cheapest = { name: "Cheapest", when: {}, then: { type: "optimize_for", mode: "cost" } };
  await publishOver(service, [...EXPLAINED_RULES, cheapest]);
  priced = await decideOrder(service, "order_priced");
});

async function open(path: string, role = "analyst", options: VisitOptions = {}): Promise<Visit> {
  const visitor = await visit(service, { ...options, token: tokens.get(role) ?? "" });
  await visitor.open(`/dashboard${path}${path.includes("?") ? "&" : "?"}mode=test`);
  return visitor;
}

const row = ({ page }: Visit, orderId: string) => page.getByRole("link", { name: orderId, exact: true });
const pathOf = ({ decision_id }: Decided): string => `/decisions/${decision_id}`;
const rulesOf = ({ page }: Visit) => page.getByRole("region", { name: /^Policy rules/ });

describe("a retry by the card scheme's rules, in a real browser", OPTIONS, () => {
  it("RTRY-18: shows the scheme's rule and the number of attempts", async () => {
    const visitor = await open(pathOf(declined));
    const retry = visitor.page.getByRole("region", { name: "Retry by the scheme’s rules" });
    await retry.getByText("Allowed", { exact: true }).waitFor();
    await retry.getByText("Visa 51: Not sufficient funds", { exact: true }).waitFor();
    await visitor.assertAccessible();
    visitor.assertClean();
  });
});

describe("decision log with filters and cursor paging, in a real browser", OPTIONS, () => {
  it("pages to older and newer decisions by cursor, and returns to the beginning at the newest", async () => {
    const visitor = await open("/decisions");
    const { page } = visitor;
    await row(visitor, "order_priced").waitFor();
    await page.getByText("1–25 of 34").waitFor();
    assert.ok(await page.getByRole("button", { name: "Newer decisions" }).isDisabled());
    await page.getByRole("button", { name: "Older decisions" }).click();
    await row(visitor, "order_0").waitFor();
    assert.match(page.url(), /starting_after=dec_/);
    assert.ok(await page.getByRole("button", { name: "Older decisions" }).isDisabled());
    await page.getByRole("button", { name: "Newer decisions" }).click();
    await row(visitor, "order_priced").waitFor();
    await page.getByText("1–25 of 34").waitFor();
    assert.equal(new URL(page.url()).search, "?mode=test");
    // A click anywhere on a row works.
    await page.getByRole("row").nth(1).click();
    await page.getByText("Send the payment to provider_2.").waitFor();
    visitor.assertClean();
  });

  it("filters are in the address: somebody else opens the same list, and the back button undoes them", async () => {
    const visitor = await open("/decisions");
    const { page } = visitor;
    await page.getByLabel("Instruction").selectOption("step_up");
    await page.getByLabel("Decision mode").selectOption("shadow");
    await page.getByLabel("Range").selectOption("24h");
    await page.getByText("1–1 of 1").waitFor();
    await row(visitor, "order_0").waitFor();
    const filtered = new URL(page.url()).search;
    assert.equal(filtered, "?mode=test&action=step_up&decision_mode=shadow&range=24h");
    await page.reload();
    await row(visitor, "order_0").waitFor();
    await page.getByLabel("Unresolved only").check();
    await page.getByText("No decision matches").waitFor();
    await page.goBack();
    await row(visitor, "order_0").waitFor();
    await page.getByRole("button", { name: "Clear filters" }).click();
    await page.getByRole("searchbox", { name: "Search" }).fill("order_ng");
    await page.keyboard.press("Enter");
    await page.getByText("1–1 of 1").waitFor();
    // The keyboard stops once at each row, and Enter opens it.
    await row(visitor, "order_ng").focus();
    await page.keyboard.press("Enter");
    await page.getByText("Send the payment to provider_2.").waitFor();
    assert.equal(new URL(page.url()).searchParams.get("open"), nigerian.decision_id);
    visitor.assertClean();
  });

  it("never shows rows of an earlier filter as matches when the service cannot answer", async () => {
    const visitor = await open("/decisions");
    const { page } = visitor;
    await row(visitor, "order_priced").waitFor();
    let letGo = (): void => undefined;
    const held = new Promise<void>((resolve) => (letGo = resolve));
    let refused = 0;
    await page.route("**/v1/decisions?*", async (route) => {
      await held;
      refused++;
      await route.fulfill({ status: 503, json: { statusCode: 503, message: "Not now", error: "x" } });
    });
    await page.getByLabel("Instruction").selectOption("block");
    // Until the first answer to the new filter arrives, the old rows stay and are marked as busy.
    await page.locator(".log-rows[aria-busy=true]").waitFor();
    assert.equal(await page.getByText(/ match, newest first$| of 34$/).count(), 0);
    assert.ok(await page.getByRole("button", { name: "Older decisions" }).isDisabled());
    letGo();
    await page.getByRole("heading", { name: "Temporarily unavailable" }).waitFor();
    await page.evaluate(`window.returned = [];
      new MutationObserver(() => {
        const { innerText } = document.querySelector(".log");
        if (/order_priced| match/.test(innerText)) window.returned.push(innerText);
      }).observe(document.querySelector(".log"), { subtree: true, childList: true, characterData: true })`);
    const before = refused;
    await eventually(async () => assert.ok(refused >= before + 2));
    await page.getByRole("heading", { name: "Temporarily unavailable" }).waitFor();
    assert.deepEqual(await page.evaluate("window.returned"), []);
    await page.unroute("**/v1/decisions?*");
    await page.getByText("1 match, newest first").waitFor();
    await row(visitor, "order_blocked").waitFor();
    visitor.assertClean();
  });

  it("says when the service cannot answer, and asks again on request", async () => {
    const visitor = await visit(service, { token: tokens.get("owner") ?? "" });
    const { page } = visitor;
    // The page also refreshes by itself. If it does so before the click, the button is gone.
    await eventually(async () => {
      await page.route("**/v1/decisions?*", (route) =>
        route.fulfill({ status: 503, json: { statusCode: 503, message: "Not now", error: "x" } }),
      );
      await visitor.open("/dashboard/decisions?mode=test");
      await page.getByRole("heading", { name: "Temporarily unavailable" }).waitFor();
      await page.unroute("**/v1/decisions?*");
      await page.getByRole("button", { name: "Try again" }).click({ timeout: 1000 });
    });
    await row(visitor, "order_priced").waitFor();
    visitor.assertClean();
  });
});

describe("a decision page that explains, in a real browser", OPTIONS, () => {
  it("shows the instruction in words, the scores, the other providers, and the version of the deciding rules", async () => {
    const visitor = await open(pathOf(nigerian));
    const { page } = visitor;
    await page
      .getByText(/^Send the payment to provider_2\. If that fails, provider_\d may take it\.$/)
      .waitFor();
    await page.getByText("A policy rule prefers this provider.").waitFor();
    await page.getByText("A policy rule excludes it.").waitFor();
    await page.getByText(/^Approved as the second option\. \d+\.\d\d points behind provider_2/).waitFor();
    assert.equal(await page.getByRole("list", { name: "Components of the score" }).count(), 3);
    await page.getByText("as of v1, which decided; v3 is live now").waitFor();
    const rules = rulesOf(visitor).getByRole("listitem");
    const excludes = rules.filter({ hasText: "No provider_3 in Nigeria" });
    await excludes.getByText("matched", { exact: true }).waitFor();
    await excludes.getByText("Needs country NG; it was NG.").waitFor();
    await page.getByText("binding", { exact: true }).waitFor();
    await rules
      .filter({ hasText: "Review large guest payments" })
      .getByText(/^Needs amount at least NGN.5,000\.00; it was NGN.1,299\.00\.$/)
      .waitFor();
    assert.equal(await rules.filter({ hasText: "Cheapest" }).count(), 0);
    visitor.assertClean();
  });

  it("DASH-3: shows the decisive value beside the reason, and the request as sent", async () => {
    const visitor = await open(pathOf(blocked));
    const { page } = visitor;
    const instruction = page.getByRole("region", { name: /^Instruction/ });
    await instruction.getByText("The risk score sent was 97; the threshold was 90.").waitFor();
    const advice = page.getByRole("region", { name: /^Risk/ });
    const codes = await advice.getByText(/^RISK_/).allTextContents();
    assert.ok(codes.length > 0);
    for (const code of codes) assert.equal(await instruction.getByText(code, { exact: true }).count(), 0);
    const request = page.getByRole("region", { name: /^Request/ });
    await request.getByText("order_blocked", { exact: true }).waitFor();
    await request.getByText("Risk score", { exact: true }).waitFor();
    await request.getByText("97", { exact: true }).waitFor();
    await visitor.assertAccessible();
    visitor.assertClean();
  });

  it("replays a decision identically", async () => {
    const visitor = await open(pathOf(priced), "developer");
    const { page } = visitor;
    await page.getByRole("button", { name: "Replay" }).click();
    await page.getByRole("status").getByText("Identical").waitFor();
    visitor.assertClean();
  });

  it("DASH-30: shows cost and value of deterministic-v2 decisions only", async () => {
    const visitor = await open(pathOf(priced));
    const cost = visitor.page.getByRole("region", { name: /^Cost and value/ });
    await cost.getByText("the lowest cost", { exact: true }).waitFor();
    // The cost of 1299.00 is 180 bps plus 0.30.
    assert.equal(await cost.getByText(/^USD.23\.68$/).count(), 2);
    await visitor.open(`/dashboard${pathOf(blocked)}?mode=test`);
    await visitor.page.getByText("Do not send this payment to any provider.").waitFor();
    assert.equal(await cost.count(), 0);
    visitor.assertClean();
  });

  it("copies an id", async () => {
    const visitor = await open(pathOf(blocked));
    await visitor.allowClipboard();
    // The page shows "Copied" only for a moment, so the test waits for it from the click on.
    await Promise.all([
      visitor.page.getByText("Copied").waitFor(),
      visitor.page.getByRole("button", { name: /^Copy the decision id/ }).click(),
    ]);
    assert.equal(await visitor.page.evaluate("navigator.clipboard.readText()"), blocked.decision_id);
    visitor.assertClean();
  });

  it("a decision of the other mode is not shown, but a link leads to it", async () => {
    const visitor = await visit(service, { token: tokens.get("analyst") ?? "" });
    await visitor.open(`/dashboard${pathOf(blocked)}`);
    await visitor.page.getByText("There is no such decision in live mode").waitFor();
    await visitor.page.getByRole("button", { name: "Look in test mode" }).click();
    await visitor.page.getByText("Do not send this payment to any provider.").waitFor();
    visitor.assertClean([404]);
  });
});

describe("AGG-6: GET /v1/decisions/shadow-report, in a real browser", OPTIONS, () => {
  it("compares the merchant's choices with the advice", async () => {
    const visitor = await open("/shadow-report?days=7");
    const { page } = visitor;
    const figures = page.locator(".figure-value");
    await page.getByText("8 with an outcome").waitFor();
    assert.deepEqual(await figures.allTextContents(), ["10", "75.0%", "100.0%", "0.0%"]);
    await page.getByText(/approved 100\.0 percentage points more often/).waitFor();
    await page.getByLabel("Window").selectOption("90");
    assert.match(page.url(), /days=90/);
    await page.getByRole("radio", { name: "Live" }).click();
    await page.getByText("No shadow decision in this window").waitFor();
    visitor.assertClean();
  });
});

describe("the decision pages for every role, scheme and width", OPTIONS, () => {
  const schemes = ["light", "dark", "light", "dark"] as const;
  for (const [at, role] of ROLES.entries()) {
    const options = { scheme: schemes[at] ?? "light", ...(at < 2 ? {} : { width: 360, height: 740 }) };
    it(`${role}, ${options.scheme}${at < 2 ? "" : " at 360 px"}: no accessibility violation, nothing moves`, async () => {
      for (const [path, text] of [
        ["/decisions", "order_priced"],
        [pathOf(priced), "Needs country NG; it was US."],
        ["/shadow-report", "8 with an outcome"],
      ] as const) {
        const visitor = await open(path, role, options);
        await visitor.page.getByText(text).first().waitFor();
        await visitor.assertAccessible();
        await visitor.assertNoSidewaysScroll();
        await visitor.assertSteady();
        visitor.assertClean();
        await visitor.close();
      }
    });
  }
});
