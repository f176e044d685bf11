import assert from "node:assert/strict";
import { afterEach, before, beforeEach, describe, it } from "node:test";
import type { Role } from "../../src/domain/vocabulary/vocabulary.js";
import { closePages, SKIP_WITHOUT_BROWSER, visit, type Visit } from "../support/people/browser.js";
import { EXPLAINED_RULES, holdOrder, publishOver } from "../support/load/explained-decisions.js";
import { openDashboard } from "../support/people/dashboard.js";
import { signIn } from "../support/people/feedback.js";
import { send, type RunningService } from "../support/service/service.js";
import { sharedTestService } from "../support/service/shared-service.js";
import { inOwnWorkspace } from "../support/people/tenants.js";

const OPTIONS = { skip: SKIP_WITHOUT_BROWSER };
const MINUTE_MS = 60_000;

let shared: RunningService;
let service: RunningService;
afterEach(closePages);
before(async () => {
  if (SKIP_WITHOUT_BROWSER !== false) return;
  shared = await sharedTestService();
});
beforeEach(async () => {
  if (SKIP_WITHOUT_BROWSER !== false) return;
  service = await inOwnWorkspace(shared);
  await publishOver(service, EXPLAINED_RULES);
});

async function openQueue(role: Role, laterMs = 0, width = 1440): Promise<Visit> {
  const { token } = await signIn(service.pool, service.workspaceId, role);
  const visitor = await visit(service, { token, width });
  if (laterMs > 0) await visitor.context.clock.setFixedTime(Date.now() + laterMs);
  await visitor.open("/dashboard/reviews?mode=test");
  await visitor.page.getByRole("list", { name: "Held payments" }).waitFor();
  return visitor;
}

/** Makes held orders in sequence, oldest first. */
async function hold(count: number): Promise<string[]> {
  const ids: string[] = [];
  for (let order = 1; order <= count; order++) {
    const { decision_id } = await holdOrder(service, `order_${String(order).padStart(2, "0")}`);
    ids.push(decision_id);
  }
  return ids;
}

const reviewOf = async (decisionId: string): Promise<Record<string, unknown> | null> => {
  const { json } = await send(service, "GET", `/v1/decisions/${decisionId}`);
  return json["review"] as Record<string, unknown> | null;
};
const resolutions = async (ids: readonly string[]): Promise<unknown[]> =>
  Promise.all(ids.map(async (id) => (await reviewOf(id))?.["resolution"] ?? null));
const orders = ({ page }: Visit): Promise<string[]> => page.locator(".review-card-order a").allTextContents();
const focused = ({ page }: Visit): Promise<unknown> =>
  page.evaluate("document.activeElement.querySelector('a')?.textContent");

describe("reviews with the keyboard, in a real browser", OPTIONS, () => {
  it("REV-15: ten payments are approved with four keystrokes, and by one request", async () => {
    const ids = await hold(10);
    const visitor = await openQueue("analyst");
    const { page } = visitor;
    let keystrokes = 0;
    const sent: string[] = [];
    page.on("request", (request) => {
      if (request.method() === "POST") sent.push(new URL(request.url()).pathname);
    });
    const press = async (...keys: string[]): Promise<void> => {
      for (const key of keys) {
        // Typing a capital letter takes two keys.
        keystrokes += key.length === 1 && key !== key.toLowerCase() ? 2 : 1;
        await page.keyboard.press(key);
      }
    };
    await press("X", "a");
    await page.getByRole("dialog", { name: "Approve 10 payments?" }).waitFor();
    await visitor.assertAccessible();
    await press("Enter");
    await page.getByRole("status").getByText("Approved 10 payments").waitFor();
    await page.getByText("Nothing waits for a review").waitFor();
    assert.ok(keystrokes <= 15, `${keystrokes} keystrokes`);
    assert.equal(keystrokes, 4);
    assert.deepEqual(sent, ["/v1/decisions/reviews"]);
    assert.deepEqual(
      await resolutions(ids),
      ids.map(() => "approve"),
    );
    visitor.assertClean();
  });

  it("REV-14, REV-15: the oldest comes first, and keys move, select, reject with a note and open", async () => {
    const ids = await hold(3);
    const visitor = await openQueue("owner");
    const { page } = visitor;
    assert.deepEqual(await orders(visitor), ["order_01", "order_02", "order_03"]);
    // Before a key has selected a payment, there is nothing to approve.
    await page.keyboard.press("a");
    assert.equal(await page.getByRole("dialog").count(), 0);
    for (const key of ["j", "j", "j", "j", "k"]) await page.keyboard.press(key);
    assert.equal(await focused(visitor), "order_02");
    await page.keyboard.press("x");
    await page.getByText("1 selected").waitFor();
    await page.keyboard.press("j");
    await page.keyboard.press("x");
    await page.getByText("2 selected").waitFor();
    await page.keyboard.press("x");
    await page.getByText("1 selected").waitFor();
    await page.keyboard.press("r");
    await page.getByRole("dialog", { name: "Reject this payment?" }).waitFor();
    // The keys of the page do not apply to text typed into the note.
    await page.keyboard.type("jax");
    assert.equal(await page.getByLabel("Note").inputValue(), "jax");
    await page.getByRole("button", { name: "Reject payment" }).click();
    await page.getByRole("status").getByText("Rejected order_02").waitFor();
    assert.deepEqual(await resolutions(ids), [null, "reject", null]);
    assert.equal((await reviewOf(ids[1] ?? ""))?.["note"], "jax");

    await page.keyboard.press("?");
    await page.getByRole("dialog", { name: "Keys of this page" }).waitFor();
    await visitor.assertAccessible();
    await page.keyboard.press("Escape");
    await page.keyboard.press("k");
    await page.keyboard.press("k");
    await page.keyboard.press("Enter");
    await page.getByRole("heading", { level: 1, name: "Decision" }).waitFor();
    assert.match(page.url(), new RegExp(`/decisions/${ids[0] ?? ""}\\?mode=test$`));
    visitor.assertClean();
  });

  it("REV-15: in a group, decisions that another person resolved are reported, and the rest are resolved", async () => {
    const ids = await hold(3);
    const visitor = await openQueue("admin");
    const { page } = visitor;
    await page.getByLabel("Select all of this page").check();
    await page.getByRole("button", { name: "Reject selected" }).click();
    const other = await openDashboard(service, service.workspaceId);
    const path = `/v1/decisions/${ids[0] ?? ""}/review?mode=test`;
    assert.equal((await other.request("POST", path, { resolution: "approve" })).status, 200);
    await page.getByRole("button", { name: /^Reject \d payments$/ }).click();
    await page.getByRole("status").getByText("Rejected 2 payments. 1 could not be resolved").waitFor();
    assert.deepEqual(await resolutions(ids), ["approve", "reject", "reject"]);
    visitor.assertClean();
  });

  it("REV-14: a payment is due, and overdue after 15 minutes", async () => {
    await hold(1);
    const inTime = await openQueue("analyst");
    await inTime.page.getByText(/^Due in /).waitFor();
    const late = await openQueue("analyst", 20 * MINUTE_MS, 390);
    await late.page.getByText(/^Overdue, was due /).waitFor();
    await late.assertAccessible();
    await late.assertNoSidewaysScroll();
    late.assertClean();
  });

  it("REV-16: the history shows the person, the resolution and the reason", async () => {
    const [first, second] = await hold(3);
    const owner = await openDashboard(service, service.workspaceId);
    const resolve = (id = "", body: object) =>
      owner.request("POST", `/v1/decisions/${id}/review?mode=test`, body);
    await resolve(first, { resolution: "approve" });
    await resolve(second, { resolution: "reject", note: "Card testing" });
    const visitor = await openQueue("developer");
    const { page } = visitor;
    await page.getByRole("radio", { name: "History" }).click();
    const row = (order: string) => page.getByRole("row", { name: new RegExp(order) });
    await row("order_01").getByText("Approved").waitFor();
    await row("order_02").getByText("Rejected").waitFor();
    await row("order_02").getByText("Card testing").waitFor();
    await row("order_03").getByText("Waits for a review").waitFor();
    assert.match(String(await row("order_03").textContent()), /nobody/);
    assert.doesNotMatch(String(await row("order_02").textContent()), /nobody|former member/);
    // DASH-10: the view is in the address.
    await page.reload();
    await row("order_01").waitFor();
    await visitor.assertAccessible();
    // A developer's keys change nothing.
    await page.getByRole("radio", { name: "Waiting" }).click();
    await page.getByText("order_03").waitFor();
    for (const key of ["j", "x", "a", "r"]) await page.keyboard.press(key);
    assert.equal(await page.getByRole("dialog").count(), 0);
    visitor.assertClean();
  });
});
