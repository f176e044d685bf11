import assert from "node:assert/strict";
import { createHash, randomBytes } from "node:crypto";
import { before, describe, it } from "node:test";
import { residentBytesOf } from "../support/machine/process-memory.js";
import { openConnection, requestText, type RawReply } from "../support/http/raw-http.js";
import {
  decisionBody,
  send,
  startTestService,
  untilAnswered,
  type RunningService,
} from "../support/service/service.js";
import { expositionOf } from "../support/service/exposition.js";
import { inOneMinute } from "../support/waiting/one-minute.js";
import { createKey } from "../support/people/tenants.js";

const GUESSES = 4000;
const CONNECTIONS = 8;
const MIB = 2 ** 20;

let service: RunningService;
let key = "";
before(async () => {
  service = await startTestService({ RATE_LIMIT_PER_MINUTE: "0", TRUST_PROXY_HOPS: "1" });
  key = await createKey(service.pool, service.workspaceId);
  await decide();
});

const decide = async (): Promise<number> =>
  (await send(service, "POST", "/v1/decision", { body: decisionBody(), key })).status;

/**
 * Returns one of four kinds of guess: the key's real visible part with a wrong rest, the real key with one wrong
 * character, another well-formed key, or plain hexadecimal digits.
 */
function guess(index: number): string {
  const hex = createHash("sha256").update(String(index)).digest("hex");
  const visible = key.slice(0, 24);
  switch (index % 4) {
    case 0:
      return visible + hex.slice(0, 48);
    case 1: {
      const at = 24 + (index % 48);
      return key.slice(0, at) + (key[at] === "0" ? "1" : "0") + key.slice(at + 1);
    }
    case 2:
      return `pi_live_${randomBytes(32).toString("hex")}`;
    default:
      return hex;
  }
}

/** The many addresses of a guesser, so that no source exceeds its limit of unknown keys. */
const fromEverywhere = (index: number): string => `2001:db8:0:${(index >> 4).toString(16)}::${index & 15}`;

async function tryAll(
  guesses: readonly string[],
  from: (index: number) => string = fromEverywhere,
): Promise<RawReply[]> {
  const replies: RawReply[] = [];
  let next = 0;
  const work = async (): Promise<void> => {
    const connection = await openConnection(service.url);
    for (let index = next++; index < guesses.length; index = next++) {
      const text = requestText("GET", "/v1/decisions", [
        ["x-api-key", guesses[index] as string],
        ["x-forwarded-for", from(index)],
      ]);
      replies.push(
        await untilAnswered(() => {
          connection.write(text);
          return connection.reply();
        }),
      );
    }
    connection.destroy();
  };
  await Promise.all(Array.from({ length: CONNECTIONS }, work));
  return replies;
}

/** The number of keys looked up in PostgreSQL. */
async function lookedUp(): Promise<number> {
  const sample = /^payinference_key_cache_requests_total\{result="miss"\} (\d+)$/m;
  return Number(sample.exec(await expositionOf(service))?.[1]);
}

describe("guessed keys", () => {
  it(`${GUESSES} guesses all get the same 401 and lock nobody out`, async () => {
    const guesses = Array.from({ length: GUESSES }, (_, index) => guess(index));
    let holdersDecisions = 0;
    const guessing = tryAll(guesses);
    for (let i = 0; i < 20; i++) if ((await decide()) === 200) holdersDecisions++;
    const replies = await guessing;
    assert.equal(replies.length, GUESSES);
    assert.deepEqual(
      [...new Set(replies.map(({ status, body }) => `${status} ${body}`))],
      ['401 {"statusCode":401,"message":"Invalid API key","error":"Unauthorized"}'],
    );
    assert.equal(holdersDecisions, 20);
  });

  it("RATE-9: looks up 60 a minute from one source, an IPv6 /64; the rest get 429 and cost PostgreSQL nothing", () =>
    inOneMinute(async () => {
      const unknown = Array.from({ length: 300 }, () => `pi_live_${randomBytes(32).toString("hex")}`);
      const before = await lookedUp();
      const replies = await tryAll(unknown, (index) => `2001:db8:1:1::${index.toString(16)}`);
      const limited = replies.filter(({ status }) => status === 429);
      assert.equal(limited.length, unknown.length - 60);
      for (const { body } of limited) assert.equal(body, '{"error":"rate_limited","limit_per_minute":60}');
      assert.ok(replies.every(({ status }) => status === 401 || status === 429));
      assert.equal((await lookedUp()) - before, 60);
      // Endpoints for sessions look keys up as well.
      const headers = { "x-forwarded-for": "2001:db8:1:1::1" };
      const another = `pi_live_${randomBytes(32).toString("hex")}`;
      const team = await send(service, "GET", "/v1/team", { key: another, headers });
      assert.deepEqual(team.json, { error: "rate_limited", limit_per_minute: 60 });
      // The holder's key still works from the same source, and so do keys from the next network.
      const [holder] = await tryAll([key], () => "2001:db8:1:1::1");
      assert.equal(holder?.status, 200);
      const [next] = await tryAll([unknown[1] as string], () => "2001:db8:1:2::1");
      assert.equal(next?.status, 401);
    }));

  it("the headers are the same for an unknown key and for one that is nearly right", async () => {
    const names = (reply: RawReply | undefined): string[] => [...(reply?.headers.keys() ?? [])];
    const [near, far, shapeless] = await Promise.all(
      [1, 2, 3].map(async (index) => (await tryAll([guess(index)]))[0]),
    );
    assert.deepEqual(names(near), names(far));
    assert.deepEqual(names(near), names(shapeless));
    assert.equal(near?.body, far?.body);
  });

  it("the memory of guesses is bounded", async () => {
    const before = await residentBytesOf(service.process.pid);
    const unknown = Array.from({ length: GUESSES }, () => `pi_test_${randomBytes(32).toString("hex")}`);
    await tryAll(unknown);
    const grownBytes = (await residentBytesOf(service.process.pid)) - before;
    assert.ok(grownBytes < 160 * MIB, `${grownBytes} bytes`);
    assert.equal(await decide(), 200);
  });
});
