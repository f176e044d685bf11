import assert from "node:assert/strict";
import { afterEach, before, describe, it } from "node:test";
import type { Role } from "../../src/domain/vocabulary/vocabulary.js";
import { closePages, SKIP_WITHOUT_BROWSER, visit, type Visit } from "../support/people/browser.js";
import { openDashboard, type Dashboard } from "../support/people/dashboard.js";
import { reportOutcomes, signIn } from "../support/people/feedback.js";
import { createKey, createWorkspace } from "../support/people/tenants.js";
import {
  decisionBody,
  PROBED_AS_DELIVERED,
  send,
  startTestService,
  type RunningService,
} from "../support/service/service.js";

const OPTIONS = { skip: SKIP_WITHOUT_BROWSER };
const HOUR_MS = 3_600_000;

let service: RunningService;
afterEach(closePages);
before(async () => {
  if (SKIP_WITHOUT_BROWSER !== false) return;
  service = await startTestService({ ...PROBED_AS_DELIVERED });
});

async function openAs(
  workspaceId: string,
  role: Role,
  path: string,
  width = 1440,
  prepare?: (visitor: Visit) => Promise<void>,
): Promise<Visit> {
  const { token } = await signIn(service.pool, workspaceId, role);
  const visitor = await visit(service, { token, width });
  await prepare?.(visitor);
  await visitor.open(`/dashboard${path}`);
  return visitor;
}

const WATCH_FORMER_MEMBERS = `window.hasSeenFormerMember = false;
new MutationObserver(() => {
  window.hasSeenFormerMember ||= document.body?.textContent.includes("a former member") ?? false;
}).observe(document, { subtree: true, childList: true, characterData: true });`;

/**
 * Delays the team's names until the list of drills has arrived. Watches whether the page shows members as former
 * members in that time.
 */
async function holdTeamBack({ context, page }: Visit): Promise<void> {
  await context.addInitScript({ content: WATCH_FORMER_MEMBERS });
  const listed = page.waitForResponse((response) => response.url().includes("/provider-overrides/history?"));
  await page.route("**/v1/team", async (route) => {
    await (await listed).finished();
    await page.evaluate("new Promise((shown) => requestAnimationFrame(() => requestAnimationFrame(shown)))");
    await route.continue();
  });
}

const notice = ({ page }: Visit) => page.getByRole("region", { name: "Drills under way" });
const auditOf = async (owner: Dashboard): Promise<Record<string, unknown>[]> => {
  const { json } = await owner.get("/v1/admin/audit-log?page_size=100");
  return (json["entries"] as { action: string; metadata: Record<string, unknown> }[])
    .filter(({ action }) => action.startsWith("provider_override."))
    .map(({ metadata }) => metadata);
};

describe("drills, in a real browser", OPTIONS, () => {
  it("DASH-18: a drill begins in test mode and for an hour, and every page says so until its button ends it", async () => {
    const workspaceId = await createWorkspace(service);
    const owner = await openDashboard(service, workspaceId);
    const visitor = await openAs(workspaceId, "owner", "/drills?mode=test");
    const { page } = visitor;
    await page.getByText("No drill was held in test mode yet").waitFor();
    await page.getByLabel("Provider", { exact: true }).selectOption("provider_2");
    const beganMs = Date.now();
    await page.getByRole("button", { name: "Start the drill" }).click();
    // A drill in test mode needs no confirmation.
    await notice(visitor)
      .getByText(/provider_2 is seen as unavailable, everywhere, in test mode, by /)
      .waitFor();
    const [began] = await auditOf(owner);
    assert.deepEqual([began?.["mode"], began?.["state"]], ["test", "unavailable"]);
    const endsMs = Date.parse(String(began?.["expires_at"]));
    assert.ok(endsMs >= beganMs + HOUR_MS && endsMs <= Date.now() + HOUR_MS, String(began?.["expires_at"]));
    // Every page shows the notice, but only in the drill's mode.
    await page.getByRole("navigation", { name: "Pages" }).getByRole("link", { name: "Settings" }).click();
    await page.getByRole("heading", { level: 1, name: "Settings" }).waitFor();
    await notice(visitor).getByText("it ends").waitFor();
    await visitor.assertAccessible();
    await page.getByRole("radio", { name: "Live" }).click();
    await notice(visitor).waitFor({ state: "detached" });
    await page.getByRole("radio", { name: "Test" }).click();
    await notice(visitor)
      .getByRole("button", { name: /^End the drill of provider_2/ })
      .click();
    await notice(visitor).waitFor({ state: "detached" });
    assert.deepEqual(
      (await auditOf(owner)).map(({ state }) => state),
      [null, "unavailable"],
    );
    visitor.assertClean();
  });

  it("DASH-18: a drill on live payments begins once the provider's name is typed", async () => {
    const workspaceId = await createWorkspace(service);
    const owner = await openDashboard(service, workspaceId);
    const visitor = await openAs(workspaceId, "admin", "/drills");
    const { page } = visitor;
    await page.getByLabel("Provider", { exact: true }).selectOption("provider_3");
    await page.getByLabel("Holds in").selectOption("Live");
    await page.getByLabel("Ends").selectOption("When somebody ends it");
    await page.getByRole("button", { name: "Start the drill" }).click();
    const confirm = page.getByRole("button", { name: "Start the live drill" });
    await visitor.assertAccessible();
    await page.getByLabel(/^Type .* to confirm$/).fill("provider_2");
    assert.equal(await confirm.isEnabled(), false);
    assert.deepEqual(await auditOf(owner), []);
    await page.getByLabel(/^Type .* to confirm$/).fill("provider_3");
    await confirm.click();
    await notice(visitor)
      .getByText(/in live mode.*it ends when somebody ends it/)
      .waitFor();
    const [began] = await auditOf(owner);
    assert.deepEqual([began?.["mode"], began?.["expires_at"]], ["live", undefined]);
    visitor.assertClean();
  });

  it("DASH-18: others see that a drill holds, and cannot end it; a narrow window shows all of it", async () => {
    const workspaceId = await createWorkspace(service);
    const owner = await openDashboard(service, workspaceId);
    await owner.request("PUT", "/v1/admin/provider-overrides/provider_2", { state: "degraded" });
    const visitor = await openAs(workspaceId, "analyst", "/decisions", 390);
    await notice(visitor)
      .getByText(/A drill holds in live mode: provider_2/)
      .waitFor();
    assert.equal(await notice(visitor).getByRole("button").count(), 0);
    await visitor.assertAccessible();
    await visitor.assertNoSidewaysScroll();
    await visitor.assertSteady();
    visitor.assertClean();
  });

  it("DASH-19, DASH-41: past drills say who began and ended them, and what they did to traffic", async () => {
    const workspaceId = await createWorkspace(service);
    const owner = await openDashboard(service, workspaceId);
    const key = await createKey(service.pool, workspaceId);
    const path = "/v1/admin/provider-overrides/provider_2";
    await owner.request("PUT", path, { state: "unavailable", payment_method: "card", mode: "test" });
    const { json } = await send(service, "POST", "/v1/decision", { body: decisionBody(), key });
    const outcome = { outcome: "approved", providerUsed: "provider_1" } as const;
    await reportOutcomes(service, workspaceId, key, new Map([[String(json["decision_id"]), outcome]]));
    await owner.request("PUT", path, { state: null, payment_method: "card", mode: "test" });
    const visitor = await openAs(workspaceId, "owner", "/drills?mode=test", 390, holdTeamBack);
    const past = visitor.page.getByRole("region", { name: "Past drills", exact: true });
    const row = past.getByRole("row", { name: /provider_2.*card payments, in test mode.*Unavailable/ });
    await row.waitFor();
    const text = (await row.textContent()) ?? "";
    // The mock providers decide which provider the decisions before the drill went to.
    assert.match(text, /by .+by .+0 of 1 decisionsbefore: \d+ of \d+100(\.0)?\s?% of 1before: none known/);
    assert.equal(await visitor.page.evaluate("window.hasSeenFormerMember"), false);
    await visitor.assertAccessible();
    await visitor.assertNoSidewaysScroll();
    await visitor.assertSteady();
    await visitor.page.getByRole("radio", { name: "Live" }).click();
    await past.getByText("No drill was held in live mode yet").waitFor();
    // Nothing on the page moves when the mode changes.
    await visitor.assertSteady();
    visitor.assertClean();
  });
});
