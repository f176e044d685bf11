import assert from "node:assert/strict";
import { before, describe, it } from "node:test";
import { RETRY_RULES, RETRY_RULES_VERSION } from "../../../src/domain/retries/retry-rules.js";
import { send, startTestService, type RunningService } from "../../support/service/service.js";

interface Row {
  rule_id: string;
  scheme: string;
  code: string | null;
  category: string;
  wait_seconds: number;
  max_attempts: { attempts: number; window_seconds: number }[];
  source: string;
  effective_date: string;
  version: number;
}

let service: RunningService;
before(async () => {
  service = await startTestService({});
});

async function page(query: string): Promise<{ version: number; rules: Row[]; has_more: boolean }> {
  const { status, json } = await send(service, "GET", `/v1/retry-rules${query}`, { key: null });
  assert.equal(status, 200);
  return json as never;
}

async function issueOf(query: string): Promise<[string | undefined, string | undefined]> {
  const { status, json } = await send(service, "GET", `/v1/retry-rules${query}`, { key: null });
  assert.equal(status, 400);
  const [issue] = (json as { issues: { path: string; code: string }[] }).issues;
  return [issue?.path, issue?.code];
}

const idsOf = (rules: readonly Row[]): string[] => rules.map(({ rule_id }) => rule_id);
const ALL = RETRY_RULES.map(({ ruleId }) => ruleId);

describe("GET /v1/retry-rules", () => {
  it("RTRY-1 RTRY-10: anybody reads the whole table, each row with source, date and version", async () => {
    const { version, rules, has_more } = await page("");
    assert.deepEqual([version, has_more], [RETRY_RULES_VERSION, false]);
    assert.deepEqual(idsOf(rules), ALL);
    assert.deepEqual(
      rules.map(({ source, effective_date, version: since }) => [source, effective_date, since]),
      RETRY_RULES.map(({ source, effectiveDate, version: since }) => [source, effectiveDate, since]),
    );
    const hour = rules.find(({ rule_id }) => rule_id === "mastercard_24");
    assert.deepEqual(
      [hour?.category, hour?.wait_seconds, hour?.max_attempts],
      [
        "later",
        3600,
        [
          { attempts: 10, window_seconds: 86_400 },
          { attempts: 35, window_seconds: 2_592_000 },
        ],
      ],
    );
  });

  it("RTRY-1 LIST-2: walks both ways by rule_id", async () => {
    const first = await page("?page_size=2");
    assert.deepEqual([idsOf(first.rules), first.has_more], [ALL.slice(0, 2), true]);
    const second = await page(`?page_size=3&starting_after=${ALL[1]}`);
    assert.deepEqual([idsOf(second.rules), second.has_more], [ALL.slice(2, 5), true]);
    const last = await page(`?starting_after=${ALL.at(-2)}`);
    assert.deepEqual([idsOf(last.rules), last.has_more], [ALL.slice(-1), false]);
    const back = await page(`?page_size=2&ending_before=${ALL[4]}`);
    assert.deepEqual([idsOf(back.rules), back.has_more], [ALL.slice(2, 4), true]);
    const start = await page(`?page_size=5&ending_before=${ALL[1]}`);
    assert.deepEqual([idsOf(start.rules), start.has_more], [ALL.slice(0, 1), false]);
  });

  it("RTRY-1 LIST-3: refuses both cursors and a malformed one, and has nothing beside an unknown one", async () => {
    const unknown = await page("?starting_after=visa_ZZ");
    assert.deepEqual([unknown.rules, unknown.has_more], [[], false]);
    assert.deepEqual(await issueOf("?starting_after=51"), ["query.starting_after", "invalid_string"]);
    assert.deepEqual(await issueOf("?ending_before=visa-51"), ["query.ending_before", "invalid_string"]);
    assert.deepEqual(await issueOf(`?starting_after=${ALL[1]}&ending_before=${ALL[4]}`), [
      "query.ending_before",
      "custom",
    ]);
    assert.deepEqual(await issueOf("?page_size=101"), ["query.page_size", "too_big"]);
    assert.deepEqual(await issueOf("?scheme=visa"), ["query.scheme", "unrecognized_keys"]);
  });
});
