import assert from "node:assert/strict";
import { afterEach, before, describe, it } from "node:test";
import type { Role } from "../../src/domain/vocabulary/vocabulary.js";
import {
  closePages,
  SKIP_WITHOUT_BROWSER,
  visit,
  type Visit,
  type VisitOptions,
} from "../support/people/browser.js";
import { signIn } from "../support/people/feedback.js";
import { createKey, createWorkspace } from "../support/people/tenants.js";
import { decisionBody, send, type RunningService } from "../support/service/service.js";
import { sharedTestService } from "../support/service/shared-service.js";

const OPTIONS = { skip: SKIP_WITHOUT_BROWSER };

let service: RunningService;
let workspaceId: string;
let key: string;
afterEach(closePages);
before(async () => {
  if (SKIP_WITHOUT_BROWSER !== false) return;
  service = await sharedTestService();
  workspaceId = await createWorkspace(service);
  key = await createKey(service.pool, workspaceId, { mode: "live" });
});

const decide = (changes: Record<string, unknown> = {}) =>
  send(service, "POST", "/v1/decision", { key, body: decisionBody(changes) });

async function openRequests(role: Role, options: VisitOptions = {}): Promise<Visit> {
  const { token } = await signIn(service.pool, workspaceId, role);
  const visitor = await visit(service, { ...options, token });
  await visitor.open("/dashboard/requests?mode=live");
  await visitor.page.getByRole("heading", { level: 1, name: "Requests" }).waitFor();
  return visitor;
}

describe("the request log, in a real browser", OPTIONS, () => {
  it("DASH-22: requests appear by themselves, stand still while paused, and are filtered by status", async () => {
    const visitor = await openRequests("developer");
    const { page } = visitor;
    await page.getByRole("heading", { name: "No requests yet" }).waitFor();
    await visitor.assertAccessible();
    await decide();
    const rows = page.locator("tbody tr");
    await rows.first().waitFor();
    await page.getByRole("button", { name: "Pause" }).click();
    await page.getByText("paused", { exact: true }).waitFor();
    await decide({ order_id: "" });
    assert.equal(await rows.count(), 1);
    await page.getByRole("button", { name: "Follow again" }).click();
    const refused = page.getByRole("row", { name: /validation_error 400 order_id/ });
    await refused.waitFor();
    assert.equal(await rows.count(), 2);
    await visitor.assertAccessible();
    await page.getByRole("radio", { name: "Refused (4xx)" }).click();
    // DASH-10: the choice is in the address.
    await page.waitForURL(/status=4xx/);
    await refused.waitFor();
    await visitor.untilTrue("document.querySelectorAll('tbody tr').length === 1");
    await page.getByRole("radio", { name: "Failed (5xx)" }).click();
    await page.getByRole("heading", { name: "No request of this kind" }).waitFor();
    visitor.assertClean();
  });

  it("DASH-23: a row opens its details, which explain the error in words and link to the reference", async () => {
    const refusal = await decide({ order_id: "" });
    const visitor = await openRequests("owner", { width: 390 });
    const { page } = visitor;
    const refused = page.getByRole("row", { name: /validation_error/ }).first();
    await refused.getByRole("button", { name: "POST /v1/decision" }).click();
    const dialog = page.getByRole("dialog");
    await dialog.getByText("The request does not have the form that this route takes.").waitFor();
    assert.match(
      String(await dialog.textContent()),
      /order_id is too small, too short or empty\..*Code validation_error, issue too_small/,
    );
    await dialog.getByText(String(refusal.headers.get("x-request-id"))).waitFor();
    await visitor.assertAccessible();
    await visitor.assertNoSidewaysScroll();
    assert.equal(await dialog.getByRole("link", { name: "The API reference" }).getAttribute("href"), "/docs");
    await page.keyboard.press("Escape");
    await dialog.waitFor({ state: "hidden" });
    await visitor.assertAccessible();
    await visitor.assertNoSidewaysScroll();
    visitor.assertClean();
  });
});
