import { mkdir } from "node:fs/promises";
import { it } from "node:test";
import { fileURLToPath } from "node:url";
import { fillDatabase } from "../../bench/history/fill-database.js";
import { DEFAULT_PROVIDERS } from "../../bench/client/traffic.js";
import { ALERT_KIND_ROWS } from "../../src/domain/vocabulary/alert-kinds.js";
import { idToHex } from "../../src/domain/ids/ids.js";
import { SKIP_WITHOUT_BROWSER, visit } from "../support/people/browser.js";
import { openDashboard } from "../support/people/dashboard.js";
import { EXPLAINED_RULES, holdOrder, publishOver } from "../support/load/explained-decisions.js";
import { signIn } from "../support/people/feedback.js";
import { decisionBody, send, startTestService, type RunningService } from "../support/service/service.js";
import { createKey, newId } from "../support/people/tenants.js";
import { WEBHOOK_SECRET_KEY } from "../support/service/webhooks.js";
import { storePolicies, storePrices } from "./screenshot-policies.js";

/** `npm run screenshots` makes the pictures in docs/screenshots from a day of made-up traffic in the demo workspace. */
const FOLDER = fileURLToPath(new URL("../../../docs/screenshots/", import.meta.url));
const DAY_MS = 86_400_000;
const DECISIONS = 12_000;
const LIVE_TRAFFIC_MS = 14_000;
const STILL_MS = 2000;

/** Each page is captured once in each scheme. `HELD` stands for the id of a held decision. */
const SHOTS = [
  { name: "overview", path: "/dashboard", height: 1000 },
  { name: "decisions", path: "/dashboard/decisions", height: 900, isStill: true },
  { name: "decision", path: "/dashboard/decisions/HELD", height: 900, isStill: true },
  { name: "reviews", path: "/dashboard/reviews", height: 800, isStill: true },
  { name: "shadow-report", path: "/dashboard/shadow-report", height: 900, isStill: true },
  { name: "policies", path: "/dashboard/policies", height: 900, isStill: true },
  { name: "pricing", path: "/dashboard/pricing", height: 900, isStill: true },
  { name: "sign-in", path: "/dashboard/sign-in", height: 700, isSignedOut: true },
  ...[
    "analytics",
    "api-keys",
    "integrations",
    "events",
    "drills",
    "team",
    "settings",
    "usage",
    "audit-log",
  ].map((name) => ({ name, path: `/dashboard/${name}`, height: 800, isStill: true })),
] as const;

it("screenshots", { skip: SKIP_WITHOUT_BROWSER }, async () => {
  await mkdir(FOLDER, { recursive: true });
  const service = await startTestService({ SECRET_KEY: WEBHOOK_SECRET_KEY });
  await fillWithHistory(service);
  await administer(service);
  await startDrills(service);
  await storePolicies(service);
  await storePrices(service);
  await service.pool.query("update users set name = 'Ada Okafor'");
  const key = await createKey(service.pool, service.workspaceId, { mode: "live" });
  await publishOver(service, EXPLAINED_RULES);
  // A process makes its first decision slowly, so one is made here.
  await holdOrder(service, "order_48200", key);
  const held = await holdOrder(service, "order_48201", key);
  const stopTraffic = startTraffic(service, key);
  for (const scheme of ["light", "dark"] as const) {
    const { token } = await signIn(service.pool, service.workspaceId, "owner");
    await service.pool.query("update users set name = 'Ada Okafor' where name is null");
    for (const shot of SHOTS) {
      const { name, path, height } = shot;
      const visitor = await visit(service, {
        scheme,
        height,
        ...("isSignedOut" in shot ? {} : { token }),
      });
      await visitor.open(path.replace("HELD", held.decision_id));
      const isStill = "isSignedOut" in shot || "isStill" in shot;
      await visitor.page.waitForTimeout(isStill ? STILL_MS : LIVE_TRAFFIC_MS);
      // The window is as high as the page, so parts that are fixed to the window end where the page ends.
      const contentHeight = Number(await visitor.page.evaluate("document.documentElement.scrollHeight"));
      await visitor.page.setViewportSize({ width: 1440, height: contentHeight });
      await visitor.page.screenshot({ path: `${FOLDER}${name}-${scheme}.png` });
      await visitor.close();
    }
  }
  await stopTraffic();
});

async function fillWithHistory(service: RunningService): Promise<void> {
  const toMs = Date.now();
  await fillDatabase(
    service.pool,
    newId("ws"),
    {
      seed: 7,
      workspaceId: service.workspaceId,
      mode: "live",
      merchants: ["demo_merchant"],
      providers: DEFAULT_PROVIDERS,
      decisions: DECISIONS,
      fromMs: toMs - DAY_MS,
      toMs,
    },
    () => undefined,
  );
}

/** Makes keys, people, merchants and secrets, as a named person. */
async function administer(service: RunningService): Promise<void> {
  const owner = await openDashboard(service, service.workspaceId);
  await service.pool.query("update users set name = 'Ada Okafor' where name is null");
  const changes = [
    ["POST", "/v1/admin/merchants", { merchant_id: "lagos_market", name: "Lagos Market" }],
    ["POST", "/v1/api-keys", { name: "Checkout", mode: "live", scopes: ["decision:write", "outcome:write"] }],
    ["POST", "/v1/api-keys", { name: "Reporting", mode: "live", scopes: ["health:read", "policy:read"] }],
    ["POST", "/v1/team/invitations", { email: "grace@shop.example", role: "analyst" }],
    ["PUT", "/v1/integrations/provider_1/webhook-secret", { merchant_id: "demo_merchant" }],
  ] as const;
  for (const [method, path, body] of changes) await owner.request(method, path, body);
}

/** Shows health as on a bad day. */
async function startDrills(service: RunningService): Promise<void> {
  const owner = await openDashboard(service, service.workspaceId);
  const drills = [
    ["provider_3", { state: "degraded", payment_method: "card", currency: "NGN" }],
    ["provider_3", { state: "watch", payment_method: "card", currency: "KES" }],
    ["provider_5", { state: "critical", payment_method: "card", currency: "BRL" }],
    ["provider_4", { state: "unavailable", payment_method: "card", currency: "JPY" }],
  ] as const;
  for (const [provider, body] of drills) {
    await owner.request("PUT", `/v1/admin/provider-overrides/${provider}`, body);
  }
  const openedAt = Date.now();
  const alerts = [
    [1, "provider_4", "provider_4:card:JPY", "CIRCUIT_OPEN", 4],
    [1, "provider_5", "provider_5:card:BRL", "PROVIDER_5_ERROR_RATE_ELEVATED", 17],
    [0, "provider_3", "provider_3:card:NGN", "PROVIDER_3_TIMEOUT_RATE_ELEVATED", 52],
  ] as const;
  for (const [severity, provider, segment, code, minutes] of alerts) {
    await service.pool.query(
      `insert into alerts (workspace_id, kind, alert_id, mode, severity, provider, segment_key, reason_code, opened_at,
         confirmed_at)
       values ($1, ${ALERT_KIND_ROWS.workspace_health.code}, $2, 1, $3, $4, $5, $6, $7, now() + interval '1 day')`,
      [
        idToHex(service.workspaceId),
        idToHex(newId("alr")),
        severity,
        provider,
        segment,
        code,
        new Date(openedAt - minutes * 60_000),
      ],
    );
  }
}

/** Simulates a shop with ups and downs, a few decisions at a time. Resolves once the last answer is in. */
function startTraffic(service: RunningService, key: string): () => Promise<void> {
  const abort = new AbortController();
  let orders = 0;
  const run = async (): Promise<void> => {
    while (!abort.signal.aborted) {
      const burst = 4 + Math.round(3 * Math.sin(Date.now() / 5000));
      await Promise.all(Array.from({ length: burst }, () => decideAndReport(service, key, orders++)));
      await new Promise((resolve) => setTimeout(resolve, 180));
    }
  };
  const running = run();
  return async () => {
    abort.abort();
    await running;
  };
}

const CURRENCIES = ["USD", "EUR", "GBP", "NGN", "KES"] as const;
const COUNTRIES = ["US", "DE", "GB", "NG", "KE"] as const;

async function decideAndReport(service: RunningService, key: string, order: number): Promise<void> {
  const at = order % CURRENCIES.length;
  const amount = 900 + ((order * 7919) % 180_000);
  const currency = CURRENCIES[at] ?? "USD";
  const body = decisionBody({
    order_id: `order_${48_210 + order}`,
    transaction: {
      amount,
      currency,
      country: COUNTRIES[at],
      payment_method: "card",
      ...(order % 17 === 0 ? { risk_score: 95 } : {}),
    },
    available_providers: ["provider_1", "provider_2", "provider_3"],
    risk_signals: { previous_success_count: order % 6, velocity_count_10m: order % 5 },
  });
  const { json } = await send(service, "POST", "/v1/decision", { body, key });
  const route = json["route"] as { primary_provider: string } | null;
  if (route === null || order % 3 === 0) return;
  await send(service, "POST", "/v1/outcomes", {
    key,
    body: {
      decision_id: json["decision_id"],
      order_id: body["order_id"],
      provider_used: route.primary_provider,
      outcome: order % 8 === 1 ? "soft_declined" : "approved",
      provider_latency_ms: 240,
      amount,
      currency,
    },
  });
}
