import assert from "node:assert/strict";
import { afterEach, before, describe, it } from "node:test";
import { idFromHex, idToHex } from "../../src/domain/ids/ids.js";
import { type Role } from "../../src/domain/vocabulary/vocabulary.js";
import { auditOf, login, newEmail, PASSWORD, personOf, register } from "../support/people/accounts.js";
import { closePages, SKIP_WITHOUT_BROWSER, visit, type Visit } from "../support/people/browser.js";
import { openDashboard } from "../support/people/dashboard.js";
import { signIn } from "../support/people/feedback.js";
import { WEBHOOK_SECRET_KEY } from "../support/service/webhooks.js";
import {
  decisionBody,
  eventually,
  send,
  PROBED_AS_DELIVERED,
  startTestService,
  type RunningService,
} from "../support/service/service.js";

const OPTIONS = { skip: SKIP_WITHOUT_BROWSER };
/**
 * The time limit for an erasure. It only ends a wait that hangs. An attempt waits half a minute for older transactions,
 * and the next attempt follows half a minute later.
 */
const ERASURE_ENDS_MS = 150_000;
const ADMIN_EMAIL = "root@pay.example";
const ADMIN_PASSWORD = "platform password";

let service: RunningService;
afterEach(closePages);
before(async () => {
  if (SKIP_WITHOUT_BROWSER !== false) return;
  service = await startTestService({
    ...PROBED_AS_DELIVERED,
    AUTH_RATE_LIMIT_PER_MINUTE: "0",
    SECRET_KEY: WEBHOOK_SECRET_KEY,
    PLATFORM_ADMIN_EMAIL: ADMIN_EMAIL,
    PLATFORM_ADMIN_PASSWORD: ADMIN_PASSWORD,
  });
});

/** Opens a page of the demo workspace as a member with that role. */
async function openAs(role: Role, path: string, heading: string): Promise<Visit> {
  const { token } = await signIn(service.pool, service.workspaceId, role);
  return openWith(token, path, heading);
}

async function openWith(token: string, path: string, heading: string): Promise<Visit> {
  const visitor = await visit(service, { token });
  await visitor.allowClipboard();
  await visitor.open(`/dashboard${path}`);
  await visitor.page.getByRole("heading", { level: 1, name: heading }).waitFor();
  return visitor;
}

const copied = ({ page }: Visit): Promise<unknown> => page.evaluate("navigator.clipboard.readText()");
const waitForToast = ({ page }: Visit, text: string): Promise<void> =>
  page.getByRole("status").getByText(text).waitFor();

/**
 * Asserts that a dialog with a one-time text stays open when Escape is pressed repeatedly, and on a click beside it.
 */
async function staysOpen({ page }: Visit, label: string): Promise<void> {
  const text = await page.getByLabel(label).inputValue();
  for (let press = 0; press < 3; press++) await page.keyboard.press("Escape");
  await page.mouse.click(5, 5);
  await page.keyboard.press("Escape");
  assert.equal(await page.getByLabel(label).inputValue(), text);
  assert.equal(await page.getByRole("dialog").getByRole("button", { name: "Close" }).count(), 0);
}

describe("API keys, in a real browser", OPTIONS, () => {
  it("a key's secret is shown once and works until the key is revoked", async () => {
    const visitor = await openAs("developer", "/api-keys?mode=test", "API keys");
    const { page } = visitor;
    await page.getByRole("button", { name: "Create a test key" }).click();
    await page.getByLabel("Name").fill("Checkout");
    await page.getByLabel("health:read").check();
    await page.getByLabel("outcome:write").uncheck();
    await page.getByLabel("Merchant").selectOption("demo_merchant");
    await page.getByLabel("Expires").selectOption("In 90 days");
    await visitor.assertAccessible();
    await page.getByRole("button", { name: "Create the key" }).click();
    const secret = await page.getByLabel("Secret key").inputValue();
    assert.match(secret, /^pi_test_/);
    await staysOpen(visitor, "Secret key");
    // The button shows "Copied" only for a moment, so the test waits for it from the click on.
    await Promise.all([
      page.getByRole("button", { name: "Copied" }).waitFor(),
      page.getByRole("button", { name: "Copy", exact: true }).click(),
    ]);
    assert.equal(await copied(visitor), secret);
    await visitor.assertAccessible();
    await page.getByRole("button", { name: "I have stored it" }).click();
    assert.equal((await page.content()).includes(secret), false);
    const decide = () => send(service, "POST", "/v1/decision", { body: decisionBody(), key: secret });
    assert.equal((await decide()).status, 200);
    const row = page.getByRole("row", { name: /Checkout/ });
    assert.match(String(await row.textContent()), /decision:writehealth:readdemo_merchantnever.*in 90d/);

    await row.getByRole("button", { name: "Revoke Checkout" }).click();
    await page.getByRole("button", { name: "Revoke the key" }).click();
    await waitForToast(visitor, "Revoked Checkout");
    assert.equal((await decide()).status, 401);
    await row.waitFor({ state: "detached" });
    await page.getByRole("radio", { name: "Revoked and expired" }).click();
    await row.getByText("Revoked").first().waitFor();
    visitor.assertClean();
  });

  it("KEY-10: a rotated key's new secret is shown once, and both keys work", async () => {
    const visitor = await openAs("developer", "/api-keys?mode=test", "API keys");
    const { page } = visitor;
    await page.getByRole("button", { name: "Create a test key" }).click();
    await page.getByLabel("Name").fill("Nightly report");
    await page.getByRole("button", { name: "Create the key" }).click();
    const old = await page.getByLabel("Secret key").inputValue();
    await page.getByRole("button", { name: "I have stored it" }).click();
    await page.getByRole("button", { name: "Rotate Nightly report" }).click();
    await page.getByLabel("The old key still works for").selectOption("3 days");
    await visitor.assertAccessible();
    await page.getByRole("button", { name: "Rotate the key" }).click();
    const secret = await page.getByLabel("Secret key").inputValue();
    await visitor.assertAccessible();
    await page.getByRole("button", { name: "I have stored it" }).click();
    assert.equal((await page.content()).includes(secret), false);
    for (const key of [old, secret])
      assert.equal((await send(service, "POST", "/v1/decision", { body: decisionBody(), key })).status, 200);
    const rows = page.getByRole("row", { name: /Nightly report/ });
    await rows.nth(1).waitFor();
    assert.match(String(await rows.nth(1).textContent()), /in 3d/);
    visitor.assertClean();
  });

  it("keys of the other mode have their own list, and the form refuses an expiry in the past", async () => {
    const visitor = await openAs("owner", "/api-keys", "API keys");
    const { page } = visitor;
    await page.getByText("No active live key").waitFor();
    await page.getByRole("button", { name: "Create a live key" }).click();
    await page.getByLabel("Name").fill("Old");
    await page.getByLabel("Expires").selectOption("On a date");
    await page.getByLabel("Last day").fill("2020-01-31");
    await page.getByRole("button", { name: "Create the key" }).click();
    await page.getByText("Must be in the future", { exact: true }).waitFor();
    visitor.assertClean([400]);
  });
});

describe("the team, in a real browser", OPTIONS, () => {
  it("an invitation's link, shown once, opens the page that accepts it; the new member changes role and leaves", async () => {
    const owner = await register(service);
    const visitor = await openWith(owner.token, "/team", "Team");
    const { page } = visitor;
    const email = newEmail();
    await page.getByRole("button", { name: "Invite somebody" }).click();
    await page.getByLabel("E-mail").fill(email);
    await page.getByLabel("Role", { exact: true }).selectOption("Analyst");
    await page.getByRole("button", { name: "Make the invitation" }).click();
    const link = await page.getByLabel("Invitation link").inputValue();
    await staysOpen(visitor, "Invitation link");
    await page.getByRole("button", { name: "Done" }).click();
    await page.getByRole("region", { name: "Table: Invitations" }).getByText(email).waitFor();

    const invited = await visit(service);
    await invited.page.goto(link);
    await invited.page.getByLabel("Your name").fill("Grace");
    await invited.page.getByLabel("Password").fill(PASSWORD);
    await invited.page.getByRole("button", { name: "Join" }).click();
    await invited.page.getByRole("heading", { level: 1, name: "Overview" }).waitFor();

    await page.reload();
    await page.getByRole("button", { name: "Change role of Grace" }).click();
    await page.getByLabel("Role", { exact: true }).selectOption("Developer");
    await page.getByRole("button", { name: "Change the role", exact: true }).click();
    await waitForToast(visitor, "Grace is developer now");
    await page.getByRole("button", { name: "Remove Grace" }).click();
    await page.getByRole("button", { name: "Remove", exact: true }).click();
    await waitForToast(visitor, "Removed Grace");
    await page.getByRole("button", { name: "Remove Grace" }).waitFor({ state: "detached" });
    assert.deepEqual((await auditOf(service, owner.workspaceId)).map(({ action }) => action).slice(1), [
      "team.invited",
      "team.joined",
      "team.role_changed",
      "team.removed",
    ]);
    visitor.assertClean();
  });

  it("the last owner stays, and the page shows the service's refusal", async () => {
    const owner = await register(service);
    const visitor = await openWith(owner.token, "/team", "Team");
    const { page } = visitor;
    await page.getByRole("button", { name: /^Change role of / }).click();
    await page.getByLabel("Role", { exact: true }).selectOption("Admin");
    await page.getByRole("button", { name: "Change the role", exact: true }).click();
    await page.getByRole("alert").getByText("The last owner of a workspace stays").waitFor();
    await visitor.assertAccessible();
    visitor.assertClean([409]);
  });
});

describe("integrations, in a real browser", OPTIONS, () => {
  it("a secret made by the service is shown once; a given secret is checked and never shown", async () => {
    const visitor = await openAs("developer", "/integrations", "Integrations");
    const { page } = visitor;
    await page.getByText(`${service.url}/v1/provider-webhooks/provider_2/demo_merchant`).waitFor();
    await page.getByRole("button", { name: "Set up the secret of provider_2" }).click();
    await page.getByRole("button", { name: "Set the secret" }).click();
    assert.match(await page.getByLabel("Signing secret").inputValue(), /^whsec_/);
    await staysOpen(visitor, "Signing secret");
    await visitor.assertAccessible();
    await page.getByRole("button", { name: "I have stored it" }).click();
    await page.getByRole("button", { name: "Rotate the secret of provider_2" }).click();
    await page.getByLabel("Secret", { exact: true }).selectOption("Given by the provider");
    await page.getByLabel("The provider's secret").fill("whsec_short");
    await page.getByRole("button", { name: "Rotate the secret", exact: true }).click();
    await page.getByText("Must be whsec_ and the base64 of 24 to 64 bytes", { exact: true }).waitFor();
    await page.getByLabel("The provider's secret").fill(`whsec_${Buffer.alloc(32, 7).toString("base64")}`);
    await page.getByRole("button", { name: "Rotate the secret", exact: true }).click();
    await waitForToast(visitor, "The secret of provider_2 is rotated");
    await page.getByRole("dialog").waitFor({ state: "detached" });
    visitor.assertClean([400]);
  });
});

describe("workspace settings, in a real browser", OPTIONS, () => {
  it("DASH-43: an owner renames it, changes its decision settings, and adds a merchant once", async () => {
    const owner = await register(service);
    const visitor = await openWith(owner.token, "/settings", "Settings");
    const { page } = visitor;
    assert.equal(await page.getByRole("button", { name: "Save the changes" }).isEnabled(), false);
    await page.getByLabel("Name").fill("Corner shop");
    await page.getByLabel("Default decision mode").selectOption("Shadow");
    await page.getByLabel("Risk block threshold").fill("75");
    const kept = page.getByLabel("Days that decisions are kept");
    assert.equal(await kept.getAttribute("placeholder"), "400");
    await kept.fill("90");
    await page.getByText("Older decisions are hidden at once").waitFor();
    await page.getByRole("button", { name: "Save the changes" }).click();
    await waitForToast(visitor, "The settings are saved");
    await page.getByRole("complementary").getByText("Corner shop").waitFor();
    for (const expected of ["Added second_shop", null]) {
      await page.getByRole("button", { name: "Add a merchant" }).click();
      await page.getByRole("textbox", { name: "Merchant id" }).fill("second_shop");
      await page.getByRole("button", { name: "Add the merchant" }).click();
      if (expected !== null) {
        await waitForToast(visitor, expected);
        await page.getByRole("button", { name: "Not now" }).click();
      } else await page.getByRole("alert").getByText("Merchant is already registered").waitFor();
    }
    const { rows } = await service.pool.query(
      "select name, risk_block_threshold, retention_days from workspaces where name = 'Corner shop'",
    );
    assert.deepEqual(rows, [{ name: "Corner shop", risk_block_threshold: 75, retention_days: 90 }]);
    visitor.assertClean([409]);
  });
});

/** DASH-18: a drill on live payments is confirmed by the provider's name. */
async function startLive({ page }: Visit, provider: string): Promise<void> {
  await page.getByRole("button", { name: "Start the drill" }).click();
  const confirm = page.getByRole("button", { name: "Start the live drill" });
  assert.equal(await confirm.isEnabled(), false);
  await page.getByLabel(/^Type .* to confirm$/).fill(provider);
  await confirm.click();
}

describe("provider drills, in a real browser", OPTIONS, () => {
  it("a drill pins the workspace's view, is listed after a reload, and can be lifted", async () => {
    const owner = await register(service);
    const visitor = await openWith(owner.token, "/drills", "Drills");
    const { page } = visitor;
    await page.getByText("No drill is on").waitFor();
    await page
      .getByText("Every provider is seen as probes, your own outcomes and its webhooks show it.")
      .waitFor();
    await page.getByLabel("Provider", { exact: true }).selectOption("provider_3");
    await page.getByLabel("Payment method").selectOption("Card");
    await page.getByLabel("Currency").selectOption("EUR");
    await page.getByLabel("Seen as").selectOption("Critical");
    await page.getByLabel("Score").fill("30");
    await page.getByLabel("Holds in").selectOption("Live and test");
    await startLive(visitor, "provider_3");
    await waitForToast(visitor, "provider_3 is seen as critical");
    await page.reload();
    // Past drills are listed on the same page.
    const pinned = page.getByRole("region", { name: "Pinned now", exact: true });
    const row = pinned.getByRole("row", { name: /provider_3.*card payments in EUR.*Critical.*30/ });
    await row.waitFor();
    await page.goto(`${service.url}/dashboard`);
    await page.getByRole("button", { name: /^provider_3 EUR: 30 critical/ }).waitFor();
    await page.goBack();
    await row.waitFor();
    // A wider drill replaces the drills inside it.
    await page.getByLabel("Provider", { exact: true }).selectOption("provider_3");
    await page.getByLabel("Holds in").selectOption("Live and test");
    await startLive(visitor, "provider_3");
    await waitForToast(visitor, "provider_3 is seen as unavailable");
    await page.reload();
    const wide = pinned.getByRole("row", { name: /provider_3.*everywhere.*Unavailable.*0/ });
    await wide.waitFor();
    assert.equal(await row.count(), 0);
    await wide.getByRole("button", { name: /^Lift/ }).click();
    await page.getByText("No drill is on").waitFor();
    visitor.assertClean();
  });
});

describe("the audit log, in a real browser", OPTIONS, () => {
  it("names the actor of each action in words, and pages in both directions", async () => {
    const owner = await register(service);
    const headers = { authorization: `Bearer ${owner.token}` };
    for (let shop = 0; shop < 30; shop++) {
      const body = { merchant_id: `shop_${shop}` };
      await send(service, "POST", "/v1/admin/merchants", { body, headers, key: null });
    }
    const visitor = await openWith(owner.token, "/audit-log", "Audit log");
    const { page } = visitor;
    await page.getByText(`${owner.email} added a merchant`).first().waitFor();
    const [newer, older] = ["Newer entries", "Older entries"].map((name) =>
      page.getByRole("button", { name }),
    );
    assert.ok(newer !== undefined && older !== undefined);
    assert.equal(await newer.isEnabled(), false);
    await older.click();
    await page.getByText(`${owner.email} created the workspace`).waitFor();
    assert.equal(await older.isEnabled(), false);
    await newer.click();
    await page.getByRole("button", { name: "Copy the id shop_29" }).waitFor();
    assert.equal(await newer.isEnabled(), false);
    visitor.assertClean();
  });

  it("DASH-34: one search box and the filters find entries, and are in the address", async () => {
    const owner = await register(service);
    const headers = { authorization: `Bearer ${owner.token}` };
    for (const merchant_id of ["shop_1", "shop_2", "corner"]) {
      await send(service, "POST", "/v1/admin/merchants", { body: { merchant_id }, headers, key: null });
    }
    const visitor = await openWith(owner.token, "/audit-log", "Audit log");
    const { page } = visitor;
    const shown = page.locator(".audit-list[aria-busy=false] .copyable-text");
    const shows = (...ids: string[]): Promise<void> =>
      eventually(async () => assert.deepEqual(await shown.allTextContents(), ids));
    const inAddress = (name: string): string | null => new URL(page.url()).searchParams.get(name);
    const search = page.getByRole("searchbox", { name: "Search" });
    await search.fill("shop_");
    await page.keyboard.press("Enter");
    await shows("shop_2", "shop_1");
    assert.equal(inAddress("q"), "shop_");
    await search.fill("created work");
    await page.keyboard.press("Enter");
    await shows(owner.workspaceId);
    await page.getByRole("button", { name: "Clear filters" }).click();
    await shows("corner", "shop_2", "shop_1", owner.workspaceId);
    await page.getByLabel("Action", { exact: true }).selectOption("Added a merchant");
    await shows("corner", "shop_2", "shop_1");
    assert.equal(inAddress("action"), "merchant.created");
    await page.getByRole("button", { name: "All of shop_1" }).click();
    await shows("shop_1");
    await page.getByRole("button", { name: "Only shop_1: lift" }).click();
    await page.getByLabel("By", { exact: true }).selectOption({ value: owner.userId });
    await shows("corner", "shop_2", "shop_1");
    assert.equal(inAddress("actor"), owner.userId);
    await page.getByLabel("Before", { exact: true }).fill("2020-01-01T00:00");
    await search.focus();
    await page.getByText("No entry matches these filters").waitFor();
    await visitor.assertAccessible();
    visitor.assertClean();
  });
});

describe("usage and analytics, in a real browser", OPTIONS, () => {
  it("test and shadow decisions are counted apart, and the mode chooses the table", async () => {
    const analyst = await openDashboard(service, service.workspaceId);
    for (const changes of [{ order_id: "usage_1" }, { order_id: "usage_2", decision_mode: "shadow" }]) {
      await send(service, "POST", "/v1/decision", { body: decisionBody(changes) });
    }
    const { json } = await analyst.get("/v1/admin/usage");
    // Decisions made before the month changed do not count for this month.
    const month = new Date().toISOString().slice(0, 7);
    const usage = json["usage"] as { month: string; decisions: number; shadow_decisions: number }[];
    const used = usage.find((entry) => entry.month === month);
    assert.ok(used !== undefined);
    const visitor = await openAs("owner", "/usage?mode=test", "Usage");
    const { page } = visitor;
    await page.getByRole("combobox", { name: "Months" }).selectOption("This month");
    const counts = [String(used.decisions), String(used.shadow_decisions)];
    await eventually(async () => {
      const cells = await page
        .getByRole("row", { name: /demo_merchant/ })
        .getByRole("cell")
        .allTextContents();
      assert.deepEqual(cells.slice(1), ["demo_merchant", ...counts]);
      const figures = await page.locator(".figure-value").allTextContents();
      assert.deepEqual(figures, ["0", "0", ...counts]);
    });
    await page.getByRole("radio", { name: "Live" }).click();
    await page.getByText("No live decision in these months").waitFor();
    visitor.assertClean();
  });

  it("analytics follows the range and the mode, and draws the chart", async () => {
    await send(service, "POST", "/v1/decision", { body: decisionBody({ order_id: "analytics_1" }) });
    const visitor = await openAs("analyst", "/analytics?mode=test", "Analytics");
    const { page } = visitor;
    await page.getByRole("img", { name: "Decisions and approval rate by day" }).waitFor();
    assert.notEqual(await page.locator(".figure-value").first().textContent(), "0");
    await page.getByRole("combobox", { name: "Range" }).selectOption("Last 24 hours");
    await page.getByRole("img", { name: "Decisions and approval rate by hour" }).waitFor();
    await page.getByRole("radio", { name: "Live" }).click();
    await page.getByText("No outcome was reported").waitFor();
    assert.equal(await page.locator(".figure-value").first().textContent(), "0");
    visitor.assertClean();
  });

  it("DASH-5: shows costs with the decimals of ISO 4217, and the amount that second attempts recovered", async () => {
    const { token } = await signIn(service.pool, service.workspaceId, "analyst");
    const visitor = await visit(service, { token });
    const { page } = visitor;
    const cost = (currency: string) => ({
      currency,
      decision_mode: "enforce",
      decisions: 3,
      estimated_cost_minor: 12_345,
      saving_vs_most_expensive_minor: 678,
      first_offered_decisions: 3,
      saving_vs_first_offered_minor: -90,
    });
    await page.route("**/v1/analytics/summary?*", async (route) => {
      const response = await route.fetch();
      const counted = {
        since: null,
        by_currency: [cost("HUF"), cost("IQD"), cost("JPY"), cost("KWD"), cost("USD")],
      };
      const summary = (await response.json()) as Record<string, unknown>;
      const recovery = { with_outcome: 5, recovered: 4, recovery_rate: 0.8 };
      const none = { with_outcome: 0, recovered: 0, recovery_rate: null };
      const failure = { provider: "provider_4", failure_class: "timeout", decisions: 7, ...recovery };
      const retried = {
        since: null,
        by_failure: [{ ...failure, same_provider: none, other_provider: recovery }],
      };
      await route.fulfill({ response, json: { ...summary, cost: counted, retries: retried } });
    });
    await visitor.open("/dashboard/analytics?mode=test");
    const table = page.getByRole("region", { name: "Table: Cost" });
    await table.waitFor();
    const rows = await table.locator("tbody tr").allTextContents();
    assert.deepEqual(
      rows.map((row) => row.replaceAll(/\s/gu, " ")),
      [
        "HUFEnforce3HUF 123.45HUF 6.78-HUF 0.90",
        "IQDEnforce3IQD 12.345IQD 0.678-IQD 0.090",
        "JPYEnforce3JPY 12,345JPY 678-JPY 90",
        "KWDEnforce3KWD 12.345KWD 0.678-KWD 0.090",
        "USDEnforce3USD 123.45USD 6.78-USD 0.90",
      ],
    );
    const retries = page.getByRole("region", { name: "Table: Second attempts" }).locator("tbody tr");
    assert.match(String(await retries.textContent()), /provider_4.*Timeout.*7.*80\.0%.*–.*80\.0%/);
    await visitor.assertAccessible();
    visitor.assertClean();
  });
});

describe("the platform's administration, in a real browser", OPTIONS, () => {
  it("suspends a workspace after its name is typed, and activates it again", async () => {
    const owner = await register(service);
    const { token } = personOf(await login(service, ADMIN_EMAIL, ADMIN_PASSWORD));
    const visitor = await openWith(token, "/platform", "Platform");
    const { page } = visitor;
    await page.getByLabel("Find").fill(owner.workspaceId);
    const me = () =>
      send(service, "GET", "/v1/auth/me", {
        key: null,
        headers: { authorization: `Bearer ${owner.token}` },
      });
    for (const [verb, now, status] of [
      ["Suspend", "suspended", 403],
      ["Activate", "active", 200],
    ] as const) {
      await page.getByRole("button", { name: `${verb} Shop` }).click();
      const confirm = page.getByRole("button", { name: `${verb} the workspace` });
      await page.getByLabel("Type Shop to confirm").fill("shop");
      assert.equal(await confirm.isEnabled(), false);
      await page.getByLabel("Type Shop to confirm").fill("Shop");
      await visitor.assertAccessible();
      await confirm.click();
      await waitForToast(visitor, `Shop is ${now}`);
      assert.equal((await me()).status, status);
    }
    visitor.assertClean();
  });

  it("DASH-49: erases a merchant and a suspended workspace after their names are typed, and shows the end", async () => {
    const owner = await register(service);
    const { token } = personOf(await login(service, ADMIN_EMAIL, ADMIN_PASSWORD));
    const visitor = await openWith(token, "/platform", "Platform");
    const { page } = visitor;
    const dialog = page.getByRole("dialog");
    await page.getByRole("button", { name: "Erase a merchant" }).click();
    await dialog.getByLabel("Workspace id").fill(owner.workspaceId);
    await dialog.getByLabel("Merchant id", { exact: true }).fill("nobody");
    await dialog.getByLabel("Merchant id, once more").fill("somebody");
    const erase = dialog.getByRole("button", { name: "Erase the merchant for good" });
    await erase.click();
    await dialog.getByText("It differs from the merchant id above.").waitFor();
    await visitor.assertAccessible();
    await dialog.getByLabel("Merchant id, once more").fill("nobody");
    await erase.click();
    await dialog.getByText("Merchant not found").waitFor();
    await page.keyboard.press("Escape");

    await page.getByLabel("Find").fill(owner.workspaceId);
    assert.equal(await page.getByRole("button", { name: "Erase Shop" }).count(), 0);
    await service.pool.query("update workspaces set status = 1 where workspace_id = $1", [
      idToHex(owner.workspaceId),
    ]);
    await page.reload();
    await page.getByRole("button", { name: "Erase Shop" }).click();
    await page.getByLabel("Type Shop to confirm").fill("Shop");
    await visitor.assertAccessible();
    await dialog.getByRole("button", { name: "Erase the workspace for good" }).click();
    await waitForToast(visitor, "Shop is being erased");
    const erasures = page.getByRole("table", { name: "Erasures" });
    const row = erasures.getByRole("row", { name: owner.workspaceId });
    // RET-22: the erasure waits for older transactions, also those of other tests on the same server.
    await row.getByText("Done").waitFor({ timeout: ERASURE_ENDS_MS });
    await visitor.assertAccessible();
    await visitor.assertNoSidewaysScroll();
    visitor.assertClean([404]);
  });

  it("DUR-12: a record set aside is inspected, retried in vain and finally stored; another is discarded with a reason", async () => {
    await service.pool.query(
      "alter table decisions add constraint outsider check (order_id not like 'refused%')",
    );
    for (const order_id of ["refused_1", "refused_2"]) {
      assert.equal(
        (await send(service, "POST", "/v1/decision", { body: decisionBody({ order_id }) })).status,
        200,
      );
    }
    const waiting = async (): Promise<string[]> => {
      const { rows } = await service.pool.query<{ id: string }>(
        "select set_aside_id::text as id from set_aside order by 1",
      );
      return rows.map(({ id }) => idFromHex("sas", id));
    };
    await eventually(async () => assert.equal((await waiting()).length, 2));
    const [first, second] = await waiting();
    const { token } = personOf(await login(service, ADMIN_EMAIL, ADMIN_PASSWORD));
    const visitor = await openWith(token, "/set-aside", "Set aside");
    const { page } = visitor;
    const dialog = page.getByRole("dialog");
    await page.getByRole("button", { name: `Look at ${first}` }).click();
    await dialog.getByText("refused_1", { exact: true }).waitFor();
    await dialog.getByLabel("What the record holds").getByText('"order_id": "refused_1"').first().waitFor();
    await visitor.assertAccessible();
    await visitor.assertNoSidewaysScroll();
    await dialog.getByRole("button", { name: "Try again" }).click();
    await dialog.getByText("PostgreSQL still refuses the record: SQLSTATE 23514").waitFor();
    await service.pool.query("alter table decisions drop constraint outsider");
    await dialog.getByRole("button", { name: "Try again" }).click();
    await waitForToast(visitor, "The record is stored");
    assert.deepEqual(await waiting(), [second]);

    await page.getByRole("button", { name: `Look at ${second}` }).click();
    await dialog.getByRole("button", { name: "Give up" }).click();
    await dialog.getByLabel("Reason").fill("A test payment");
    await visitor.assertAccessible();
    await dialog.getByRole("button", { name: "Give the record up" }).click();
    await waitForToast(visitor, "The record is given up");
    await page.getByText("Nothing is set aside").waitFor();
    const [given] = (await auditOf(service, service.workspaceId)).slice(-1);
    assert.deepEqual([given?.action, given?.metadata["reason"]], ["set_aside.discarded", "A test payment"]);
    // The page showed this refusal.
    visitor.assertClean([409]);
  });
});
