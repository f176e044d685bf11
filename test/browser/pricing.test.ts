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
import { signIn } from "../support/people/feedback.js";
import { eventually, send, type RunningService } from "../support/service/service.js";
import { sharedTestService } from "../support/service/shared-service.js";
import { inOwnWorkspace } from "../support/people/tenants.js";

const OPTIONS = { skip: SKIP_WITHOUT_BROWSER };
const MERCHANT = "demo_merchant";
/** A contract that starts in this year is scheduled, whenever the test runs. */
const LATER = new Date().getUTCFullYear() + 2;
const HEAD = "provider,payment_method,card_network,country,currency,percentage_bps,fixed_minor,tiers";

let service: RunningService;
afterEach(closePages);
before(async () => {
  if (SKIP_WITHOUT_BROWSER !== false) return;
  service = await inOwnWorkspace(await sharedTestService());
  const price = { provider: "provider_1", payment_method: "card", percentage_bps: 290, fixed_minor: 30 };
  const body = {
    merchant_id: MERCHANT,
    contract_name: "Acquirers",
    effective_from: "2026-01-01T00:00:00.000Z",
    rules: ["USD", "JPY", "KWD"].map((currency) => ({ ...price, currency })),
  };
  const { status, text } = await send(service, "POST", "/v1/pricing/rules", { body });
  assert.equal(status, 200, text);
});

async function openPricing(role: Role, options: VisitOptions = {}): Promise<Visit> {
  const { token } = await signIn(service.pool, service.workspaceId, role);
  const visitor = await visit(service, { ...options, token });
  await visitor.open("/dashboard/pricing");
  await visitor.page.getByRole("button", { name: "Show the prices of Acquirers" }).waitFor();
  await visitor.assertSteady();
  return visitor;
}

describe("pricing, in a real browser", OPTIONS, () => {
  for (const role of ROLES) {
    it(`DASH-30: shows contracts and prices in their currency's own decimals to ${role}; only permitted roles can upload`, async () => {
      const visitor = await openPricing(role);
      const { page } = visitor;
      await page.getByRole("button", { name: "Show the prices of Acquirers" }).click();
      const prices = page.getByRole("region", { name: "Table: Prices of Acquirers" });
      for (const fixed of ["USD 0.30", "JPY 30", "KWD 0.030"]) {
        await prices.getByRole("cell", { name: fixed.replace(" ", "\u00a0"), exact: true }).waitFor();
      }
      await page.getByLabel("Contract name").fill("Another");
      await page
        .getByLabel("Prices", { exact: true })
        .fill(`${HEAD}\nprovider_2,card,,,USD,250,20,100000:200:10`);
      await page.getByText("1 price read from CSV").waitFor();
      const button = page.getByRole("button", { name: "Store the contract" });
      assert.equal(await button.isEnabled(), role !== "analyst");
      visitor.assertClean();
    });
  }

  it("names the fault of a row, and stores a correct contract with its warnings", async () => {
    const visitor = await openPricing("developer");
    const { page } = visitor;
    const text = page.getByLabel("Prices", { exact: true });
    await text.fill("provider,method\nprovider_1,card");
    await page.getByText("“\u2068method\u2069” is none of a price").waitFor();
    await text.fill(`${HEAD}\nprovider_1,card,,,USD,290,30,\nprovider_2,card,,,USD,many,30,`);
    await page.getByLabel("Contract name").fill("Next year");
    await page.getByLabel("Effective from").fill(`${LATER}-01-01T00:00`);
    await page.getByRole("button", { name: "Store the contract" }).click();
    const preview = page.getByRole("region", { name: "Table: Preview" });
    await preview.getByRole("row").nth(1).getByText("percentage_bps:").waitFor();
    await visitor.assertAccessible();

    await page.getByLabel("Contract file").setInputFiles({
      name: "contract.json",
      mimeType: "application/json",
      buffer: Buffer.from(
        JSON.stringify({
          contract_name: "From a file",
          effective_from: `${LATER}-02-01T00:00:00Z`,
          rules: Array.from({ length: 2 }, () => ({
            provider: "provider_3",
            payment_method: "wallet",
            currency: "EUR",
            percentage_bps: 100,
            fixed_minor: 5,
          })),
        }),
      ),
    });
    await page.getByText("2 prices read from JSON").waitFor();
    assert.equal(await page.getByLabel("Contract name").inputValue(), "From a file");
    assert.equal(await page.getByLabel("Effective from").inputValue(), `${LATER}-02-01T00:00`);
    await page.getByRole("button", { name: "Store the contract" }).click();
    const stored = page.getByRole("region", { name: "Stored contract" });
    await stored.getByText("Repeats").waitFor();
    await page.getByRole("button", { name: "Show the prices of From a file" }).waitFor();
    await page.getByText("Scheduled", { exact: true }).waitFor();
    visitor.assertClean([400]);
  });

  for (const [path, endpoint] of [
    ["/dashboard/pricing", "/v1/pricing/rules/"],
    ["/dashboard/policies", "/v1/policies/"],
  ] as const) {
    it(`${path} says that it is unavailable for now, and asks again on request`, async () => {
      const { token } = await signIn(service.pool, service.workspaceId, "analyst");
      const visitor = await visit(service, { token });
      const { page } = visitor;
      const body = { statusCode: 503, message: "Not right now", error: "Service Unavailable" };
      const isAway = (url: URL): boolean => url.pathname.startsWith(endpoint);
      // The page also refreshes by itself. If it does so before the click, the button is gone.
      await eventually(async () => {
        await page.route(isAway, (route) => route.fulfill({ status: 503, json: body }));
        await visitor.open(path);
        await page.getByRole("heading", { name: "Temporarily unavailable" }).waitFor();
        await page.unroute(isAway);
        await page.getByRole("button", { name: "Try again" }).click({ timeout: 1000 });
      });
      await page.getByRole("heading", { name: /^(?:Contracts|Versions)$/ }).waitFor();
      visitor.assertClean();
    });
  }

  for (const width of [390, 768, 960, 1024, 1200, 1440]) {
    it(`no field of a contract overlaps another or leaves the window at ${width} px`, async () => {
      const visitor = await openPricing("owner", { width });
      const boxes = await Promise.all(
        ["Contract name", "Effective from", "Effective to"].map(async (label) => {
          const box = await visitor.page.getByLabel(label).boundingBox();
          assert.ok(box !== null && box.x + box.width <= width, label);
          return box;
        }),
      );
      for (const [at, box] of boxes.entries()) {
        for (const other of boxes.slice(at + 1)) {
          assert.ok(box.x + box.width <= other.x || box.y + box.height <= other.y, JSON.stringify(boxes));
        }
      }
      visitor.assertClean();
    });
  }

  for (const scheme of ["light", "dark"] as const) {
    it(`has no accessibility violation in ${scheme}, and stays within 360 px`, async () => {
      const visitor = await openPricing("owner", { scheme, width: 360, height: 800 });
      await visitor.page.getByRole("button", { name: "Show the prices of Acquirers" }).click();
      await visitor.assertAccessible();
      await visitor.assertNoSidewaysScroll();
      visitor.assertClean();
    });
  }
});
