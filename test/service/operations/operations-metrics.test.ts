import assert from "node:assert/strict";
import { before, describe, it } from "node:test";
import {
  decisionBody,
  eventually,
  send,
  startTestService,
  type RunningService,
} from "../../support/service/service.js";
import { createKey, createWorkspace, publish } from "../../support/people/tenants.js";

interface Sample {
  name: string;
  labels: Record<string, string>;
  value: number;
}
interface Family {
  type: string;
  help: string;
  samples: Sample[];
}

/** More than the requests that the set-up sends while it waits for the policy. */
const LIMIT = 200;

let service: RunningService;
let limitedKey: string;
const answered = { passed: 0, refused: 0 };
before(async () => {
  service = await startTestService({ RATE_LIMIT_PER_MINUTE: String(LIMIT), PROBE_CURRENCIES: "USD,EUR" });
  const workspaceId = await createWorkspace(service);
  const key = await createKey(service.pool, workspaceId, { mode: "live" });
  await publish(service, { workspaceId, key, rules: [{ name: "hold", then: { type: "hold" } }] });
  const headers = { "idempotency-key": "metrics" };
  const body = decisionBody({ decision_mode: "shadow" });
  for (let i = 0; i < 3; i++) await send(service, "POST", "/v1/decision", { body, key, headers });
  await send(service, "POST", "/v1/decision", { body: "{", key });
  limitedKey = await createKey(service.pool, workspaceId);
  // More than the limit of two minutes, so that some are refused whenever the minute changes.
  for (let i = 0; i < 2 * LIMIT + 2; i++) {
    const { status } = await send(service, "GET", "/v1/provider-health", { key: limitedKey });
    answered[status === 200 ? "passed" : "refused"]++;
  }
  // Requests with the same route and status, from two methods and from two listeners.
  await send(service, "GET", "/v1/nothing/4111111111111111");
  await fetch(service.metricsUrl.replace("/metrics", "/nothing"));
  for (const method of ["GET", "PATCH"])
    await send(service, method, "/v1/admin/workspace", { key: "pi_test_nobody" });
});

async function scrape(): Promise<Map<string, Family>> {
  const response = await fetch(service.metricsUrl);
  assert.equal(response.status, 200);
  assert.match(response.headers.get("content-type") ?? "", /^text\/plain; version=0\.0\.4/);
  return parse(await response.text());
}

const SAMPLE = /^([a-zA-Z_:][a-zA-Z0-9_:]*)(?:\{(.*)\})? (\S+)$/;
const LABEL = /([a-zA-Z_][a-zA-Z0-9_]*)="((?:[^"\\]|\\.)*)"(?:,|$)/g;

/** Parses the text exposition strictly: HELP, TYPE, then only samples of that family. */
function parse(text: string): Map<string, Family> {
  const families = new Map<string, Family>();
  let current = "";
  assert.ok(text.endsWith("\n"));
  for (const line of text.split("\n").filter((each) => each !== "")) {
    const [, keyword, name = "", rest = ""] = /^# (HELP|TYPE) (\S+) (.*)$/.exec(line) ?? [];
    if (keyword === "HELP") {
      assert.equal(families.has(name), false, `${name} twice`);
      families.set(name, { type: "", help: rest, samples: [] });
      current = name;
      continue;
    }
    const family = families.get(current);
    assert.ok(family !== undefined, line);
    if (keyword === "TYPE") {
      assert.equal(name, current);
      family.type = rest;
      continue;
    }
    const [, sample = "", labels = "", value = ""] = SAMPLE.exec(line) ?? [];
    const suffixes = { histogram: ["_bucket", "_sum", "_count"], summary: ["", "_sum", "_count"] }[
      family.type
    ] ?? [""];
    assert.ok(suffixes.includes(sample.slice(current.length)) && sample.startsWith(current), line);
    family.samples.push({
      name: sample,
      labels: Object.fromEntries(
        [...labels.matchAll(LABEL)].map(([, label = "", text_ = ""]) => [label, text_]),
      ),
      value: value === "+Inf" ? Number.POSITIVE_INFINITY : Number(value),
    });
    // prom-client writes `Nan`. Prometheus ignores the case.
    assert.ok(!Number.isNaN(family.samples.at(-1)?.value) || value.toLowerCase() === "nan", line);
  }
  return families;
}

function labelText(labels: Record<string, string>): string {
  const pairs = Object.entries(labels).map(([label, value]) => `${label}=${JSON.stringify(value)}`);
  return pairs.toSorted().join();
}

/** The sum of a metric's samples that have these labels. */
function valueOf(families: Map<string, Family>, name: string, labels: Record<string, string> = {}): number {
  const family = families.get(name) ?? families.get(name.replace(/_(bucket|sum|count)$/, ""));
  return (family?.samples ?? [])
    .filter((sample) => sample.name === name)
    .filter((sample) => Object.entries(labels).every(([label, value]) => sample.labels[label] === value))
    .reduce((sum, { value }) => sum + value, 0);
}

describe("metrics", () => {
  it("TELE-1: follow Prometheus conventions, as promtool check metrics asks", async () => {
    const families = await scrape();
    assert.ok(families.size > 20);
    for (const [name, { type, help, samples }] of families) {
      assert.match(name, /^(payinference|process|nodejs)_[a-z0-9_]+$/);
      assert.ok(help.length > 0, name);
      assert.ok(["counter", "gauge", "histogram", "summary"].includes(type), name);
      assert.equal(name.endsWith("_total"), type === "counter", `${name} is a ${type}`);
      assert.doesNotMatch(name, /_(bucket|sum|count)$/, name);
      // A metric name must use a base unit, spelled out and in the plural (`_seconds`, `_bytes`). No other unit is
      // allowed.
      assert.doesNotMatch(
        name,
        /_(ms|msec|millis|milliseconds|microseconds|us|nanoseconds|ns|minutes|hours|days|sec|s|kb|mb|gb|kilobytes|megabytes|bits|percent|percentage)(_total)?$/,
      );
      assert.doesNotMatch(name, new RegExp(`(^|_)${type}(_|$)`), `${name} repeats its type`);
      for (const { labels, value } of samples) {
        assert.equal("le" in labels, type === "histogram" && "le" in labels);
        if (type === "counter") assert.ok(value >= 0, name);
      }
    }
  });

  it("have no two samples of one name and label set", async () => {
    for (const [name, { samples }] of await scrape()) {
      const ids = samples.map((sample) => JSON.stringify([sample.name, labelText(sample.labels)]));
      assert.equal(new Set(ids).size, ids.length, name);
    }
  });

  it("TELE-1: count a route's answers of one status together, for all methods and listeners", async () => {
    const families = await scrape();
    const name = "payinference_http_requests_total";
    assert.equal(valueOf(families, name, { route: "/v1/admin/workspace", status: "401" }), 2);
    assert.ok(valueOf(families, name, { route: "unmatched", status: "404" }) >= 2);
  });

  it("TELE-1: have histograms whose buckets add up", async () => {
    const histograms = [...(await scrape())].filter(([, { type }]) => type === "histogram");
    assert.ok(histograms.length >= 4);
    for (const [name, { samples }] of histograms) {
      const series = new Map<string, Sample[]>();
      for (const sample of samples) {
        const { le: _le, ...rest } = sample.labels;
        const id = labelText(rest);
        series.set(id, [...(series.get(id) ?? []), sample]);
      }
      for (const [labels, of] of series) {
        const buckets = of.filter((sample) => sample.name === `${name}_bucket`);
        const counts = buckets.map(({ value }) => value);
        assert.deepEqual(
          counts,
          counts.toSorted((a, b) => a - b),
          `${name} ${labels}`,
        );
        const bounds = buckets.map((bucket) =>
          Number((bucket.labels["le"] ?? "").replace("+Inf", "Infinity")),
        );
        assert.deepEqual(
          bounds,
          bounds.toSorted((a, b) => a - b),
        );
        assert.equal(bounds.at(-1), Number.POSITIVE_INFINITY);
        const count = of.find((sample) => sample.name === `${name}_count`);
        assert.equal(counts.at(-1), count?.value);
        assert.ok(of.some((sample) => sample.name === `${name}_sum`));
      }
    }
  });

  it("TELE-2: count requests by route and status, and never use a caller's text as a label", async () => {
    const families = await scrape();
    assert.ok(answered.passed >= LIMIT && answered.refused >= 2, JSON.stringify(answered));
    for (const [route, status, requests] of [
      ["/v1/provider-health", "200", answered.passed],
      ["/v1/provider-health", "429", answered.refused],
      ["/v1/decision", "400", 1],
    ] as const) {
      const labels = { route, status };
      assert.equal(valueOf(families, "payinference_http_requests_total", labels), requests);
      assert.equal(valueOf(families, "payinference_http_request_duration_seconds_count", labels), requests);
    }
    const text = JSON.stringify([...families]);
    for (const secret of ["4111111111111111", "nothing", limitedKey, service.workspaceId, "demo_merchant"]) {
      assert.equal(text.includes(secret), false, secret);
    }
  });

  it("TELE-3: count decisions by action, mode and model, with buckets around 1 to 50 ms", async () => {
    const families = await scrape();
    const labels = { action: "hold", mode: "live", decision_mode: "shadow", model: "deterministic-v1" };
    assert.equal(valueOf(families, "payinference_decisions_total", labels), 1);
    const decisions = valueOf(families, "payinference_decisions_total");
    assert.equal(valueOf(families, "payinference_decision_duration_seconds_count"), decisions);
    const bounds = (families.get("payinference_decision_duration_seconds")?.samples ?? []).map(
      ({ labels: l }) => l["le"],
    );
    for (const bound of ["0.001", "0.005", "0.01", "0.05"]) assert.ok(bounds.includes(bound), bound);
  });

  it("TELE-4, TELE-7: count replays, rate-limited requests, cache hits and batches", async () => {
    const families = await scrape();
    assert.equal(valueOf(families, "payinference_idempotency_replays_total"), 2);
    assert.equal(valueOf(families, "payinference_rate_limited_requests_total"), answered.refused);
    assert.ok(valueOf(families, "payinference_key_cache_requests_total", { result: "hit" }) >= LIMIT);
    assert.ok(valueOf(families, "payinference_key_cache_requests_total", { result: "miss" }) >= 3);
    assert.ok(valueOf(families, "payinference_decision_batch_requests_count") >= 4);
  });

  it("TELE-4, TELE-5, TELE-6, TELE-8, TELE-9: show journal, Postgres writes, workers, health, event loop and process", async () => {
    for (const name of [
      "payinference_journal_depth_records",
      "payinference_journal_size_bytes",
      "payinference_journal_age_seconds",
      "payinference_postgres_write_batches_total",
      "payinference_postgres_write_rows_total",
      "payinference_postgres_write_duration_seconds",
      "payinference_postgres_write_failures_total",
      "payinference_journal_failures_total",
      "payinference_worker_pool_pending_requests",
      "payinference_worker_pool_utilization_ratio",
      "payinference_provider_health_score",
      "payinference_provider_health_state",
      "nodejs_eventloop_lag_seconds",
      "process_cpu_seconds_total",
      "process_resident_memory_bytes",
    ]) {
      assert.ok((await scrape()).get(name)?.samples.length, name);
    }
    const families = await scrape();
    assert.equal(families.get("payinference_provider_health_score")?.samples.length, 40);
    assert.equal(valueOf(families, "payinference_provider_health_state"), 40);
    assert.equal(valueOf(families, "payinference_worker_pool_pending_requests"), 0);
    assert.equal(valueOf(families, "payinference_postgres_up"), 1);
  });

  it("TELE-5, TELE-6: the rows written reach the number of decisions, with nothing left in the journal", async () => {
    await eventually(async () => {
      const families = await scrape();
      const decided = valueOf(families, "payinference_decisions_total");
      assert.equal(valueOf(families, "payinference_postgres_write_rows_total"), decided);
      assert.equal(valueOf(families, "payinference_journal_depth_records"), 0);
    });
  });

  it("SET-1: are served only by their own listener", async () => {
    assert.equal((await send(service, "GET", "/metrics", { key: null })).status, 404);
    const other = service.metricsUrl.replace("/metrics", "/v1/provider-health");
    assert.equal((await fetch(other)).status, 404);
    const posted = await fetch(service.metricsUrl, { method: "POST" });
    assert.deepEqual([posted.status, posted.headers.get("allow")], [405, "GET, HEAD"]);
  });
});
