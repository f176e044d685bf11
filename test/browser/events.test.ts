import assert from "node:assert/strict";
import { afterEach, before, describe, it } from "node:test";
import { Webhook } from "standardwebhooks";
import type { Role } from "../../src/domain/vocabulary/vocabulary.js";
import { idToHex } from "../../src/domain/ids/ids.js";
import {
  closePages,
  SKIP_WITHOUT_BROWSER,
  visit,
  type Visit,
  type VisitOptions,
} from "../support/people/browser.js";
import { openDashboard } from "../support/people/dashboard.js";
import { signIn } from "../support/people/feedback.js";
import { createWorkspace } from "../support/people/tenants.js";
import { startScriptedServer, type ScriptedServer } from "../support/http/scripted-server.js";
import { startTestService, type RunningService } from "../support/service/service.js";
import { WEBHOOK_SECRET_KEY } from "../support/service/webhooks.js";

const OPTIONS = { skip: SKIP_WITHOUT_BROWSER };

let service: RunningService;
let receiver: ScriptedServer;
/** The status that the receiver answers with. */
let answer = 204;
afterEach(closePages);
before(async () => {
  if (SKIP_WITHOUT_BROWSER !== false) return;
  service = await startTestService({ SECRET_KEY: WEBHOOK_SECRET_KEY, EVENTS_ALLOW_PRIVATE: "1" });
  receiver = await startScriptedServer(
    (socket) => void socket.write(`HTTP/1.1 ${answer} Said\r\ncontent-length: 0\r\n\r\n`),
  );
});

async function openEvents(workspaceId: string, role: Role, options: VisitOptions = {}): Promise<Visit> {
  const { token } = await signIn(service.pool, workspaceId, role);
  const visitor = await visit(service, { ...options, token });
  await visitor.open("/dashboard/events?mode=test");
  await visitor.page.getByRole("heading", { level: 1, name: "Events" }).waitFor();
  return visitor;
}

const toast = ({ page }: Visit, text: string): Promise<void> =>
  page.getByRole("status").getByText(text).waitFor();

describe("events out, in a real browser", OPTIONS, () => {
  it("DASH-17: an endpoint is added with its secret, tested, redelivered to, edited and deleted", async () => {
    const visitor = await openEvents(await createWorkspace(service), "developer");
    const { page } = visitor;
    await page.getByRole("heading", { name: "Nobody is told yet" }).waitFor();
    await page.getByRole("region", { name: "Code of a receiver" }).getByText("webhook.verify").waitFor();
    await visitor.assertAccessible();
    await page.getByRole("button", { name: "Add an endpoint" }).click();
    await page.getByLabel("Address").fill(`${receiver.url}/one`);
    await page.getByLabel("Description").fill("Ledger");
    await page.getByLabel("key.created").check();
    await visitor.assertAccessible();
    await page.getByRole("button", { name: "Add the endpoint" }).click();
    const secret = await page.getByLabel("Signing secret").inputValue();
    assert.match(secret, /^whsec_/);
    await visitor.assertAccessible();
    await page.getByRole("button", { name: "I have stored it" }).click();
    assert.equal((await page.content()).includes(secret), false);
    const row = page.getByRole("row", { name: /Ledger/ });
    await row.getByText("It takes what it is sent").waitFor();
    assert.match(String(await row.textContent()), /alert\.openedalert\.closeddecision\.heldkey\.created/);

    await row.getByRole("button", { name: "Send a test to Ledger" }).click();
    const deliveries = page.getByRole("region", { name: "Deliveries", exact: true });
    const delivered = deliveries.getByRole("row", { name: /endpoint\.test.*Delivered.*HTTP 204/ });
    await delivered.waitFor();
    const sent = receiver.requests.find(({ line }) => line === "POST /one");
    new Webhook(secret).verify(sent?.body ?? "", { ...sent?.headers });
    await deliveries.getByRole("button", { name: /^Redeliver endpoint\.test/ }).click();
    await toast(visitor, "endpoint.test is sent once more");
    await delivered.nth(1).waitFor();
    const ids = receiver.requests
      .filter(({ line }) => line === "POST /one")
      .map(({ headers }) => headers["webhook-id"]);
    assert.deepEqual(ids, [ids[0], ids[0]]);
    // DASH-10: the address names the endpoint whose deliveries are shown.
    await page.reload();
    await delivered.first().waitFor();

    await row.getByRole("button", { name: "Edit Ledger" }).click();
    await page.getByLabel("Description").fill("Books");
    await page.getByRole("button", { name: "Save" }).click();
    await page.getByRole("row", { name: /Books/ }).getByRole("button", { name: "Delete Books" }).click();
    await visitor.assertAccessible();
    await page.getByRole("button", { name: "Delete the endpoint" }).click();
    await page.getByRole("heading", { name: "Nobody is told yet" }).waitFor();
    visitor.assertClean();
  });

  it("DASH-17: an endpoint without events shows the reason, and a failed delivery shows its error", async () => {
    const workspaceId = await createWorkspace(service);
    const owner = await openDashboard(service, workspaceId);
    const made = await owner.request("POST", "/v1/event-endpoints", {
      url: `${receiver.url}/two`,
      types: ["key.created"],
    });
    const { id } = made.json["event_endpoint"] as { id: string };
    answer = 500;
    const visitor = await openEvents(workspaceId, "owner");
    const { page } = visitor;
    const row = page.getByRole("row", { name: /\/two/ });
    await row.getByRole("button", { name: /^Send a test/ }).click();
    const deliveries = page.getByRole("region", { name: "Deliveries", exact: true });
    await deliveries.getByRole("row", { name: /Waiting.*HTTP 500/ }).waitFor();
    // Waiting deliveries are sent without a click.
    assert.equal(await deliveries.getByRole("button", { name: /^Redeliver/ }).count(), 0);
    await row.getByText("It has taken nothing since").waitFor();
    await row.getByRole("button", { name: /^Disable/ }).click();
    await row.getByText("Somebody disabled it").waitFor();
    assert.equal(await row.getByRole("button", { name: /^Send a test/ }).count(), 0);
    await service.pool.query("update event_endpoints set status = 'failed' where endpoint_id = $1", [
      idToHex(id),
    ]);
    await row.getByText("It took no event for 24 hours").waitFor();
    answer = 204;
    await row.getByRole("button", { name: /^Enable/ }).click();
    await row.getByText("It takes what it is sent").waitFor();
    visitor.assertClean();
  });

  it("an address that is refused is named at its field", async () => {
    const visitor = await openEvents(await createWorkspace(service), "admin");
    const { page } = visitor;
    await page.getByRole("button", { name: "Add an endpoint" }).click();
    await page.getByLabel("Address").fill("https://user@hooks.example");
    await page.getByRole("button", { name: "Add the endpoint" }).click();
    await page.getByRole("alert").waitFor();
    assert.equal(await page.getByLabel("Address").getAttribute("aria-invalid"), "true");
    visitor.assertClean([400]);
  });

  for (const [scheme, width] of [
    ["light", 1440],
    ["dark", 390],
  ] as const) {
    it(`no accessibility violation in the ${scheme} scheme at ${width} px, and nothing moves`, async () => {
      const workspaceId = await createWorkspace(service);
      const owner = await openDashboard(service, workspaceId);
      const made = await owner.request("POST", "/v1/event-endpoints", {
        url: `${receiver.url}/${"long".repeat(40)}`,
        types: ["key.created", "key.revoked", "policy.published", "decision.held"],
      });
      const { id } = made.json["event_endpoint"] as { id: string };
      await owner.request("POST", `/v1/event-endpoints/${id}/test`);
      const visitor = await openEvents(workspaceId, "owner", { scheme, width });
      await visitor.page.locator(".event-types").waitFor();
      await visitor.assertSteady();
      await visitor.page.getByRole("button", { name: /^Deliveries to/ }).click();
      await visitor.page.getByRole("row", { name: /endpoint\.test.*Delivered/ }).waitFor();
      await visitor.assertAccessible();
      await visitor.assertNoSidewaysScroll();
      visitor.assertClean();
    });
  }
});
