import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { before, describe, it } from "node:test";
import { fileURLToPath } from "node:url";
import { HEALTH_STATES } from "../../../src/domain/vocabulary/vocabulary.js";
import { outcomeReport } from "../../support/people/client-requests.js";
import { readMetricSeries, type MetricSeries } from "../../support/machine/metric-series.js";
import { decisionBody, eventually, send, startTestService } from "../../support/service/service.js";

const ROOT = new URL("../../../../", import.meta.url);
const read = (path: string): string => readFileSync(new URL(path, ROOT), "utf8");
const RULES = "deploy/prometheus/payinference.rules.yml";

interface Panel {
  type: string;
  title: string;
  description?: string;
  gridPos: { x: number; y: number; w: number; h: number };
  targets?: { expr: string }[];
}
const dashboard = JSON.parse(read("deploy/grafana/payinference.json")) as { panels: Panel[] };
const panels = dashboard.panels.filter(({ type }) => type !== "row");

/** Every expression of the rules and the dashboard, with its place. */
const expressions: [where: string, expression: string][] = [
  ...Array.from(read(RULES).matchAll(/^ +expr: (.*)$/gm), ([, expr = ""]): [string, string] => [RULES, expr]),
  ...panels.flatMap(({ title, targets = [] }) =>
    targets.map(({ expr }): [string, string] => [`panel "${title}"`, expr]),
  ),
];

/** Labels that Prometheus adds to every series when it scrapes. */
const SCRAPED = new Set(["instance", "job"]);
/** Prometheus's own series, and those that the rules record. */
const OTHERS = new Set([
  "up",
  ...Array.from(read(RULES).matchAll(/- record: (\S+)/g), ([, name = ""]) => name),
]);
const SELECTOR = /\b((?:payinference|process|nodejs)_[a-z0-9_]+)(?:\{([^}]*)\})?/g;
const MATCHER = /([a-z_]+)(=~|=)"([^"]*)"/g;

let series: MetricSeries;
let exposition = "";
before(async () => {
  const service = await startTestService();
  const { json } = await send(service, "POST", "/v1/decision", { body: decisionBody() });
  const body = outcomeReport(String(json["decision_id"]));
  await send(service, "POST", "/v1/outcomes", { body });
  await eventually(async () => {
    exposition = await (await fetch(service.metricsUrl)).text();
    series = readMetricSeries(exposition);
    assert.ok(series.has("payinference_postgres_write_duration_seconds_bucket"));
    assert.ok(series.has("payinference_outcomes_total"));
  });
});

describe("monitoring: the dashboard and the alert rules use only the series of /metrics", () => {
  it("/metrics has every metric name of both", () => {
    assert.ok(expressions.length > 50, `${expressions.length} expressions`);
    for (const [where, expression] of expressions) {
      const names = Array.from(expression.matchAll(SELECTOR), ([, name = ""]) => name);
      const words = Array.from(expression.matchAll(/[a-z][a-z0-9_:]+/g), ([word]) => word);
      const known = words.filter((word) => OTHERS.has(word));
      assert.ok(names.length + known.length > 0, `${where}: ${expression}`);
      for (const word of words)
        assert.ok(!word.includes(":") || OTHERS.has(word), `${where}: ${word} is not recorded`);
      for (const name of names) assert.ok(series.has(name), `${where}: ${name} is not in /metrics`);
    }
  });

  it("/metrics has every label, and every value that a label must have", () => {
    for (const [where, expression] of expressions) {
      for (const [, name = "", matchers = ""] of expression.matchAll(SELECTOR)) {
        for (const [, label = "", operator, value = ""] of matchers.matchAll(MATCHER)) {
          if (SCRAPED.has(label)) continue;
          const values = series.get(name)?.get(label);
          assert.ok(values !== undefined, `${where}: ${name} has no label ${label}`);
          if (label === "state") {
            for (const state of value.split("|"))
              assert.ok((HEALTH_STATES as readonly string[]).includes(state), state);
          } else if (operator === "=") {
            assert.ok(values.has(value), `${where}: no ${name} has ${label}="${value}"`);
          }
        }
      }
      for (const [, grouped = ""] of expression.matchAll(/\bby \(([^)]*)\)/g)) {
        const names = Array.from(expression.matchAll(SELECTOR), ([, name = ""]) => name);
        for (const label of grouped.split(",").map((text) => text.trim())) {
          const has = names.some((name) => series.get(name)?.has(label));
          assert.ok(SCRAPED.has(label) || has, `${where}: nothing has ${label} to group by`);
        }
      }
    }
  });

  it("counters of events that have not happened are 0, so that the first event is an increase", () => {
    const at0 = (name: string, label: string, value: string): boolean =>
      exposition.includes(`${name}{${label}="${value}"} 0\n`);
    for (const thread of ["decide", "writer", "prober", "reader"]) {
      assert.ok(at0("payinference_worker_crashes_total", "thread", thread), thread);
    }
    for (const result of ["ok", "timeout", "error", "skipped"]) {
      const name = `payinference_cache_operations_total{operation="claim",result="${result}"} 0\n`;
      assert.ok(exposition.includes(name), result);
    }
    for (const reason of ["pool_full", "journal_full", "journal_unavailable"]) {
      assert.ok(at0("payinference_overload_rejections_total", "reason", reason), reason);
    }
  });
});

describe("monitoring: the dashboard", () => {
  it("every panel has its own title and a description, and overlaps no other", () => {
    assert.equal(new Set(panels.map(({ title }) => title)).size, panels.length);
    const taken = new Set<string>();
    for (const { title, description = "", gridPos } of panels) {
      assert.ok(description.length > 5, title);
      assert.ok(gridPos.x + gridPos.w <= 24, title);
      for (let x = gridPos.x; x < gridPos.x + gridPos.w; x++) {
        for (let y = gridPos.y; y < gridPos.y + gridPos.h; y++) {
          assert.ok(!taken.has(`${x},${y}`), `${title} overlaps at ${x},${y}`);
          taken.add(`${x},${y}`);
        }
      }
    }
  });
});

/** The name and runbook of each alert rule. */
const alerts = Array.from(
  read(RULES).matchAll(/- alert: (\w+)\n[^]*?\n +runbook: (\S+)\n/g),
  ([, alert = "", runbook = ""]): [string, string] => [alert, runbook],
);

describe("monitoring: the alert rules", () => {
  it("each alert has a runbook that names it", () => {
    assert.equal(alerts.length, read(RULES).match(/- alert: /g)?.length);
    for (const [alert, runbook] of alerts)
      assert.ok(read(runbook).includes(`\`${alert}\``), `${alert}: ${runbook}`);
  });

  it("each runbook belongs to an alert, and explains its meaning, the checks and the actions", () => {
    for (const file of readdirSync(new URL("docs/runbooks/", ROOT))) {
      const path = `docs/runbooks/${file}`;
      assert.ok(
        alerts.some(([, runbook]) => runbook === path),
        path,
      );
      for (const heading of ["## What it means", "## What to look at", "## What to do"]) {
        assert.ok(read(path).includes(`\n${heading}\n`), `${path}: ${heading}`);
      }
      for (const [, link = ""] of read(path).matchAll(/\]\(([^)]+)\)/g)) {
        assert.doesNotThrow(() => read(`docs/runbooks/${link}`), link);
      }
      for (const [name] of read(path).matchAll(/payinference_[a-z_]+/g)) {
        assert.ok(series.has(name) || series.has(`${name}_count`), `${path}: ${name}`);
      }
    }
  });

  it("the log lines that runbooks quote are written by the service", () => {
    const sources = readdirSync(new URL("src/", ROOT), { recursive: true, encoding: "utf8" })
      .filter((file) => file.endsWith(".ts"))
      .map((file) => read(`src/${file}`))
      .join("\n");
    let quoted = 0;
    for (const file of readdirSync(new URL("docs/runbooks/", ROOT))) {
      for (const [, line = ""] of read(`docs/runbooks/${file}`).matchAll(/`((?:a|the|PostgreSQL) [^`]+)`/g)) {
        quoted++;
        assert.ok(sources.includes(line), `${file}: ${line}`);
      }
    }
    assert.ok(quoted >= 6);
  });

  it("each alert is shown to fire by the rules' own tests", () => {
    const tests = read("deploy/prometheus/payinference.rules.test.yml");
    for (const [alert] of alerts) assert.match(tests, new RegExp(`alertname: ${alert}\n`), alert);
  });

  const promtool = (args: readonly string[], input?: string) =>
    spawnSync("promtool", args, { cwd: fileURLToPath(ROOT), encoding: "utf8", ...(input && { input }) });
  const skip = promtool(["--version"]).error === undefined ? false : "promtool is not installed here";
  for (const args of [
    ["check", "rules", RULES],
    ["test", "rules", "deploy/prometheus/payinference.rules.test.yml"],
  ]) {
    it(`promtool ${args.join(" ")} passes`, { skip }, () => {
      const { status, stdout, stderr } = promtool(args);
      assert.equal(status, 0, stdout + stderr);
    });
  }

  it("promtool check metrics passes on the real /metrics", { skip }, () => {
    const { status, stdout, stderr } = promtool(["check", "metrics"], exposition);
    assert.equal(status, 0, stdout + stderr);
  });
});
