import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { afterEach, before, describe, it } from "node:test";
import { closePages, SKIP_WITHOUT_BROWSER, visit } from "../support/people/browser.js";
import { openDashboard } from "../support/people/dashboard.js";
import { signIn } from "../support/people/feedback.js";
import { createKey, createWorkspace } from "../support/people/tenants.js";
import { decisionBody, send, startTestService, type RunningService } from "../support/service/service.js";

const OPTIONS = { skip: SKIP_WITHOUT_BROWSER };

let service: RunningService;
let workspaceId: string;
afterEach(closePages);
before(async () => {
  if (SKIP_WITHOUT_BROWSER !== false) return;
  service = await startTestService();
  workspaceId = await createWorkspace(service);
  const key = await createKey(service.pool, workspaceId);
  const transaction = { amount: 129_900, currency: "EUR", country: "DE", payment_method: "card" };
  for (const orderId of ["order_1", "order_2"]) {
    const body = decisionBody({ order_id: orderId, transaction });
    assert.equal((await send(service, "POST", "/v1/decision", { body, key })).status, 200);
  }
});

describe("EXP-14: exports on the dashboard", OPTIONS, () => {
  it("the log's button makes a file of the filters shown, and the page Exports has it", async () => {
    const { token } = await signIn(service.pool, workspaceId, "analyst");
    const visitor = await visit(service, { token });
    const { page } = visitor;
    await visitor.open("/dashboard/decisions?mode=test&currency=EUR&order_id=order_2");
    await page.getByText("1 match").waitFor();
    await page.getByRole("button", { name: "Download" }).click();
    await page.getByLabel("Format").selectOption("csv");
    await visitor.assertAccessible();
    await page.getByRole("button", { name: "Make the file" }).click();
    await page.getByRole("heading", { level: 1, name: "Exports" }).waitFor();
    assert.match(page.url(), /mode=test$/);
    await page.getByText("Currency: EUR").waitFor();
    const link = page.getByRole("link", { name: "Download" });
    await link.waitFor({ timeout: 60_000 });
    await page.getByText(/^1 rows?, .* expires/).waitFor();
    await visitor.assertAccessible();
    const [download] = await Promise.all([page.waitForEvent("download"), link.click()]);
    assert.match(download.suggestedFilename(), /^payinference-decisions-test-1970-01-01-.*\.csv$/);
    const lines = (await readFile(await download.path(), "utf8")).trimEnd().split("\r\n");
    assert.equal(lines.length, 2);
    assert.match(lines[1] ?? "", /order_2,.*,EUR,DE,card,/);
    await page.getByRole("button", { name: /^Delete xpt_/ }).click();
    await page.getByRole("button", { name: "Delete the export" }).click();
    await page.getByText("Nothing was exported yet").waitFor();
    visitor.assertClean();
  });

  it("the audit log and usage have the button, too", async () => {
    const { token } = await signIn(service.pool, workspaceId, "owner");
    const visitor = await visit(service, { token });
    const { page } = visitor;
    for (const [path, kind] of [
      ["/dashboard/usage?mode=test&months=12", "Usage, test"],
      ["/dashboard/audit-log?mode=test", "Audit log"],
    ] as const) {
      await visitor.open(path);
      await page.getByRole("button", { name: "Download" }).click();
      await page.getByLabel("Format").selectOption("ndjson");
      await page.getByRole("button", { name: "Make the file" }).click();
      await page.getByRole("table", { name: "Exports" }).getByText(kind, { exact: true }).waitFor();
    }
    await page.getByRole("link", { name: "Download" }).nth(1).waitFor({ timeout: 60_000 });
    visitor.assertClean();
    const owner = await openDashboard(service, workspaceId);
    const listed = (await owner.get("/v1/exports")).json["exports"] as Record<string, unknown>[];
    const usage = listed.find(({ kind }) => kind === "usage");
    assert.match(String(usage?.["from"]), /^\d{4}-\d\d-01T00:00:00\.000Z$/);
    const fileOf = async (one: Record<string, unknown> | undefined): Promise<string> =>
      (await owner.get(`/v1/exports/${String(one?.["id"])}/file`)).text;
    // Two decisions are the test's own. The third is the one that `inOwnWorkspace` made.
    assert.match(await fileOf(usage), /"mode":"test","merchant_id":"demo_merchant","decisions":3/);
    assert.match(await fileOf(listed.find(({ kind }) => kind === "audit_log")), /"action":"export\.created"/);
  });
});
