import assert from "node:assert/strict";
import { afterEach, before, describe, it } from "node:test";
import type { Page, Request } from "playwright-core";
import { idToHex } from "../../src/domain/ids/ids.js";
import { login, personOf } from "../support/people/accounts.js";
import { closePages, SKIP_WITHOUT_BROWSER, visit } from "../support/people/browser.js";
import { openDashboard } from "../support/people/dashboard.js";
import { signIn } from "../support/people/feedback.js";
import { EXPLAINED_RULES, holdOrder, publishOver } from "../support/load/explained-decisions.js";
import {
  eventually,
  send,
  startTestService,
  type Reply,
  type RunningService,
} from "../support/service/service.js";
import { newId } from "../support/people/tenants.js";
import { WEBHOOK_SECRET_KEY } from "../support/service/webhooks.js";

const OPTIONS = { skip: SKIP_WITHOUT_BROWSER };
const ADMIN_EMAIL = "root@pay.example";
const ADMIN_PASSWORD = "platform password";
const MERCHANT = "demo_merchant";
const CURRENCIES = ["USD", "EUR", "GBP", "NGN", "KES", "INR", "BRL", "JPY", "CAD"];

let service: RunningService;
let owner: string;
let platform: string;
afterEach(closePages);
before(async () => {
  if (SKIP_WITHOUT_BROWSER !== false) return;
  service = await startTestService({
    AUTH_RATE_LIMIT_PER_MINUTE: "0",
    RATE_LIMIT_PER_MINUTE: "0",
    SECRET_KEY: WEBHOOK_SECRET_KEY,
    PLATFORM_ADMIN_EMAIL: ADMIN_EMAIL,
    PLATFORM_ADMIN_PASSWORD: ADMIN_PASSWORD,
  });
  const { request } = await openDashboard(service, service.workspaceId);
  await publishOver(service, EXPLAINED_RULES);
  for (let count = 0; count < 11; count++) await holdOrder(service, `order_${count}`);
  // More rows than one page of each list holds.
  await service.pool.query(
    `insert into merchants (workspace_id, merchant_id) select workspace_id, 'merchant_' || number
     from merchants, generate_series(1, 26) number where merchant_id = $1`,
    [MERCHANT],
  );
  for (let count = 0; count < 6; count++) {
    const body = { merchant_id: MERCHANT, name: `Draft ${count}`, rules: [], default_provider: "provider_1" };
    await made(() => request("POST", "/v1/policies", body));
  }
  await service.pool.query(
    `insert into audit_log (workspace_id, audit_id, actor, action, resource, metadata)
     select workspace_id, more.audit_id, actor, action, resource, metadata
     from (select * from audit_log where action = 'policy.created' limit 1) one, unnest($1::uuid[]) more (audit_id)`,
    [Array.from({ length: 25 }, () => idToHex(newId("aud")))],
  );
  const price = { provider: "provider_1", payment_method: "card", percentage_bps: 150, fixed_minor: 30 };
  await made(() =>
    request("POST", "/v1/pricing/rules", {
      merchant_id: MERCHANT,
      contract_name: "Prices",
      effective_from: new Date().toISOString(),
      replace: false,
      rules: CURRENCIES.map((currency) => ({ ...price, currency })),
    }),
  );
  // After this read, everything acknowledged is stored.
  await made(() => send(service, "GET", "/v1/decisions"));
  owner = (await signIn(service.pool, service.workspaceId, "owner")).token;
  platform = personOf(await made(() => login(service, ADMIN_EMAIL, ADMIN_PASSWORD))).token;
});

/**
 * Repeats a request until it succeeds, because PostgreSQL may be late on a starved host. The service then answers 503.
 */
const made = (ask: () => Promise<Reply>): Promise<Reply> =>
  eventually(async () => {
    const reply = await ask();
    assert.ok(reply.status < 300, reply.text);
    return reply;
  });

const select = (label: string, value: string) => (page: Page) =>
  page.locator("main").getByLabel(label, { exact: true }).selectOption(value);
const tab = (name: string) => (page: Page) => page.getByRole("tab", { name, exact: true }).click();
const radio = (name: string) => (page: Page) =>
  page.locator("main").getByRole("radio", { name, exact: true }).click();
const older = (what: string) => (page: Page) => page.getByRole("button", { name: `Older ${what}` }).click();
const button = (name: string | RegExp) => (page: Page) => page.getByRole("button", { name }).first().click();

/**
 * The choices on each page, in the order in which they are made. Choices at the same address follow each other on one
 * page, so each must survive beside the earlier ones. The page is opened again for each other address.
 */
const CHOICES: readonly { at: string; what: string; choose(page: Page): Promise<unknown> }[] = [
  { at: "/", what: "the range", choose: select("Range", "7d") },
  { at: "/", what: "the payment method", choose: tab("Wallet") },
  { at: "/", what: "the alerts shown", choose: radio("Closed") },
  { at: "/", what: "the figures of all time", choose: tab("Risk") },
  { at: "/decisions", what: "the range", choose: select("Range", "7d") },
  { at: "/decisions", what: "the instruction", choose: select("Instruction", "hold") },
  { at: "/reviews", what: "a page", choose: button("Newer reviews") },
  { at: "/shadow-report", what: "the window", choose: select("Window", "7") },
  { at: "/analytics", what: "the range", choose: select("Range", "30d") },
  { at: "/analytics?range=24h", what: "a page", choose: older("steps") },
  { at: "/policies", what: "a page of versions", choose: older("versions") },
  { at: "/policies", what: "the version that is edited", choose: button(/^Edit: v/) },
  { at: "/policies", what: "an empty draft", choose: button("Begin an empty draft") },
  { at: "/policies", what: "the editor's view", choose: tab("JSON") },
  { at: "/policies", what: "the tool", choose: tab("Write in English") },
  { at: "/policies?tool=backtest", what: "the days", choose: select("Decisions of the", "1") },
  { at: "/policies?tool=backtest", what: "the count", choose: select("At most the", "1000") },
  { at: "/policies", what: "the merchant", choose: select("Merchant", "merchant_3") },
  { at: "/pricing", what: "the contract", choose: button("Show the prices of Prices") },
  { at: "/pricing", what: "a page of its prices", choose: older("prices") },
  { at: "/api-keys", what: "the keys shown", choose: radio("Revoked and expired") },
  { at: "/integrations", what: "the merchant", choose: select("Merchant", "merchant_3") },
  { at: "/settings", what: "a page of merchants", choose: older("merchants") },
  { at: "/usage", what: "the months", choose: select("Months", "12") },
  { at: "/audit-log", what: "a page", choose: older("entries") },
  { at: "/audit-log", what: "the action", choose: select("Action", "policy.created") },
  { at: "/platform", what: "what is looked for", choose: (page) => page.getByLabel("Find").fill("dem") },
];

/** All current choices, as the page shows them. */
const CHOSEN = `(() => {
  const all = (where, textOf) => [...document.querySelectorAll(where)].map(textOf);
  return JSON.stringify([
    all("main select", ({ value }) => value),
    all("main [aria-selected=true], main [role=radio][aria-checked=true]", ({ textContent }) => textContent),
    all("main [aria-expanded=true]", (opened) => opened.getAttribute("aria-label")),
    all("main .pagination-text", ({ textContent }) => textContent),
    all("main input[type=search]", ({ value }) => value),
    all("main h2", ({ textContent }) => textContent),
  ]);
})()`;

const requestsUnderWay = new WeakMap<Page, Set<Request>>();

/** The requests that the page has made since the first call, and that have no answer yet. */
function underWay(page: Page): Set<Request> {
  const known = requestsUnderWay.get(page);
  if (known !== undefined) return known;
  const requests = new Set<Request>();
  requestsUnderWay.set(page, requests);
  page.on("request", (request) => requests.add(request));
  page.on("requestfinished", (request) => requests.delete(request));
  page.on("requestfailed", (request) => requests.delete(request));
  return requests;
}

/** Resolves once the page waits for no answer, and its text no longer changes. */
async function settled(page: Page): Promise<string> {
  const requests = underWay(page);
  await page.waitForLoadState("networkidle");
  return eventually(async () => {
    const before = await page.evaluate(CHOSEN);
    await page.waitForTimeout(300);
    assert.equal(requests.size, 0);
    assert.equal(await page.locator("main .skeleton").count(), 0);
    assert.equal(await page.evaluate(CHOSEN), before);
    return String(before);
  });
}

describe(
  "DASH-10: a person's choices are in the address and survive a reload, in a real browser",
  OPTIONS,
  () => {
    for (const path of new Set(CHOICES.map(({ at }) => at.split("?")[0] ?? at))) {
      it(`on ${path}`, async () => {
        const visitor = await visit(service, { token: path === "/platform" ? platform : owner });
        const { page } = visitor;
        let opened = "";
        let first = "";
        for (const { at, what, choose } of CHOICES.filter(({ at }) => at.split("?")[0] === path)) {
          if (at !== opened) {
            await visitor.open(`/dashboard${at}${at.includes("?") ? "&" : "?"}mode=test`);
            first = await settled(page);
            opened = at;
          }
          await choose(page);
          const chosen = await settled(page);
          assert.notEqual(chosen, first, what);
          await page.reload();
          assert.equal(await settled(page), chosen, what);
          first = chosen;
        }
        visitor.assertClean();
      });
    }
  },
);
