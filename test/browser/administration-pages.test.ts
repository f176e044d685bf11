import assert from "node:assert/strict";
import { afterEach, before, describe, it } from "node:test";
import { ROLES, type Role } from "../../src/domain/vocabulary/vocabulary.js";
import { login, personOf } from "../support/people/accounts.js";
import { closePages, SKIP_WITHOUT_BROWSER, visit, type Visit } from "../support/people/browser.js";
import { openDashboard } from "../support/people/dashboard.js";
import { signIn } from "../support/people/feedback.js";
import { WEBHOOK_SECRET_KEY } from "../support/service/webhooks.js";
import {
  decisionBody,
  eventually,
  send,
  startTestService,
  type RunningService,
} from "../support/service/service.js";

const OPTIONS = { skip: SKIP_WITHOUT_BROWSER };
const ADMIN_EMAIL = "root@pay.example";
const ADMIN_PASSWORD = "platform password";

const EDITORS: readonly Role[] = ["owner", "admin", "developer"];
const LEADERS: readonly Role[] = ["owner", "admin"];

/** The roles that may read each page. `shown` appears once everything on the page is loaded. */
const PAGES: readonly { path: string; name: string; roles: readonly Role[]; shown: string }[] = [
  { path: "/analytics", name: "Analytics", roles: ROLES, shown: ".time-chart canvas" },
  { path: "/api-keys", name: "API keys", roles: EDITORS, shown: ".key-scopes" },
  { path: "/requests", name: "Requests", roles: EDITORS, shown: ".state, .request-open" },
  { path: "/integrations", name: "Integrations", roles: EDITORS, shown: ".copyable" },
  { path: "/events", name: "Events", roles: EDITORS, shown: ".event-types" },
  { path: "/drills", name: "Drills", roles: LEADERS, shown: ".form" },
  { path: "/team", name: "Team", roles: ROLES, shown: ".member-actions" },
  { path: "/settings", name: "Settings", roles: ROLES, shown: ".workspace-facts" },
  { path: "/usage", name: "Usage", roles: LEADERS, shown: "td.numeric" },
  { path: "/exports", name: "Exports", roles: ROLES, shown: ".panel-body" },
  { path: "/audit-log", name: "Audit log", roles: LEADERS, shown: ".audit-entry" },
];

let service: RunningService;
let platformToken: string;
afterEach(closePages);
before(async () => {
  if (SKIP_WITHOUT_BROWSER !== false) return;
  service = await startTestService({
    AUTH_RATE_LIMIT_PER_MINUTE: "0",
    SECRET_KEY: WEBHOOK_SECRET_KEY,
    PLATFORM_ADMIN_EMAIL: ADMIN_EMAIL,
    PLATFORM_ADMIN_PASSWORD: ADMIN_PASSWORD,
  });
  await send(service, "POST", "/v1/decision", { body: decisionBody() });
  const owner = await openDashboard(service, service.workspaceId);
  await owner.request("PUT", "/v1/admin/provider-overrides/provider_2", { state: "degraded" });
  await owner.request("POST", "/v1/event-endpoints", {
    url: "https://hooks.example/events",
    types: ["export.ready"],
  });
  await owner.request("POST", "/v1/team/invitations", { email: "new@pay.example", role: "analyst" });
  await owner.request("PUT", "/v1/integrations/provider_1/webhook-secret", { merchant_id: "demo_merchant" });
  // A read waits until everything acknowledged is stored, so that the pages show it.
  await owner.get("/v1/analytics/summary?mode=test");
  platformToken = personOf(await login(service, ADMIN_EMAIL, ADMIN_PASSWORD)).token;
});

const heading = ({ page }: Visit, name: string) => page.getByRole("heading", { level: 1, name }).waitFor();

/** Uses the navigation, so that the application loads only once. */
async function turnTo({ page }: Visit, name: string, isNarrow: boolean): Promise<void> {
  if (isNarrow) await page.getByRole("button", { name: "Menu" }).click();
  await page.getByRole("navigation", { name: "Pages" }).getByRole("link", { name }).click();
}

describe("every page of the administration, in a real browser", OPTIONS, () => {
  for (const role of ROLES) {
    it(`${role} sees links to the pages that the role may read, and to no others`, async () => {
      const { token } = await signIn(service.pool, service.workspaceId, role);
      const visitor = await visit(service, { token });
      const { page } = visitor;
      await visitor.open("/dashboard/settings?mode=test");
      await heading(visitor, "Settings");
      const links = await page.getByRole("navigation", { name: "Pages" }).getByRole("link").allTextContents();
      const own = PAGES.filter(({ roles }) => roles.includes(role));
      for (const { name, roles } of PAGES) assert.equal(links.includes(name), roles.includes(role), name);
      assert.equal(links.includes("Platform"), false);
      // The test below walks an owner through all pages.
      for (const { name, shown } of role === "owner" ? [] : own) {
        await turnTo(visitor, name, false);
        await heading(visitor, name);
        await page.locator(shown).first().waitFor();
        assert.match(page.url(), /mode=test$/);
      }
      const foreign = PAGES.find(({ roles }) => !roles.includes(role));
      await visitor.open(`/dashboard${foreign?.path ?? "/platform"}`);
      await heading(visitor, "Not found");
      visitor.assertClean();
    });
  }

  it("controls that the role may not use are disabled, and the page says why", async () => {
    const { token } = await signIn(service.pool, service.workspaceId, "analyst");
    const visitor = await visit(service, { token });
    const { page } = visitor;
    await visitor.open("/dashboard/team");
    await page.getByText("Owners and admins change the team. Your role here is analyst.").waitFor();
    assert.equal(await page.getByRole("button", { name: "Invite somebody" }).isEnabled(), false);
    await page.locator(".member-actions").first().waitFor();
    assert.equal(
      await page
        .getByRole("button", { name: /^Remove / })
        .first()
        .isEnabled(),
      false,
    );
    await turnTo(visitor, "Settings", false);
    await page.getByText("Owners and admins change these settings.").waitFor();
    for (const label of ["Name", "Default decision mode", "Risk block threshold"]) {
      assert.equal(await page.getByLabel(label).isEnabled(), false, label);
    }
    assert.equal(await page.getByRole("button", { name: "Add a merchant" }).isEnabled(), false);
    visitor.assertClean();
  });

  for (const [scheme, width] of [
    ["light", 360],
    ["dark", 1280],
  ] as const) {
    it(`has no accessibility violation, no sideways scrolling and no layout shift: ${scheme}, ${width} px`, async () => {
      const { token } = await signIn(service.pool, service.workspaceId, "owner");
      const visitor = await visit(service, { token, scheme, width, height: 800 });
      await visitor.open("/dashboard/settings?mode=test");
      await heading(visitor, "Settings");
      for (const { name, shown } of PAGES) {
        await turnTo(visitor, name, width < 900);
        await heading(visitor, name);
        await visitor.page.locator(shown).first().waitFor();
        await visitor.assertAccessible();
        await visitor.assertNoSidewaysScroll();
      }
      await visitor.assertSteady();
      visitor.assertClean();
    });
  }

  for (const [role, scheme, width] of [
    ["owner", "dark", 390],
    ["analyst", "light", 1280],
  ] as const) {
    it(`DASH-36: a merchant's page shows the parts that its ${role} may read`, async () => {
      const merchant = `${role}.shop`;
      const owner = await openDashboard(service, service.workspaceId);
      await owner.request("POST", "/v1/admin/merchants", { merchant_id: merchant, name: "Corner shop" });
      await owner.request("POST", "/v1/policies", { merchant_id: merchant, name: "Its own", rules: [] });
      await owner.request("POST", "/v1/api-keys", {
        name: "Its key",
        mode: "test",
        scopes: ["decision:write"],
        merchant_id: merchant,
      });
      const { token } = await signIn(service.pool, service.workspaceId, role);
      const visitor = await visit(service, { token, scheme, width, height: 800 });
      const { page } = visitor;
      await visitor.open("/dashboard/settings?mode=test");
      await page.getByRole("link", { name: merchant }).click();
      await heading(visitor, "Merchant");
      await page.getByText("Its own", { exact: true }).waitFor();
      await page.getByText("No contract in effect or to come").waitFor();
      const parts = await page.getByRole("heading", { level: 2 }).allTextContents();
      const mayRead = (part: string): boolean => parts.includes(part);
      assert.equal(
        mayRead("API keys") && mayRead("Provider webhooks") && mayRead("Changes"),
        role === "owner",
      );
      if (role === "owner") {
        await page.getByText("Its key", { exact: true }).waitFor();
        await page
          .getByText(`${service.url}/v1/provider-webhooks/provider_2/${merchant}`, { exact: true })
          .waitFor();
        await page.locator(".audit-entry").nth(2).waitFor();
      }
      await visitor.assertAccessible();
      await visitor.assertNoSidewaysScroll();
      await visitor.assertSteady();
      if (role === "owner") {
        assert.equal(await page.locator(".audit-entry").count(), 3);
        await page.getByRole("link", { name: "All changes" }).click();
        await page.getByRole("button", { name: `Only merchant ${merchant}: lift` }).click();
        await page.locator(".audit-entry").nth(4).waitFor();
      }
      visitor.assertClean();
    });
  }

  it("only the platform's administrator has the platform page", async () => {
    for (const scheme of ["light", "dark"] as const) {
      const visitor = await visit(service, { token: platformToken, scheme, width: 390, height: 800 });
      await visitor.open("/dashboard");
      await heading(visitor, "Overview");
      await turnTo(visitor, "Platform", true);
      await visitor.page.getByText("your own").waitFor();
      await visitor.assertAccessible();
      await visitor.assertNoSidewaysScroll();
      visitor.assertClean();
    }
  });

  it("a 503 is shown as temporary, and a button asks again", async () => {
    const { token } = await signIn(service.pool, service.workspaceId, "owner");
    const visitor = await visit(service, { token });
    const { page } = visitor;
    // The page also refreshes by itself. If it does so before the click, the button is gone.
    await eventually(async () => {
      await page.route("**/v1/api-keys", (route) =>
        route.fulfill({ status: 503, json: { statusCode: 503, message: "Not now", error: "x" } }),
      );
      await visitor.open("/dashboard/api-keys?mode=test");
      await page.getByRole("heading", { name: "Temporarily unavailable" }).waitFor();
      await page.unroute("**/v1/api-keys");
      await page.getByRole("button", { name: "Try again" }).click({ timeout: 1000 });
    });
    await page.locator(".key-scopes").first().waitFor();
    visitor.assertClean();
  });

  it("a page without periodic reads also says that a repeated read failed, and asks by itself until it gets an answer", async () => {
    const { token } = await signIn(service.pool, service.workspaceId, "owner");
    const visitor = await visit(service, { token });
    const { page, context } = visitor;
    await visitor.open("/dashboard/settings?mode=test");
    await page.locator(".workspace-facts").waitFor();
    await turnTo(visitor, "Team", false);
    await page.locator(".member-actions").first().waitFor();
    await context.setOffline(true);
    const notice = page.getByRole("status").getByText("The service cannot be reached");
    // Data younger than a second is not requested again.
    await eventually(async () => {
      await turnTo(visitor, "Team", false);
      await turnTo(visitor, "Settings", false);
      await notice.waitFor({ timeout: 5000 });
    });
    await page.locator(".workspace-facts").waitFor();
    await context.setOffline(false);
    await notice.waitFor({ state: "detached" });
    visitor.assertClean(["net::ERR_INTERNET_DISCONNECTED"]);
  });

  it("a page whose files a deployment removed reloads the window, once by itself and then on request", async () => {
    const { token } = await signIn(service.pool, service.workspaceId, "owner");
    const visitor = await visit(service, { token });
    const { page } = visitor;
    await visitor.open("/dashboard/settings?mode=test");
    await page.locator(".workspace-facts").waitFor();
    let loads = 0;
    page.on("request", (request) => {
      if (request.isNavigationRequest()) loads++;
    });
    await page.route("**/assets/team-page-*.js", (route) => route.fulfill({ status: 404, body: "" }));
    await turnTo(visitor, "Team", false);
    await page.getByText("The code of this page could not be loaded.").waitFor();
    assert.equal(loads, 1);
    await page.unroute("**/assets/team-page-*.js");
    await page.getByRole("button", { name: "Try again" }).click();
    await page.locator(".member-actions").first().waitFor();
    assert.equal(loads, 2);
    assert.match(page.url(), /\/dashboard\/team\?mode=test$/);
  });

  it("a page opened while the service is gone keeps the window as it is, and loads once the service is back", async () => {
    const { token } = await signIn(service.pool, service.workspaceId, "owner");
    const visitor = await visit(service, { token, isFirst: true });
    const { page, context } = visitor;
    await visitor.open("/dashboard/settings?mode=test");
    await page.locator(".workspace-facts").waitFor();
    await context.setOffline(true);
    await turnTo(visitor, "Usage", false);
    const failed = page.getByText("The code of this page could not be loaded.");
    const again = page.getByRole("button", { name: "Try again" });
    await failed.waitFor();
    await again.click();
    await failed.waitFor();
    await context.setOffline(false);
    // While a try is under way, the button accepts no click.
    await eventually(async () => {
      if (await again.isVisible()) await again.click({ timeout: 1000 });
      await page.locator("td.numeric").first().waitFor({ timeout: 5000 });
    });
  });
});
