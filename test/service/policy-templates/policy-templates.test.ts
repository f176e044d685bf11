import assert from "node:assert/strict";
import { before, describe, it } from "node:test";
import { send, startTestService, type RunningService } from "../../support/service/service.js";

interface Template {
  template_id: string;
  name: string;
  default_provider: string | null;
  rules: object[];
  choices: { path: string; english: string }[];
}

let service: RunningService;
before(async () => {
  service = await startTestService({});
});

async function page(query: string): Promise<{ templates: Template[]; has_more: boolean }> {
  const { status, json } = await send(service, "GET", `/v1/policy-templates${query}`, { key: null });
  assert.equal(status, 200);
  return json as never;
}
const idsOf = ({ templates }: { templates: readonly Template[] }): string[] =>
  templates.map(({ template_id }) => template_id);

describe("GET /v1/policy-templates", () => {
  it("POL-24: anybody pages through them, in an order that stays", async () => {
    const whole = await page("");
    const all = idsOf(whole);
    assert.ok(all.length >= 6 && !whole.has_more);
    const first = await page("?page_size=2");
    assert.deepEqual([idsOf(first), first.has_more], [all.slice(0, 2), true]);
    const rest = await page(`?starting_after=${all[1] ?? ""}`);
    assert.deepEqual([idsOf(rest), rest.has_more], [all.slice(2), false]);
    const back = await page(`?page_size=1&ending_before=${all[2] ?? ""}`);
    assert.deepEqual([idsOf(back), back.has_more], [all.slice(1, 2), true]);
    assert.deepEqual(await page("?starting_after=no_such_one"), { templates: [], has_more: false });
  });

  it("POL-24: both cursors, one that is none, and an unknown parameter are 400", async () => {
    for (const query of ["?starting_after=a&ending_before=b", "?starting_after=A-1", "?name=a"]) {
      const { status } = await send(service, "GET", `/v1/policy-templates${query}`, { key: null });
      assert.equal(status, 400, query);
    }
  });

  it("POL-26: each can be published as it is", async () => {
    for (const { name, default_provider, rules } of (await page("")).templates) {
      const { status, text } = await send(service, "POST", "/v1/policies", {
        body: { merchant_id: "demo_merchant", name, default_provider, rules, publish: true },
      });
      assert.equal(status, 200, text);
    }
  });
});
