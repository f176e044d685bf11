import assert from "node:assert/strict";
import { afterEach, before, describe, it } from "node:test";
import type { Page } from "playwright-core";
import { ALERT_KIND_ROWS } from "../../src/domain/vocabulary/alert-kinds.js";
import type { HealthSnapshot } from "../../src/client/wire-types.js";
import { idToHex } from "../../src/domain/ids/ids.js";
import { ROLES, type Role } from "../../src/domain/vocabulary/vocabulary.js";
import {
  closePages,
  SKIP_WITHOUT_BROWSER,
  visit,
  type Visit,
  type VisitOptions,
} from "../support/people/browser.js";
import { signIn } from "../support/people/feedback.js";
import { decisionBody, eventually, send, type RunningService } from "../support/service/service.js";
import { sharedTestService } from "../support/service/shared-service.js";
import { inOwnWorkspace, newId } from "../support/people/tenants.js";

const OPTIONS = { skip: SKIP_WITHOUT_BROWSER };
const DECISIONS = 12;
const SEGMENT = "provider_2:card:EUR";

let service: RunningService;
afterEach(closePages);
before(async () => {
  if (SKIP_WITHOUT_BROWSER !== false) return;
  service = await inOwnWorkspace(await sharedTestService());
  for (let order = 0; order < DECISIONS; order++) await decide(order);
});

async function decide(order: number): Promise<void> {
  const body = decisionBody({ order_id: `order_${order}` });
  assert.equal((await send(service, "POST", "/v1/decision", { body })).status, 200);
}

/** Opens an alert in the workspace's own test mode, as a change of a health state would. */
async function openAlert(segmentKey: string): Promise<string> {
  const alertId = newId("alr");
  await service.pool.query(
    `insert into alerts (workspace_id, kind, alert_id, mode, severity, provider, segment_key, reason_code, opened_at,
       confirmed_at)
     values ($1, ${ALERT_KIND_ROWS.workspace_health.code}, $2, 0, 1, $3, $4, 'CIRCUIT_OPEN', now(), now() + interval '1 hour')`,
    [idToHex(service.workspaceId), idToHex(alertId), segmentKey.split(":")[0], segmentKey],
  );
  return alertId;
}

/** Opens the overview in test mode, which has the demo's decisions. Resolves once everything on it is loaded. */
async function openOverview(role: Role, options: VisitOptions = {}): Promise<Visit> {
  const { token } = await signIn(service.pool, service.workspaceId, role);
  const visitor = await visit(service, { ...options, token });
  await visitor.open("/dashboard?mode=test");
  await visitor.page.getByRole("button", { name: /^provider_1 USD: / }).waitFor();
  await visitor.page
    .getByRole("region", { name: "Table: Newest decisions" })
    .locator("tbody tr")
    .nth(7)
    .waitFor();
  return visitor;
}

/** Changes the service's health snapshots on their way to the page. */
async function editHealth(page: Page, edit: (snapshot: HealthSnapshot) => HealthSnapshot): Promise<void> {
  await page.route("**/v1/provider-health?*", async (route) => {
    const response = await route.fetch();
    const { providers } = (await response.json()) as { providers: HealthSnapshot[] };
    await route.fulfill({ response, json: { providers: providers.map(edit) } });
  });
}

/** Resolves to the first figure once the page shows it. */
async function firstFigure(page: Page): Promise<number> {
  const figure = page.locator(".figure-value").first();
  await figure.filter({ hasText: /\d/ }).waitFor();
  return Number(await figure.textContent());
}

describe("the live overview, in a real browser", OPTIONS, () => {
  for (const role of ROLES) {
    it(`shows every figure to ${role}`, async () => {
      const visitor = await openOverview(role);
      const { page } = visitor;
      for (const name of ["Decisions", "Approval rate", "Outcomes reported", "Latency p95"]) {
        await page.locator("dt", { hasText: name }).first().waitFor();
      }
      const total = await firstFigure(page);
      assert.ok(total >= DECISIONS, String(total));
      for (const name of [
        "Decisions per second",
        "Instructions",
        "Volume and approval",
        "Latency",
        "Provider health",
        "Alerts",
        "Newest decisions",
      ]) {
        await page.getByRole("heading", { level: 2, name, exact: true }).waitFor();
      }
      await page.getByText(role, { exact: true }).waitFor();
      visitor.assertClean();
    });
  }

  it("follows new decisions by itself, and shows their rate a second", async () => {
    const visitor = await openOverview("owner");
    await decide(1000);
    await visitor.page.getByText(/^\d+(\.\d)? per second now$/).waitFor();
    await visitor.page.getByRole("img", { name: /^Decisions per second/ }).waitFor({ timeout: 60_000 });
    visitor.assertClean();
  });

  it("keeps live and test apart, and says which mode it shows", async () => {
    const visitor = await openOverview("owner");
    const { page } = visitor;
    await page.getByText(/^Test mode:/).waitFor();
    await page.getByRole("radio", { name: "Live" }).click();
    await page.getByText("No decision yet").waitFor();
    assert.equal(await page.getByText(/^Test mode:/).count(), 0);
    assert.equal(new URL(page.url()).search, "?mode=live");
    assert.equal(await firstFigure(page), 0);
    visitor.assertClean();
  });

  it("shows a segment's measurements, and returns the focus", async () => {
    const visitor = await openOverview("analyst");
    const { page } = visitor;
    const cell = page.getByRole("button", { name: /^provider_1 USD: / });
    await cell.focus();
    await page.keyboard.press("Enter");
    const dialog = page.getByRole("dialog", { name: "provider_1 · Card · USD" });
    await dialog.getByText("Usual approval rate").waitFor();
    await visitor.assertAccessible();
    await page.keyboard.press("Escape");
    await dialog.waitFor({ state: "hidden" });
    assert.match(String(await page.evaluate("document.activeElement.textContent")), /^provider_1 USD: /);
    visitor.assertClean();
  });

  it("an analyst acknowledges an alert, and the alert keeps the analyst's name", async () => {
    const alertId = await openAlert(SEGMENT);
    const visitor = await openOverview("analyst");
    const { page } = visitor;
    await page.getByRole("button", { name: `Acknowledge ${SEGMENT}` }).click();
    await page.getByRole("status").getByText(`Acknowledged ${SEGMENT}`).waitFor();
    await page.getByRole("button", { name: `Acknowledge ${SEGMENT}` }).waitFor({ state: "detached" });
    const { rowCount } = await service.pool.query(
      "select 1 from alert_acknowledgements where workspace_id = $1 and alert_id = $2",
      [idToHex(service.workspaceId), idToHex(alertId)],
    );
    assert.equal(rowCount, 1);
    visitor.assertClean();
  });

  it("a developer reads alerts but cannot acknowledge them", async () => {
    await openAlert("provider_4:wallet:USD");
    const visitor = await openOverview("developer");
    await visitor.page.getByText("provider_4:wallet:USD").waitFor();
    assert.equal(await visitor.page.getByRole("button", { name: /^Acknowledge/ }).count(), 0);
    visitor.assertClean();
  });

  for (const scheme of ["light", "dark"] as const) {
    it(`has no accessibility violation in the ${scheme} scheme`, async () => {
      const visitor = await openOverview("owner", { scheme });
      await visitor.assertAccessible();
      visitor.assertClean();
    });

    it(`fits into 360 px in the ${scheme} scheme, and a button opens its navigation`, async () => {
      const visitor = await openOverview("owner", { scheme, width: 360, height: 740 });
      const { page } = visitor;
      await visitor.assertNoSidewaysScroll();
      await visitor.assertAccessible();
      assert.equal(await page.getByRole("link", { name: "Overview" }).isVisible(), false);
      await page.getByRole("button", { name: "Menu" }).click();
      await page.getByRole("link", { name: "Overview" }).waitFor();
      await visitor.assertAccessible();
      await page.keyboard.press("Escape");
      await page.getByRole("link", { name: "Overview" }).waitFor({ state: "hidden" });
      visitor.assertClean();
    });
  }

  it("the chosen theme overrides the system's and survives a reload", async () => {
    const visitor = await openOverview("owner", { scheme: "light" });
    const ground = (): Promise<unknown> =>
      visitor.page.evaluate("getComputedStyle(document.body).backgroundColor");
    const light = await ground();
    await visitor.page.getByRole("button", { name: "Use the dark theme" }).click();
    const dark = await ground();
    assert.notEqual(dark, light);
    await visitor.page.reload();
    await visitor.page.getByRole("button", { name: "Use the light theme" }).waitFor();
    assert.equal(await ground(), dark);
    visitor.assertClean();
  });

  it("causes no layout shift while it loads", async () => {
    for (const width of [1440, 800, 360]) {
      const visitor = await openOverview("owner", { width });
      await visitor.assertSteady();
    }
  });

  it("works with the keyboard alone, and the focus is always visible", async () => {
    const visitor = await openOverview("owner");
    const { page } = visitor;
    const names: string[] = [];
    const places = await page.getByRole("navigation", { name: "Pages" }).getByRole("link").allTextContents();
    const person = await page.getByRole("link", { name: "Account" }).textContent();
    for (let step = 0; step < places.length + 10; step++) {
      await page.keyboard.press("Tab");
      const [name, outline] = (await page.evaluate(
        "[document.activeElement.ariaLabel ?? document.activeElement.textContent, getComputedStyle(document.activeElement).outlineStyle]",
      )) as [string, string];
      assert.equal(outline, "solid", `the focus on ${name} is in sight`);
      names.push(name);
    }
    assert.equal(places[0], "Overview");
    assert.deepEqual(names.slice(0, places.length + 7), [
      "Skip to the page",
      ...places,
      "Time zone",
      person,
      "Sign out",
      "Test",
      "Use the dark theme",
      "Dismiss",
    ]);
    await page.getByRole("tab", { name: "Card" }).focus();
    await page.keyboard.press("ArrowRight");
    assert.equal(await page.getByRole("tab", { name: "Wallet" }).getAttribute("aria-selected"), "true");
    await page.keyboard.press("End");
    assert.equal(await page.getByRole("tab", { name: "Mobile money" }).getAttribute("aria-selected"), "true");
    visitor.assertClean();
  });

  it("while the service is gone it says that its data is not live, and from when it is, until an answer arrives", async () => {
    const visitor = await openOverview("owner");
    const { page, context } = visitor;
    const notice = page.getByRole("status").getByText("The service cannot be reached");
    assert.equal(await notice.count(), 0);
    await context.setOffline(true);
    await notice.waitFor();
    // The page shows one notice, and the panels show none of their own. The old data stays.
    assert.equal(await notice.count(), 1);
    await page.getByText(/It is as of \d\d:\d\d:\d\d, and asked for again by itself\./).waitFor();
    await page.getByRole("button", { name: /^provider_1 USD: / }).waitFor();
    await visitor.assertAccessible();
    await context.setOffline(false);
    await notice.waitFor({ state: "detached" });
    visitor.assertClean(["net::ERR_INTERNET_DISCONNECTED"]);
  });

  it("says so of a service that accepts requests but answers none", async () => {
    const visitor = await openOverview("owner");
    const { page } = visitor;
    const notice = page.getByRole("status").getByText("The service cannot be reached");
    // The route is never fulfilled, so no answer arrives.
    await page.route("**/v1/provider-health?*", () => undefined);
    await notice.waitFor();
    await page.unroute("**/v1/provider-health?*");
    await notice.waitFor({ state: "detached" });
    visitor.assertClean();
  });

  it("says so when a single answer fails, too", async () => {
    const visitor = await openOverview("owner");
    const { page } = visitor;
    const notice = page.getByRole("status").getByText("not all that is shown here is live");
    await page.route("**/v1/provider-health?*", (route) =>
      route.fulfill({ status: 503, json: { statusCode: 503, message: "Not now", error: "x" } }),
    );
    await notice.waitFor();
    await page.unroute("**/v1/provider-health?*");
    await notice.waitFor({ state: "detached" });
    visitor.assertClean();
  });

  it("an incident reported by a provider opens no alert, and the page names the incident and the reason", async () => {
    const { token } = await signIn(service.pool, service.workspaceId, "owner");
    const visitor = await visit(service, { token });
    const { page } = visitor;
    await page.route("**/v1/alerts?*", (route) => route.fulfill({ json: { alerts: [] } }));
    await editHealth(page, (snapshot) =>
      snapshot.provider === "provider_2"
        ? { ...snapshot, state: "degraded", reason_codes: ["PROVIDER_2_INCIDENT_REPORTED"] }
        : snapshot,
    );
    await visitor.open("/dashboard?mode=test");
    const alerts = page.getByRole("region", { name: /^Alerts/ });
    await alerts
      .getByText(
        "An alert opens when probes or your own outcomes find a segment degraded or worse, and when approvals fall, payments fail, or issuers decline.",
      )
      .waitFor();
    await alerts
      .getByText(/webhooks report .* without one\. provider_2 has reported an incident\.$/)
      .waitFor();
    visitor.assertClean();
  });

  for (const width of [390, 768, 1024, 1440]) {
    it(`every state is inside its own cell at ${width} px`, async () => {
      const { token } = await signIn(service.pool, service.workspaceId, "owner");
      const visitor = await visit(service, { token, width });
      const { page } = visitor;
      await editHealth(page, (snapshot) => ({ ...snapshot, state: "unavailable", score: 99 }));
      await visitor.open("/dashboard?mode=test");
      await page.getByRole("button", { name: "provider_1 USD: 99 unavailable" }).waitFor();
      const cramped = await page.evaluate(`[...document.querySelectorAll(".segment-state")].filter((word) =>
        word.scrollWidth > word.clientWidth ||
        word.getBoundingClientRect().right > word.closest("td").getBoundingClientRect().right).length`);
      assert.equal(cramped, 0);
      await visitor.assertNoSidewaysScroll();
      visitor.assertClean();
    });
  }

  it("names the part that it cannot load, and loads it on request", async () => {
    const { token } = await signIn(service.pool, service.workspaceId, "owner");
    const visitor = await visit(service, { token });
    // The page also refreshes by itself. If it does so before the click, the button is gone.
    await eventually(async () => {
      await visitor.page.route("**/v1/provider-health?*", (route) =>
        route.fulfill({ status: 503, json: { statusCode: 503, message: "Not now", error: "x" } }),
      );
      await visitor.open("/dashboard?mode=test");
      await visitor.page.getByRole("alert").getByText("Not now").waitFor();
      await visitor.assertAccessible();
      await visitor.page.unroute("**/v1/provider-health?*");
      await visitor.page.getByRole("button", { name: "Try again" }).click({ timeout: 1000 });
    });
    await visitor.page.getByRole("button", { name: /^provider_1 USD: / }).waitFor();
    visitor.assertClean();
  });
});
