import assert from "node:assert/strict";
import { afterEach, before, describe, it } from "node:test";
import type { Page } from "playwright-core";
import { bearer, newEmail, PASSWORD, post, personOf } from "../support/people/accounts.js";
import { closePages, SKIP_WITHOUT_BROWSER, visit } from "../support/people/browser.js";
import { createKey } from "../support/people/tenants.js";
import {
  decisionBody,
  eventually,
  send,
  type Reply,
  type RunningService,
} from "../support/service/service.js";
import { sharedTestService } from "../support/service/shared-service.js";

const OPTIONS = { skip: SKIP_WITHOUT_BROWSER };

/** These marks reverse the following text, and end an isolation that began outside. */
const MARKS = "\u2069\u202e";
const foreign = (length: number, text = "w"): string => MARKS + text.repeat(length - MARKS.length);
const MERCHANT = "m".repeat(128);
const ORDER = foreign(128);
const RULE = foreign(60);

let service: RunningService;
let token: string;
let decisionId: string;
afterEach(closePages);
before(async () => {
  if (SKIP_WITHOUT_BROWSER !== false) return;
  service = await sharedTestService();
  const registered = await made(() =>
    post(service, "/v1/auth/register", {
      email: newEmail(),
      password: PASSWORD,
      name: foreign(120),
      workspace_name: foreign(120),
      merchant_id: MERCHANT,
    }),
  );
  const person = personOf(registered);
  ({ token } = person);
  await change("POST", "/v1/team/invitations", { email: `${"e".repeat(64)}@shop.example`, role: "analyst" });
  await change("POST", "/v1/admin/merchants", { merchant_id: "second", name: foreign(120) });
  await change("POST", "/v1/api-keys", { name: foreign(120), mode: "test", scopes: ["decision:write"] });
  await change("POST", "/v1/pricing/rules", {
    merchant_id: MERCHANT,
    contract_name: foreign(120),
    effective_from: new Date().toISOString(),
    replace: false,
    rules: [
      {
        provider: "provider_1",
        payment_method: "card",
        currency: "USD",
        percentage_bps: 150,
        fixed_minor: 30,
      },
    ],
  });
  await change("POST", "/v1/policies", {
    merchant_id: MERCHANT,
    name: foreign(120),
    publish: true,
    default_provider: "provider_1",
    rules: [
      { name: RULE, when: { amount_gte: 1000, currency_in: ["USD"] }, then: { type: "hold" } },
      { name: foreign(60, "v"), when: { amount_gte: 1000, currency_in: ["USD"] }, then: { type: "step_up" } },
    ],
  });
  const key = await createKey(service.pool, person.workspaceId);
  const body = decisionBody({ merchant_id: MERCHANT, order_id: ORDER });
  decisionId = await eventually(async () => {
    const { status, json } = await send(service, "POST", "/v1/decision", { body, key });
    assert.equal(status, 200);
    assert.equal(json["action"], "hold");
    return String(json["decision_id"]);
  });
  await made(() => send(service, "GET", `/v1/decisions/${decisionId}`, { key }));
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
const change = (method: string, path: string, body: object): Promise<Reply> =>
  made(() => send(service, method, path, { body, key: null, headers: bearer(token) }));

/** The visible texts with a mark that is not isolated: the class of the element, and the beginning of the text. */
const UNISOLATED = `(() => {
  const found = [];
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  for (let node = walker.nextNode(); node !== null; node = walker.nextNode()) {
    const { parentElement: holder } = node;
    if (!node.data.includes("\\u202e") || holder.closest("bdi, textarea, .visually-hidden") !== null) continue;
    // An option can contain no bdi element, so its text must hold the isolating characters itself.
    if (holder.closest("option") !== null && /^[^\\u202e]*\\u2068[^\\u2069]*\\u202e/.test(node.data)) continue;
    found.push(holder.className + ": " + node.data.slice(0, 40));
  }
  return found;
})()`;

const assertIsolated = async (page: Page, path: string): Promise<void> =>
  assert.deepEqual(await page.evaluate(UNISOLATED), [], path);

/** `shown` appears once everything on the page is loaded. */
const PAGES: readonly { path: string; shown: string }[] = [
  { path: "/", shown: ".table" },
  { path: "/decisions", shown: ".log-order bdi" },
  { path: "/decisions/ID", shown: ".rule-name bdi" },
  { path: "/reviews", shown: ".review-card bdi" },
  { path: "/shadow-report", shown: ".panel" },
  { path: "/analytics", shown: ".shares" },
  { path: "/policies", shown: ".rule-card bdi" },
  { path: "/pricing", shown: ".table bdi" },
  { path: "/api-keys", shown: ".table bdi" },
  { path: "/integrations", shown: ".table bdi" },
  { path: "/drills", shown: ".form" },
  { path: "/team", shown: ".table bdi" },
  { path: "/settings", shown: ".table bdi" },
  { path: "/usage", shown: ".table" },
  { path: "/audit-log", shown: ".audit-entry bdi" },
];

describe("DASH-9: other people's text is isolated, and wraps or is cut, in a real browser", OPTIONS, () => {
  for (const width of [390, 1280]) {
    it(`on every page, ${width} px wide`, async () => {
      const visitor = await visit(service, { token, width });
      const { page } = visitor;
      for (const { path, shown } of PAGES) {
        await visitor.open(`/dashboard${path.replace("ID", decisionId)}?mode=test`);
        await page.locator(shown).first().waitFor();
        await assertIsolated(page, path);
        const [content, window] = (await page.evaluate(
          "[document.documentElement.scrollWidth, document.documentElement.clientWidth]",
        )) as [number, number];
        assert.ok(content <= window, `${path}: ${content} px in a window of ${window} px`);
      }
      visitor.assertClean();
    });

    it(`in the confirmations before an action and the messages after it, ${width} px wide`, async () => {
      const visitor = await visit(service, { token, width });
      const { page } = visitor;
      await page.route("**/review?*", (route) => route.fulfill({ status: 409, json: { error: "conflict" } }));
      const asked: readonly [path: string, button: string][] = [
        ["/reviews", "Approve "],
        ["/api-keys", "Revoke "],
        ["/team", "Remove "],
        ["/policies", "Publish…"],
      ];
      for (const [path, button] of asked) {
        await visitor.open(`/dashboard${path}?mode=test`);
        if (path === "/policies") {
          await page.getByLabel("Policy name").fill(foreign(120, "n"));
          await page.locator("button:enabled", { hasText: button }).waitFor();
        }
        await page.getByRole("button", { name: button, disabled: false }).first().click();
        const dialog = page.getByRole("dialog");
        await dialog.locator("bdi").first().waitFor();
        await assertIsolated(page, path);
        const wide = await dialog.evaluate((element) => {
          const { scrollWidth, clientWidth } = element as unknown as Record<
            "scrollWidth" | "clientWidth",
            number
          >;
          return scrollWidth - clientWidth;
        });
        assert.ok(wide <= 0, `${path}: the dialog is ${wide} px too wide`);
        if (path !== "/reviews") continue;
        await dialog.getByRole("button", { name: "Approve payment" }).click();
        await page.locator(".toast bdi").waitFor();
        await assertIsolated(page, path);
        await visitor.assertNoSidewaysScroll();
      }
      visitor.assertClean([409]);
    });
  }
});
