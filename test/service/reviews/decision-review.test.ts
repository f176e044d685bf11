import assert from "node:assert/strict";
import { before, describe, it } from "node:test";
import { idToHex } from "../../../src/domain/ids/ids.js";
import { ROLES, type Role } from "../../../src/domain/vocabulary/vocabulary.js";
import { reportOutcomes, signIn, storeOutcomes } from "../../support/people/feedback.js";
import {
  decisionBody,
  eventually,
  send,
  startTestService,
  type Reply,
  type RunningService,
} from "../../support/service/service.js";
import { sharedTestService } from "../../support/service/shared-service.js";
import {
  createKey,
  createWorkspace,
  newId,
  publish,
  setWorkspaceStatus,
} from "../../support/people/tenants.js";
import { ONE_NODE } from "../../support/two-nodes-mode.js";

const AMOUNT = { currency: "USD", country: "US", payment_method: "card" };
const HELD = { ...AMOUNT, amount: 500_000 };
const HOUR_MS = 3_600_000;

let service: RunningService;
let workspaceId: string;
let key: string;
let analyst: { userId: string; token: string };
before(async () => {
  service = await sharedTestService();
  workspaceId = await createWorkspace(service);
  key = await createKey(service.pool, workspaceId);
  await publish(service, {
    workspaceId,
    key,
    rules: [{ name: "Hold", when: { amount_gte: 500_000 }, then: { type: "hold" } }],
  });
  analyst = await signIn(service.pool, workspaceId, "analyst");
});

async function decide(changes: Record<string, unknown> = {}): Promise<string> {
  const body = decisionBody({ transaction: HELD, ...changes });
  const { status, json, text } = await send(service, "POST", "/v1/decision", { body, key });
  assert.equal(status, 200, text);
  return String(json["decision_id"]);
}

const bearer = (token: string): Record<string, string> => ({ authorization: `Bearer ${token}` });
const resolve = (
  decisionId: string,
  body: unknown = { resolution: "approve" },
  headers: Readonly<Record<string, string>> = bearer(analyst.token),
  query = "?mode=test",
): Promise<Reply> =>
  send(service, "POST", `/v1/decisions/${decisionId}/review${query}`, { body, headers, key: null });

const detail = async (decisionId: string): Promise<Record<string, unknown>> =>
  (await send(service, "GET", `/v1/decisions/${decisionId}`, { key })).json;
const queue = async (): Promise<unknown[]> => {
  const { json } = await send(service, "GET", "/v1/decisions?action=hold&unresolved=true", { key });
  const ids = (json["decisions"] as { decision_id: string }[]).map(({ decision_id }) => decision_id);
  assert.equal(json["total"], ids.length);
  return ids;
};

describe("Held decision review", () => {
  it("LOG-11, REV-2, REV-4, REV-8: approve resolves the hold; the merchant still reports the outcome", async () => {
    const id = await decide();
    assert.ok((await queue()).includes(id));
    const { status, json } = await resolve(id);
    assert.equal(status, 200);
    const review = json["review"] as Record<string, unknown>;
    assert.deepEqual(json, {
      decision_id: id,
      review: {
        resolution: "approve",
        note: null,
        resolved_by: analyst.userId,
        resolved_at: review["resolved_at"],
      },
    });
    assert.equal(new Date(String(review["resolved_at"])).toISOString(), review["resolved_at"]);
    const before = await detail(id);
    assert.deepEqual([before["review"], before["outcome"]], [review, null]);
    assert.ok(!(await queue()).includes(id));
    await reportOutcomes(
      service,
      workspaceId,
      key,
      new Map([[id, { outcome: "approved", providerUsed: "provider_1" }]]),
    );
    const after = await detail(id);
    assert.deepEqual(
      [after["review"], (after["outcome"] as Record<string, unknown>)["outcome"]],
      [review, "approved"],
    );
    assert.ok(!(await queue()).includes(id));
  });

  it("REV-1, REV-2, REV-5: reject resolves the hold and records outcome blocked with HOLD_REVIEW_REJECTED", async () => {
    const id = await decide();
    const { status } = await resolve(id, { resolution: "reject", note: "Card testing" });
    assert.equal(status, 200);
    const { review, outcome } = (await detail(id)) as Record<string, Record<string, unknown>>;
    assert.deepEqual([review?.["resolution"], review?.["note"]], ["reject", "Card testing"]);
    assert.deepEqual(outcome, {
      outcome: "blocked",
      provider_used: null,
      provider_latency_ms: null,
      provider_reason_code: "HOLD_REVIEW_REJECTED",
      failure_class: "policy_block",
      technical_failure_type: null,
      approved: false,
      reported_at: review?.["resolved_at"],
    });
    const { json } = await send(service, "GET", "/v1/decisions?page_size=1", { key });
    const [row] = json["decisions"] as Record<string, unknown>[];
    assert.deepEqual(row?.["review"], review);
    assert.deepEqual(row?.["outcome"], {
      outcome: "blocked",
      provider_used: null,
      provider_latency_ms: null,
      failure_class: "policy_block",
    });
  });

  it("REV-5: an outcome after a rejection still replaces blocked, with any clocks of the nodes", async () => {
    const id = await decide();
    await resolve(id, { resolution: "reject" });
    const reported = {
      outcome: "approved",
      providerUsed: "provider_1",
      reportedAtMs: Date.now() - 5000,
    } as const;
    await reportOutcomes(service, workspaceId, key, new Map([[id, reported]]));
    assert.equal(((await detail(id))["outcome"] as Record<string, unknown>)["outcome"], "approved");
  });

  it("the aggregate counts a rejection at once", ONE_NODE, async () => {
    const aggregate = async () => (await send(service, "GET", "/v1/decisions/aggregate", { key })).json;
    const id = await decide();
    const before = await aggregate();
    assert.equal((await aggregate())["source"], "cache");
    await resolve(id, { resolution: "reject" });
    const after = await aggregate();
    assert.equal(after["source"], "live");
    assert.equal(after["with_outcome"], (before["with_outcome"] as number) + 1);
  });

  it("ERR-3, REV-6: already reviewed, outcome reported, not a hold, or shadow: 409 and unchanged", async () => {
    const reviewed = await decide();
    await resolve(reviewed);
    const reported = await decide();
    await reportOutcomes(
      service,
      workspaceId,
      key,
      new Map([[reported, { outcome: "approved", providerUsed: "provider_1" }]]),
    );
    const routed = await decide({ transaction: { ...AMOUNT, amount: 100 } });
    const shadow = await decide({ decision_mode: "shadow" });
    for (const id of [reviewed, reported, routed, shadow]) {
      const before = await detail(id);
      const { status, json } = await resolve(id, { resolution: "reject" });
      assert.equal(status, 409);
      assert.deepEqual(json, {
        statusCode: 409,
        message: "Decision is not an unresolved hold",
        error: "Conflict",
      });
      assert.deepEqual(await detail(id), before);
    }
  });

  it("of two concurrent reviews one remains", async () => {
    for (let round = 0; round < 8; round++) {
      const id = await decide();
      const replies = await Promise.all(
        ["approve", "reject", "approve", "reject"].map((resolution) => resolve(id, { resolution })),
      );
      assert.deepEqual(
        replies.map(({ status }) => status).toSorted((a, b) => a - b),
        [200, 409, 409, 409],
      );
      const winner = replies.find(({ status }) => status === 200)?.json["review"];
      const { review, outcome } = await detail(id);
      assert.deepEqual(review, winner);
      assert.equal(outcome === null, (winner as { resolution: string }).resolution === "approve");
    }
  });

  it("a concurrent review and outcome exclude each other or follow one another, and count once", async () => {
    for (let round = 0; round < 8; round++) {
      const id = await decide();
      await detail(id);
      const [{ status }] = await Promise.all([
        resolve(id, { resolution: "reject" }),
        reportOutcomes(
          service,
          workspaceId,
          key,
          new Map([[id, { outcome: "approved", providerUsed: "provider_1" }]]),
        ),
      ]);
      // If the report arrives second, it replaces the result of the review. If it arrives first, the review is a
      // conflict.
      const { review, outcome } = (await detail(id)) as Record<string, Record<string, unknown> | null>;
      assert.deepEqual([outcome?.["outcome"], review !== null], ["approved", status === 200]);
      assert.ok(!(await queue()).includes(id));
    }
  });

  it("a review and an outcome of one decision wait for each other", () =>
    // A review ends after 1.5 s. If a starved host shows the two waiting statements later than that, the test repeats
    // with another decision.
    eventually(async () => {
      const id = await decide();
      await detail(id);
      const client = await service.pool.connect();
      let both: Promise<unknown>;
      try {
        await client.query("begin");
        await client.query("select from decisions where decision_id = $1 for update", [idToHex(id)]);
        const reported = { outcome: "approved", providerUsed: "provider_1" } as const;
        both = Promise.all([resolve(id), storeOutcomes(service, workspaceId, new Map([[id, reported]]))]);
        both.catch(() => undefined);
        await eventually(async () => {
          const { rows } = await service.pool.query(
            "select count(*)::int as waiting from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'",
          );
          assert.deepEqual(rows, [{ waiting: 2 }]);
        }, 1400);
      } finally {
        await client.query("rollback");
        client.release();
      }
      await both;
      assert.ok(!(await queue()).includes(id));
    }));

  it("ERR-17: the same 404 for an unknown decision, another workspace's and another mode's", async () => {
    const id = await decide();
    const stranger = await signIn(service.pool, await createWorkspace(service), "owner");
    const replies = await Promise.all([
      resolve(newId("dec")),
      resolve("nonsense"),
      resolve(id, undefined, bearer(stranger.token)),
      resolve(id, undefined, bearer(analyst.token), ""),
      resolve(id, undefined, bearer(analyst.token), "?mode=live"),
    ]);
    for (const { status, text } of replies) {
      assert.equal(status, 404);
      assert.equal(text, '{"statusCode":404,"message":"Decision not found","error":"Not Found"}');
    }
  });

  const bad: [title: string, body: unknown, path: string, code: string][] = [
    ["no resolution", {}, "resolution", "invalid_type"],
    ["another resolution", { resolution: "maybe" }, "resolution", "invalid_enum_value"],
    ["a note with approve", { resolution: "approve", note: "x" }, "note", "unrecognized_keys"],
    ["REV-1: a note over 500 characters", { resolution: "reject", note: "x".repeat(501) }, "note", "too_big"],
    ["an unknown field", { resolution: "reject", why: "x" }, "why", "unrecognized_keys"],
  ];
  for (const [title, body, path, code] of bad) {
    it(`${title} is a 400`, async () => {
      const { status, json } = await resolve(newId("dec"), body);
      assert.equal(status, 400);
      const [issue] = json["issues"] as Record<string, unknown>[];
      assert.deepEqual([issue?.["path"], issue?.["code"]], [path, code]);
    });
  }

  it("accepts a note of 500 characters", async () => {
    const note = "é".repeat(500);
    const { status, json } = await resolve(await decide(), { resolution: "reject", note });
    assert.deepEqual([status, (json["review"] as Record<string, unknown>)["note"]], [200, note]);
  });

  it("refuses an unknown mode", async () => {
    const { status, json } = await resolve(newId("dec"), undefined, bearer(analyst.token), "?mode=both");
    assert.equal(status, 400);
    assert.equal((json["issues"] as Record<string, unknown>[])[0]?.["path"], "query.mode");
  });
});

interface ReviewsBody {
  results: {
    decision_id: string;
    review: { resolution: string; note: string | null; resolved_by: string } | null;
    error: { statusCode: number; message: string; error: string } | null;
  }[];
}

describe("POST /v1/decisions/reviews", () => {
  const resolveAll = (
    decision_ids: readonly unknown[],
    body: Record<string, unknown> = { resolution: "approve" },
    query = "?mode=test",
  ): Promise<Reply> =>
    send(service, "POST", `/v1/decisions/reviews${query}`, {
      body: { decision_ids, ...body },
      headers: bearer(analyst.token),
      key: null,
    });
  const resultsOf = ({ status, json, text }: Reply): ReviewsBody["results"] => {
    assert.equal(status, 200, text);
    return (json as unknown as ReviewsBody).results;
  };

  it("REV-9, REV-10: has one result for each decision: the review, or the refusal that a single review would get", async () => {
    const reviewed = await decide();
    await resolve(reviewed);
    const routed = await decide({ transaction: { ...AMOUNT, amount: 100 } });
    const shadow = await decide({ decision_mode: "shadow" });
    const [first, last] = [await decide(), await decide()];
    const ids = [first, reviewed, routed, newId("dec"), shadow, last];
    const alone = new Map<string, unknown>();
    for (const id of ids.slice(1, -1)) alone.set(id, (await resolve(id)).json);

    const note = "Card testing";
    const results = resultsOf(await resolveAll(ids, { resolution: "reject", note }));
    assert.deepEqual(
      results.map(({ decision_id }) => decision_id),
      ids,
    );
    for (const { decision_id, review, error } of results) {
      if (alone.has(decision_id)) {
        assert.deepEqual([review, error], [null, alone.get(decision_id)]);
        continue;
      }
      assert.deepEqual([review?.resolution, review?.note, error], ["reject", note, null]);
      const stored = await detail(decision_id);
      assert.deepEqual(stored["review"], review);
      const { outcome, provider_reason_code } = stored["outcome"] as Record<string, unknown>;
      assert.deepEqual([outcome, provider_reason_code], ["blocked", "HOLD_REVIEW_REJECTED"]);
    }
    const waiting = await queue();
    assert.ok(ids.every((id) => !waiting.includes(id)));
  });

  it("REV-10: another workspace's decision and another mode's are not found", async () => {
    const id = await decide();
    const [inLive] = resultsOf(await resolveAll([id], undefined, ""));
    const stranger = await signIn(service.pool, await createWorkspace(service), "owner");
    const reply = await send(service, "POST", "/v1/decisions/reviews?mode=test", {
      body: { decision_ids: [id], resolution: "approve" },
      headers: bearer(stranger.token),
      key: null,
    });
    const error = { statusCode: 404, message: "Decision not found", error: "Not Found" };
    for (const result of [inLive, resultsOf(reply)[0]])
      assert.deepEqual(result, { decision_id: id, review: null, error });
    assert.ok((await queue()).includes(id));
  });

  it("REV-11: of several requests at once for the same decisions, one resolves each, and each counts once", async () => {
    const unresolved = async (): Promise<number> => (await queue()).length;
    const before = await unresolved();
    const ids = await Promise.all(Array.from({ length: 12 }, () => decide()));
    assert.equal(await unresolved(), before + ids.length);
    const replies = await Promise.all([
      resolveAll(ids),
      resolveAll(ids.toReversed(), { resolution: "reject" }),
      resolveAll(ids.slice(6)),
      resolve(ids[3] as string),
    ]);
    const alone = replies.pop() as Reply;
    const results = replies.flatMap(resultsOf);
    for (const [index, id] of ids.entries()) {
      const winners = results.filter(({ decision_id, review }) => decision_id === id && review !== null);
      assert.equal(winners.length + (index === 3 && alone.status === 200 ? 1 : 0), 1, id);
      const { review } = await detail(id);
      if (winners[0] !== undefined) assert.deepEqual(review, winners[0].review);
    }
    assert.equal(await unresolved(), before);
    const { rows } = await service.pool.query<{ resource: string }>(
      "select resource from audit_log where workspace_id = $1 and resource = any($2)",
      [idToHex(workspaceId), ids],
    );
    assert.deepEqual(rows.map(({ resource }) => resource).toSorted(), ids.toSorted());
  });

  it("REV-11: the same Idempotency-Key gets the first answer, and nothing more is stored", async () => {
    const ids = [await decide(), await decide()];
    const ask = (idempotencyKey: string): Promise<Reply> =>
      send(service, "POST", "/v1/decisions/reviews?mode=test", {
        body: { decision_ids: ids, resolution: "approve" },
        headers: { ...bearer(analyst.token), "idempotency-key": idempotencyKey },
        key: null,
      });
    const [first, repeated] = [await ask(ids[0] as string), await ask(ids[0] as string)];
    assert.ok(resultsOf(first).every(({ error }) => error === null));
    assert.deepEqual([repeated.status, repeated.text], [first.status, first.text]);
    assert.equal(repeated.headers.get("idempotency-replayed"), "true");
    assert.ok(resultsOf(await ask(ids[1] as string)).every(({ error }) => error?.statusCode === 409));
  });

  it("REV-12: each review is in the audit log, those of one decision too", async () => {
    const [approved, rejected] = [await decide(), await decide()];
    await resolve(approved);
    resultsOf(await resolveAll([rejected], { resolution: "reject", note: "Card testing" }));
    const { rows } = await service.pool.query(
      "select actor, action, resource, metadata from audit_log where resource = any($1) order by audit_id",
      [[approved, rejected]],
    );
    const by = { actor: analyst.userId, metadata: { mode: "test" } };
    assert.deepEqual(rows, [
      { ...by, action: "review.approved", resource: approved },
      { ...by, action: "review.rejected", resource: rejected },
    ]);
  });

  const wellFormed = newId("dec");
  const refused: [what: string, ids: unknown[], body: Record<string, unknown>, path: string, code: string][] =
    [
      ["no decisions", [], { resolution: "approve" }, "decision_ids", "too_small"],
      [
        "101 decisions",
        Array.from({ length: 101 }, () => newId("dec")),
        { resolution: "approve" },
        "decision_ids",
        "too_big",
      ],
      ["a decision twice", [wellFormed, wellFormed], { resolution: "approve" }, "decision_ids", "custom"],
      ["what is no id", ["nonsense"], { resolution: "approve" }, "decision_ids.0", "invalid_string"],
      ["no resolution", [wellFormed], {}, "resolution", "invalid_type"],
      [
        "a note with approve",
        [wellFormed],
        { resolution: "approve", note: "x" },
        "note",
        "unrecognized_keys",
      ],
    ];
  for (const [what, ids, body, path, code] of refused) {
    it(`REV-9: ${what} is a 400`, async () => {
      const { status, json } = await resolveAll(ids, body);
      assert.equal(status, 400);
      const [issue] = json["issues"] as Record<string, unknown>[];
      assert.deepEqual([issue?.["path"], issue?.["code"]], [path, code]);
    });
  }

  it("REV-9: takes 100 decisions", async () => {
    const ids = Array.from({ length: 100 }, () => newId("dec"));
    assert.equal(resultsOf(await resolveAll(ids)).length, 100);
  });
});

describe("the review endpoint accepts only a dashboard session", () => {
  it("no credentials: 401", async () => {
    const { status, json } = await resolve(newId("dec"), undefined, {});
    assert.deepEqual([status, json["message"]], [401, "Provide an x-api-key header or a session token"]);
  });

  it("AUTH-11, REV-3: an API key: 403, A dashboard session is required; an invalid one: 401", async () => {
    const withKey = await resolve(newId("dec"), undefined, { "x-api-key": key });
    assert.deepEqual([withKey.status, withKey.json["message"]], [403, "A dashboard session is required"]);
    const invalid = await resolve(newId("dec"), undefined, { "x-api-key": key.replace(/.$/, "x") });
    assert.deepEqual([invalid.status, invalid.json["message"]], [401, "Invalid API key"]);
  });

  it("REV-3: roles owner, admin and analyst; developer is a 403", async () => {
    const expected: Record<Role, number> = { owner: 404, admin: 404, developer: 403, analyst: 404 };
    for (const role of ROLES) {
      const { token } = await signIn(service.pool, workspaceId, role);
      assert.equal((await resolve(newId("dec"), undefined, bearer(token))).status, expected[role], role);
    }
  });

  it("an unknown token, one 12 hours idle, or 7 days old: 401", async () => {
    const nowMs = Date.now();
    const idle = await signIn(service.pool, workspaceId, "owner", nowMs - 12 * HOUR_MS);
    const fresh = await signIn(service.pool, workspaceId, "owner", nowMs - 11 * HOUR_MS);
    const old = await signIn(service.pool, workspaceId, "owner", nowMs - 7 * 24 * HOUR_MS);
    await service.pool.query(
      "update sessions set last_used_at = now() where workspace_id = $1 and created_at < now() - interval '6 days'",
      [idToHex(workspaceId)],
    );
    const unknown = fresh.token.replace(/^./, (first) => (first === "A" ? "B" : "A"));
    for (const [token, status] of [
      [idle.token, 401],
      [old.token, 401],
      [unknown, 401],
      ["nonsense", 401],
      [fresh.token, 404],
    ] as const) {
      assert.equal((await resolve(newId("dec"), undefined, bearer(token))).status, status);
    }
    // A use extends the session.
    const { rows } = await service.pool.query(
      "select count(*)::int as used from sessions where workspace_id = $1 and created_at < now() - interval '10 hours' and last_used_at > now() - interval '1 minute' and created_at > now() - interval '1 day'",
      [idToHex(workspaceId)],
    );
    assert.deepEqual(rows, [{ used: 1 }]);
  });

  it("stores a session as its hash, never its token", async () => {
    const { rows } = await service.pool.query<{ session: string }>(
      "select sessions::text as session from sessions",
    );
    assert.ok(rows.length > 0);
    const token = Buffer.from(analyst.token, "base64url").toString("hex");
    for (const { session } of rows) assert.ok(!session.includes(token) && !session.includes(analyst.token));
  });

  it("AUTH-4: a cookie must come from the same origin, else 403; a bearer token need not", async () => {
    const cookie = `theme=dark; payinference_session=${analyst.token}`;
    const { host } = new URL(service.url);
    const cases: [headers: Record<string, string>, status: number][] = [
      [{ cookie, "sec-fetch-site": "same-origin" }, 404],
      [{ cookie, origin: `http://${host}` }, 404],
      [{ cookie, "sec-fetch-site": "cross-site", origin: `http://${host}` }, 403],
      [{ cookie, "sec-fetch-site": "same-site" }, 403],
      [{ cookie, origin: "https://attacker.example" }, 403],
      [{ cookie, origin: `http://${host}.attacker.example` }, 403],
      [{ cookie }, 403],
      [{ ...bearer(analyst.token), "sec-fetch-site": "cross-site" }, 404],
    ];
    for (const [headers, status] of cases) {
      assert.equal((await resolve(newId("dec"), undefined, headers)).status, status, JSON.stringify(headers));
    }
  });

  it("a suspended workspace: 403, Tenant is not active", async () => {
    const suspended = await createWorkspace(service);
    const { token } = await signIn(service.pool, suspended, "owner");
    await setWorkspaceStatus(service.pool, suspended, "suspended");
    const { status, json } = await resolve(newId("dec"), undefined, bearer(token));
    assert.deepEqual([status, json["message"]], [403, "Tenant is not active"]);
  });

  it("requires JSON of at most 16 KiB", async () => {
    const headers = { ...bearer(analyst.token), "content-type": "text/plain" };
    assert.equal((await resolve(newId("dec"), "{}", headers)).status, 415);
    const large = JSON.stringify({ resolution: "reject", note: "x".repeat(17_000) });
    assert.equal((await resolve(newId("dec"), large)).status, 413);
  });
});

describe("RATE-1: Limits, dashboard sessions", () => {
  it("2000 requests per minute and session, or as set", async () => {
    const limited = await startTestService({ RATE_LIMIT_PER_MINUTE: "3" });
    const { token } = await signIn(limited.pool, limited.workspaceId, "owner");
    const other = await signIn(limited.pool, limited.workspaceId, "owner");
    const ask = async (bearerToken: string): Promise<Reply> =>
      send(limited, "POST", `/v1/decisions/${newId("dec")}/review`, {
        body: { resolution: "approve" },
        headers: bearer(bearerToken),
        key: null,
      });
    const statuses = [];
    // At least four of seven successive requests are in the same minute, even if the minute changes.
    for (let i = 0; i < 7; i++) statuses.push((await ask(token)).status);
    assert.ok(statuses.includes(429), statuses.join());
    assert.deepEqual((await ask(other.token)).status, 404);
  });
});
