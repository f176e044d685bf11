import assert from "node:assert/strict";
import { afterEach, before, describe, it } from "node:test";
import { ROLES, type Role } from "../../src/domain/vocabulary/vocabulary.js";
import {
  closePages,
  SKIP_WITHOUT_BROWSER,
  visit,
  type Visit,
  type VisitOptions,
} from "../support/people/browser.js";
import { decideOrder, EXPLAINED_RULES, holdOrder, publishOver } from "../support/load/explained-decisions.js";
import { signIn } from "../support/people/feedback.js";
import { send, type RunningService } from "../support/service/service.js";
import { sharedTestService } from "../support/service/shared-service.js";
import { inOwnWorkspace } from "../support/people/tenants.js";

const OPTIONS = { skip: SKIP_WITHOUT_BROWSER };

let service: RunningService;
const tokens = new Map<Role, string>();
afterEach(closePages);
before(async () => {
  if (SKIP_WITHOUT_BROWSER !== false) return;
  service = await inOwnWorkspace(await sharedTestService());
  for (const role of ROLES) tokens.set(role, (await signIn(service.pool, service.workspaceId, role)).token);
  await publishOver(service, EXPLAINED_RULES);
});

async function openQueue(role: Role, options: VisitOptions = {}): Promise<Visit> {
  const visitor = await visit(service, { ...options, token: tokens.get(role) ?? "" });
  await visitor.open("/dashboard/reviews?mode=test");
  return visitor;
}

const card = ({ page }: Visit, orderId: string) => page.getByRole("listitem").filter({ hasText: orderId });
const reviewOf = async (decisionId: string): Promise<Record<string, unknown> | null> => {
  const { json } = await send(service, "GET", `/v1/decisions/${decisionId}`);
  return json["review"] as Record<string, unknown> | null;
};
const REVIEW = "**/v1/decisions/*/review?*";

describe("review queue with approve and reject, in a real browser", OPTIONS, () => {
  for (const role of ["owner", "admin", "analyst"] as const) {
    it(`${role} approves a held payment, with the keyboard alone`, async () => {
      const { decision_id } = await holdOrder(service, `order_of_${role}`);
      const visitor = await openQueue(role);
      const { page } = visitor;
      await page.getByRole("button", { name: `Approve order_of_${role}` }).focus();
      await page.keyboard.press("Enter");
      const dialog = page.getByRole("dialog", { name: "Approve this payment?" });
      await dialog.waitFor();
      await dialog.getByRole("button", { name: "Approve payment" }).focus();
      await page.keyboard.press("Enter");
      await page.getByRole("status").getByText(`Approved order_of_${role}`).waitFor();
      await card(visitor, `order_of_${role}`).waitFor({ state: "detached" });
      // The focus stays on the page after the focused button is gone.
      assert.match(String(await page.evaluate("document.activeElement.className")), /reviews-list/);
      assert.equal((await reviewOf(decision_id))?.["resolution"], "approve");
      visitor.assertClean();
    });
  }

  it("a rejection has a note, which the decision's page shows with the reviewer", async () => {
    const { decision_id } = await holdOrder(service, "order_rejected");
    const visitor = await openQueue("analyst");
    const { page } = visitor;
    await card(visitor, "order_rejected").getByRole("link").click();
    await page.getByText("Waits for a review").waitFor();
    await page.getByRole("button", { name: "Reject", exact: true }).click();
    await page.getByLabel("Note").fill(`${"x".repeat(495)}Card testing`);
    await visitor.assertAccessible();
    await page.getByRole("button", { name: "Reject payment" }).click();
    const outcome = page.getByRole("region", { name: "Outcome" });
    await outcome.getByText(/^Card |^x+Card$/).waitFor();
    await outcome.getByText("HOLD_REVIEW_REJECTED").waitFor();
    const review = await reviewOf(decision_id);
    // REV-1: a review note has at most 500 characters.
    assert.deepEqual(
      [review?.["resolution"], review?.["note"]],
      ["reject", `${"x".repeat(495)}Card `.trim()],
    );
    visitor.assertClean();
  });

  it("a resolved payment leaves the queue before the answer arrives", async () => {
    await holdOrder(service, "order_slow");
    const visitor = await openQueue("analyst");
    const { page } = visitor;
    let letGo = (): void => undefined;
    const held = new Promise<void>((resolve) => (letGo = resolve));
    await page.route(REVIEW, async (route) => {
      await held;
      await route.continue();
    });
    await page.getByRole("button", { name: "Approve order_slow" }).click();
    await page.getByRole("button", { name: "Approve payment" }).click();
    await card(visitor, "order_slow").waitFor({ state: "detached" });
    assert.equal(await page.getByText("Approved order_slow").count(), 0);
    letGo();
    await page.getByRole("status").getByText("Approved order_slow").waitFor();
    visitor.assertClean();
  });

  it("a 409 says that somebody was faster, and the payment stays away", async () => {
    const { decision_id } = await holdOrder(service, "order_raced");
    const visitor = await openQueue("owner");
    const { page } = visitor;
    await page.getByRole("button", { name: "Reject order_raced" }).click();
    const headers = { authorization: `Bearer ${tokens.get("admin") ?? ""}` };
    const body = { resolution: "approve" };
    const path = `/v1/decisions/${decision_id}/review?mode=test`;
    assert.equal((await send(service, "POST", path, { body, headers, key: null })).status, 200);
    await page.getByRole("button", { name: "Reject payment" }).click();
    await page
      .getByRole("status")
      .getByText("Somebody was faster: order_raced is resolved already.")
      .waitFor();
    await card(visitor, "order_raced").waitFor({ state: "detached" });
    assert.equal((await reviewOf(decision_id))?.["resolution"], "approve");
    visitor.assertClean([409]);
  });

  it("a payment that could not be resolved returns to the queue and says so", async () => {
    const { decision_id } = await holdOrder(service, "order_failed");
    const visitor = await openQueue("owner");
    const { page } = visitor;
    await page.route(REVIEW, (route) =>
      route.fulfill({ status: 503, json: { statusCode: 503, message: "Not now", error: "x" } }),
    );
    await page.getByRole("button", { name: "Approve order_failed" }).click();
    await page.getByRole("button", { name: "Approve payment" }).click();
    await page.getByRole("status").getByText("order_failed is still held: Not now").waitFor();
    await page.getByRole("button", { name: "Approve order_failed" }).waitFor();
    assert.equal(await reviewOf(decision_id), null);
    visitor.assertClean();
  });

  it("shows the known facts about a review without an answer, and does not claim to repeat it", async () => {
    await holdOrder(service, "order_lost");
    const visitor = await openQueue("owner");
    const { page } = visitor;
    await page.route(REVIEW, (route) => route.abort());
    await page.getByRole("button", { name: "Approve order_lost" }).click();
    await page.getByRole("button", { name: "Approve payment" }).click();
    await page
      .getByRole("status")
      .getByText(
        "order_lost may still be held: The service cannot be reached. As far as this page knows nothing was done: try again.",
      )
      .waitFor();
    await page.getByRole("button", { name: "Approve order_lost" }).waitFor();
    visitor.assertClean(["net::ERR_FAILED"]);
  });

  it("names the rule that holds the payment; if several matched, it does not pick one", async () => {
    await holdOrder(service, "order_of_one_rule");
    await decideOrder(service, "order_of_two_rules", {
      transaction: { amount: 1_250_000, customer_type: "guest", country: "KE" },
    });
    const visitor = await openQueue("analyst");
    await card(visitor, "order_of_one_rule").getByText("Held by “Review large guest payments”").waitFor();
    await card(visitor, "order_of_two_rules")
      .getByText(
        "Held by a policy rule. Rules that matched: “Review large guest payments”, “Lean towards provider_2”",
      )
      .waitFor();
    visitor.assertClean();
  });

  it("a developer reads the queue, cannot resolve payments, and sees why", async () => {
    await holdOrder(service, "order_read");
    const visitor = await openQueue("developer");
    const { page } = visitor;
    await card(visitor, "order_read").waitFor();
    await page.getByText(/^You may read this queue\. .* you are here as developer\.$/).waitFor();
    assert.equal(await page.getByRole("button", { name: /^(?:Approve|Reject)/ }).count(), 0);
    await card(visitor, "order_read").getByRole("link").click();
    await page.getByText("Owners, admins and analysts resolve reviews.").waitFor();
    assert.equal(await page.getByRole("button", { name: /^(?:Approve|Reject)/ }).count(), 0);
    visitor.assertClean();
  });

  it("live mode has a queue of its own", async () => {
    const visitor = await openQueue("owner");
    await visitor.page.getByRole("radio", { name: "Live" }).click();
    await visitor.page.getByText("Nothing waits for a review").waitFor();
    visitor.assertClean();
  });

  for (const [scheme, width] of [
    ["light", 1440],
    ["dark", 360],
  ] as const) {
    it(`no accessibility violation in the ${scheme} scheme at ${width} px, and nothing moves`, async () => {
      await holdOrder(service, "order_seen");
      const visitor = await openQueue("owner", { scheme, width });
      await card(visitor, "order_seen").first().waitFor();
      await visitor.assertAccessible();
      await visitor.assertNoSidewaysScroll();
      await visitor.assertSteady();
      visitor.assertClean();
    });
  }
});
