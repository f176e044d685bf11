import assert from "node:assert/strict";
import { before, describe, it } from "node:test";
import { login, newEmail, post, register, type Person } from "../../support/people/accounts.js";
import { newId } from "../../support/people/tenants.js";
import { send, type RunningService } from "../../support/service/service.js";
import { platformAdmin, sharedTestService } from "../../support/service/shared-service.js";

/** A list of the API: its path, the member with its rows, a row's cursor, and a cursor to no row. */
interface List {
  path: string;
  rows: string;
  cursorOf(row: Record<string, string>): string;
  unknown: string;
  /** Makes one more row. */
  more?(owner: Person, at: number): Promise<unknown>;
  isPlatforms?: true;
  /** ADM-17: the list can be read without pages as well. */
  isWhole?: true;
}

const made = async (owner: Person, path: string, body: object): Promise<void> => {
  const { status, text } = await post(service, path, body, owner.token);
  assert.equal(status, 201, text);
};
const addMerchant = (owner: Person, at: number): Promise<void> =>
  made(owner, "/v1/admin/merchants", { merchant_id: `shop_${at}` });

const LISTS: readonly List[] = [
  {
    path: "/v1/auth/sessions",
    rows: "sessions",
    cursorOf: ({ session_id = "" }) => session_id,
    unknown: newId("ses"),
    more: (owner) => login(service, owner.email),
  },
  {
    path: "/v1/api-keys",
    isWhole: true,
    rows: "api_keys",
    cursorOf: ({ id = "" }) => id,
    unknown: newId("key"),
    more: (owner, at) =>
      made(owner, "/v1/api-keys", { name: `key ${at}`, mode: "test", scopes: ["health:read"] }),
  },
  {
    path: "/v1/team/invitations",
    rows: "invitations",
    cursorOf: ({ invitation_id = "" }) => invitation_id,
    unknown: newId("inv"),
    more: (owner) => made(owner, "/v1/team/invitations", { email: newEmail(), role: "analyst" }),
  },
  {
    path: "/v1/team",
    isWhole: true,
    rows: "members",
    cursorOf: ({ user_id = "" }) => user_id,
    unknown: newId("usr"),
    async more(owner) {
      const invitation = { email: newEmail(), role: "analyst" };
      const { json } = await post(service, "/v1/team/invitations", invitation, owner.token);
      await post(service, "/v1/auth/accept-invitation", {
        token: json["token"],
        name: "Ada",
        password: "a password for tests",
      });
    },
  },
  {
    path: "/v1/admin/merchants",
    isWhole: true,
    rows: "merchants",
    cursorOf: ({ merchant_id = "" }) => merchant_id,
    unknown: "nobody",
    more: addMerchant,
  },
  {
    path: "/v1/admin/workspaces",
    isWhole: true,
    rows: "workspaces",
    cursorOf: ({ id = "" }) => id,
    unknown: newId("ws"),
    more: () => register(service),
    isPlatforms: true,
  },
];

let service: RunningService;
before(async () => {
  service = await sharedTestService();
});

interface Page {
  rows: Record<string, string>[];
  hasMore: unknown;
}

describe("LIST-1 to LIST-3, LIST-5: lists in pages", () => {
  for (const list of LISTS) {
    it(`${list.path} is walked in both directions, and refuses anything but a cursor`, async () => {
      const owner = await register(service);
      for (let at = 0; at < 4; at++) await list.more?.(owner, at);
      const by = list.isPlatforms === true ? await platformAdmin(service) : owner;
      const answer = (query: string) =>
        send(service, "GET", `${list.path}?${query}`, {
          key: null,
          headers: { authorization: `Bearer ${by.token}` },
        });
      const page = async (query: string): Promise<Page> => {
        const { status, json, text } = await answer(query);
        assert.equal(status, 200, text);
        return { rows: json[list.rows] as Page["rows"], hasMore: json["has_more"] };
      };
      const idsOf = ({ rows }: Page): string[] => rows.map(list.cursorOf);
      const ids = idsOf(await page("page_size=5"));
      assert.ok(ids.length >= 4);
      const first = await page("page_size=2");
      assert.deepEqual([idsOf(first), first.hasMore], [ids.slice(0, 2), true]);
      const second = await page(`page_size=2&starting_after=${ids[1]}`);
      assert.deepEqual([idsOf(second), second.hasMore], [ids.slice(2, 4), ids.length > 4]);
      const back = await page(`page_size=2&ending_before=${ids[3]}`);
      assert.deepEqual([idsOf(back), back.hasMore], [ids.slice(1, 3), true]);
      const top = await page(`page_size=2&ending_before=${ids[2]}`);
      assert.deepEqual([idsOf(top), top.hasMore], [ids.slice(0, 2), false]);
      for (const cursor of ["starting_after", "ending_before"]) {
        assert.deepEqual(await page(`${cursor}=${list.unknown}`), { rows: [], hasMore: false });
      }
      const whole = await page("");
      assert.equal(whole.hasMore, list.isWhole ? undefined : ids.length > 25);
      assert.deepEqual(idsOf(whole).slice(0, 4), ids.slice(0, 4));
      for (const query of [
        `starting_after=${ids[0]}&ending_before=${ids[1]}`,
        "starting_after=a%20b",
        "page_size=0",
        "page_size=101",
      ]) {
        assert.equal((await answer(query)).status, 400, query);
      }
    });
  }

  it("ADM-16: the team has its newest invitations beside a page of its members", async () => {
    const owner = await register(service);
    for (let at = 0; at < 3; at++) {
      await made(owner, "/v1/team/invitations", { email: newEmail(), role: "analyst" });
    }
    const headers = { authorization: `Bearer ${owner.token}` };
    const read = async (path: string) => (await send(service, "GET", path, { key: null, headers })).json;
    const { invitations } = (await read("/v1/team/invitations")) as { invitations: unknown[] };
    const team = await read("/v1/team?page_size=2");
    assert.deepEqual(team["invitations"], invitations.slice(0, 2));
    assert.deepEqual([team["has_more"], team["has_more_invitations"]], [false, true]);
    assert.equal((await read("/v1/team?page_size=3"))["has_more_invitations"], false);
  });

  it("ADM-14: a page of integrations has whole merchants, and merchant_id keeps one", async () => {
    const owner = await register(service);
    for (const at of [2, 0, 1]) await addMerchant(owner, at);
    const headers = { authorization: `Bearer ${owner.token}` };
    const page = async (query: string): Promise<[rows: string[], hasMore: unknown]> => {
      const { json } = await send(service, "GET", `/v1/integrations?${query}`, { key: null, headers });
      const rows = json["integrations"] as { merchant_id: string; provider: string }[];
      return [rows.map(({ merchant_id, provider }) => `${merchant_id} ${provider}`), json["has_more"]];
    };
    const of = (...merchants: number[]): string[] =>
      merchants.flatMap((at) => [1, 2, 3, 4, 5].map((provider) => `shop_${at} provider_${provider}`));
    // A workspace begins with the demo merchant, whose id comes first.
    assert.deepEqual(await page("starting_after=demo_merchant"), [of(0, 1, 2), false]);
    assert.deepEqual(await page("page_size=2&starting_after=demo_merchant"), [of(0, 1), true]);
    assert.deepEqual(await page("page_size=2&starting_after=shop_1"), [of(2), false]);
    assert.deepEqual(await page("page_size=1&ending_before=shop_2"), [of(1), true]);
    assert.deepEqual(await page("page_size=9&merchant_id=shop_1"), [of(1), false]);
    assert.deepEqual(await page("page_size=9&merchant_id=nobody"), [[], false]);
    const [rows, hasMore] = await page("merchant_id=shop_1");
    assert.deepEqual([rows, hasMore], [of(1), undefined]);
  });

  it("ADM-17: without a parameter of a page they answer whole, with the fields of the first version", async () => {
    const owner = await register(service);
    for (let at = 0; at < 30; at++) await addMerchant(owner, at);
    const headers = { authorization: `Bearer ${owner.token}` };
    const read = async (path: string) => (await send(service, "GET", path, { key: null, headers })).json;
    const merchants = await read("/v1/admin/merchants");
    assert.deepEqual(Object.keys(merchants), ["merchants"]);
    assert.equal((merchants["merchants"] as unknown[]).length, 31);
    assert.deepEqual(Object.keys(await read("/v1/team")), ["members", "invitations"]);
    assert.deepEqual(Object.keys(await read("/v1/api-keys")), ["api_keys"]);
    const integrations = await read("/v1/integrations");
    assert.deepEqual(Object.keys(integrations), ["integrations"]);
    assert.equal((integrations["integrations"] as unknown[]).length, 31 * 5);
  });
});
