import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, it } from "node:test";
import { readSettings } from "../../../src/platform/settings/settings.js";
import {
  DEPLOY_DIR,
  edgeVariables,
  IMAGE,
  readRoot,
  readYaml,
  SETTING_NAMES,
} from "../../support/machine/deploy-files.js";
import { temporaryDir } from "../../support/postgres/postgres.js";

interface ComposeService {
  image: string;
  environment?: Record<string, string>;
  volumes?: string[];
  healthcheck?: { test: string[] };
  depends_on?: Record<string, { condition: string }>;
  networks?: string[] | Record<string, { aliases: string[] } | null>;
  stop_grace_period?: string;
  ports?: string[];
  read_only?: boolean;
  user?: string;
  cap_drop?: string[];
}
interface Compose {
  services: Record<string, ComposeService>;
  volumes: Record<string, unknown>;
  networks: Record<string, { internal?: boolean }>;
}
const FILE = "deploy/compose.yaml";
const compose = readYaml(FILE)[0] as Compose;
const NODES = ["app-1", "app-2"] as const;
const serviceOf = (name: string): ComposeService => {
  const service = compose.services[name];
  assert.ok(service !== undefined, name);
  return service;
};

/** The variables of .env.example, with their values. */
const example = new Map(
  Array.from(readRoot("deploy/.env.example").matchAll(/^([A-Z_]+)=(.*)$/gm), ([, name = "", value = ""]) => [
    name,
    value,
  ]),
);
const FILLED: Readonly<Record<string, string>> = {
  POSTGRES_PASSWORD: "0123456789abcdef",
  VALKEY_PASSWORD: "fedcba9876543210",
  SECRET_KEY: "0123456789abcdef0123456789abcdef",
  PLATFORM_ADMIN_EMAIL: "admin@example.com",
  PLATFORM_ADMIN_PASSWORD: "correct horse battery",
  GRAFANA_PASSWORD: "correct horse battery",
};
/** Fills in a `${NAME…}` of the file, as compose would. */
const filled = (text: string): string =>
  text.replaceAll(/\$\{([A-Z_]+)(?::[-?]([^}]*))?\}/g, (_, name: string, fallback = "") =>
    String(FILLED[name] ?? fallback),
  );

describe("deploy/compose.yaml", () => {
  it("has two nodes, the edge, PostgreSQL 18, Valkey, Prometheus and Grafana, each with a health check", () => {
    assert.deepEqual(Object.keys(compose.services).toSorted(), [
      "app-1",
      "app-2",
      "edge",
      "grafana",
      "postgres",
      "prometheus",
      "valkey",
    ]);
    for (const [name, { healthcheck }] of Object.entries(compose.services)) {
      assert.ok((healthcheck?.test.length ?? 0) > 1, name);
    }
    assert.match(serviceOf("postgres").image, /^postgres:18\b/);
    assert.match(serviceOf("valkey").image, /^valkey\/valkey:/);
  });

  it("pins every image to a version, the service's to this one", () => {
    for (const [name, { image }] of Object.entries(compose.services)) {
      assert.match(filled(image), /:v?\d+/, name);
    }
    for (const node of NODES) assert.equal(filled(serviceOf(node).image), IMAGE);
    assert.equal(example.get("PAYINFERENCE_IMAGE"), IMAGE);
  });

  it("gives every node settings that the service takes", () => {
    for (const node of NODES) {
      const environment = serviceOf(node).environment ?? {};
      for (const name of Object.keys(environment)) assert.ok(SETTING_NAMES.has(name), name);
      const values = Object.fromEntries(
        Object.entries(environment).map(([name, value]) => [name, filled(value)]),
      );
      const settings = readSettings(values);
      assert.equal(settings.cacheUrl, "rediss://:fedcba9876543210@valkey:6379");
      const mounts = serviceOf(node).volumes?.map((volume) => filled(volume).split(":")) ?? [];
      assert.deepEqual(
        mounts.find(([, path]) => path === settings.cacheCaFile),
        ["./valkey-tls/ca.crt", "/run/valkey/ca.crt", "ro"],
      );
      assert.equal(settings.trustProxyHops, 1);
      assert.equal(settings.database.kind, "external");
      assert.equal(settings.demo, false);
      const stopSeconds = Number.parseInt(serviceOf(node).stop_grace_period ?? "", 10);
      assert.ok(stopSeconds * 1000 >= settings.shutdownGraceMs + 5000, "the drain ends before the kill");
    }
  });

  it("gives every node a journal of its own, and names each volume that is used", () => {
    const journals = NODES.map((node) =>
      serviceOf(node).volumes?.find((volume) => volume.endsWith(":/data")),
    );
    assert.equal(new Set(journals).size, NODES.length);
    const used = Object.values(compose.services).flatMap(({ volumes = [] }) =>
      volumes.map((volume) => volume.split(":")[0] ?? "").filter((name) => /^[a-z]/.test(name)),
    );
    assert.deepEqual(used.toSorted(), Object.keys(compose.volumes).toSorted());
  });

  it("keeps services with data on a network without a way out; only services with a published port are on another", () => {
    assert.deepEqual(compose.networks, { inside: { internal: true }, default: {} });
    for (const [name, { networks = ["default"], ports }] of Object.entries(compose.services)) {
      const joined = Array.isArray(networks) ? networks : Object.keys(networks);
      assert.deepEqual(joined, ports === undefined ? ["inside"] : ["inside", "default"], name);
    }
  });

  it("gives Valkey its password, certificate and key, and no rights", () => {
    const valkey = serviceOf("valkey");
    assert.equal(filled(valkey.environment?.["REDISCLI_AUTH"] ?? ""), FILLED["VALKEY_PASSWORD"]);
    assert.deepEqual(valkey.volumes?.map(filled), ["./valkey-tls:/run/valkey:ro"]);
    assert.match(valkey.user ?? "", /^[1-9]\d*:[1-9]\d*$/);
    assert.deepEqual([valkey.read_only, valkey.cap_drop], [true, ["ALL"]]);
  });

  it("mounts only files that exist, but for the certificate", () => {
    for (const [name, { volumes = [] }] of Object.entries(compose.services)) {
      for (const volume of volumes.filter((text) => text.startsWith("./"))) {
        const source = volume.split(":")[0] ?? "";
        assert.ok(existsSync(join(DEPLOY_DIR, source)), `${name}: ${source}`);
      }
    }
  });

  it("the edge finds both nodes by one name, and starts when they are ready", () => {
    const { environment = {}, depends_on: dependsOn = {} } = serviceOf("edge");
    const [host = "", port] = (environment["NODES"] ?? "").split(":");
    for (const node of NODES) {
      const { networks, environment: settings = {} } = serviceOf(node);
      assert.deepEqual([networks, settings["PORT"]], [{ inside: { aliases: [host] } }, port]);
      assert.equal(dependsOn[node]?.condition, "service_healthy");
    }
    assert.deepEqual(Object.keys(environment).toSorted(), edgeVariables().always);
  });

  it("Prometheus scrapes both nodes with our rules; Grafana has it and our dashboard", () => {
    const scraped = readYaml("deploy/prometheus/prometheus.yml")[0] as {
      rule_files: string[];
      scrape_configs: { job_name: string; static_configs: { targets: string[] }[] }[];
    };
    const [job] = scraped.scrape_configs;
    const targets = NODES.map((node) => `${node}:${serviceOf(node).environment?.["METRICS_PORT"]}`);
    assert.deepEqual([job?.job_name, job?.static_configs[0]?.targets], ["payinference", targets]);
    const mounted = (serviceOf("prometheus").volumes ?? []).map((volume) => volume.split(":")[1]);
    for (const file of scraped.rule_files) assert.ok(mounted.includes(file), file);
    const source = readYaml("deploy/grafana/provisioning/datasources/prometheus.yml")[0] as {
      datasources: { url: string; type: string }[];
    };
    assert.deepEqual(
      source.datasources.map(({ type, url }) => [type, url]),
      [["prometheus", "http://prometheus:9090"]],
    );
    const provider = readYaml("deploy/grafana/provisioning/dashboards/payinference.yml")[0] as {
      providers: { options: { path: string } }[];
    };
    const path = provider.providers[0]?.options.path ?? "";
    assert.ok(
      serviceOf("grafana").volumes?.some((volume) => volume.includes(`grafana/payinference.json:${path}/`)),
    );
  });

  it("holds no secret: each is asked for in .env.example, empty, and compose refuses to start without it", () => {
    const text = readRoot(FILE);
    const asked = new Set(Array.from(text.matchAll(/\$\{([A-Z_]+)/g), ([, name = ""]) => name));
    assert.deepEqual([...asked].toSorted(), [...example.keys()].toSorted());
    for (const name of Object.keys(FILLED)) {
      assert.equal(example.get(name), "", name);
      assert.ok(!text.includes(`\${${name}}`) && !text.includes(`\${${name}:-`), `${name} has a default`);
    }
    for (const { environment = {} } of Object.values(compose.services)) {
      for (const [name, value] of Object.entries(environment)) {
        if (/PASSWORD|SECRET|AUTH/.test(name)) assert.match(value, /^\$\{[A-Z_]+:\?/, name);
      }
    }
  });

  const dockerCompose = (args: readonly string[]) =>
    spawnSync("docker-compose", args, { cwd: DEPLOY_DIR, encoding: "utf8" });
  const skip =
    dockerCompose(["version"]).error === undefined
      ? false
      : "docker-compose is not installed here (apt-get install docker-compose)";
  it("docker-compose config takes it, and not without its secrets", { skip }, async () => {
    const env = join(await temporaryDir(), "env");
    const lines = Array.from(example, ([name, value]) => `${name}=${value === "" ? FILLED[name] : value}`);
    await writeFile(env, lines.join("\n"));
    const args = ["-f", "compose.yaml", "--env-file", env, "config"];
    const { status, stdout, stderr } = dockerCompose(args);
    assert.equal(status, 0, stderr);
    assert.match(stdout, /postgres:\/\/payinference:0123456789abcdef@postgres:5432\/payinference/);
    assert.match(stdout, /rediss:\/\/:fedcba9876543210@valkey:6379/);
    await writeFile(env, lines.filter((line) => !line.startsWith("SECRET_KEY")).join("\n"));
    const refused = dockerCompose(args);
    assert.notEqual(refused.status, 0);
    assert.match(refused.stderr, /SECRET_KEY/);
  });

  it(
    "CH-1: compose.clickhouse.yaml adds a ClickHouse, and gives each node its address",
    { skip },
    async () => {
      const env = join(await temporaryDir(), "env");
      const more = { CLICKHOUSE_IMAGE: "clickhouse/clickhouse-server:25.8", CLICKHOUSE_PASSWORD: "0123" };
      const lines = Array.from(example, ([name, value]) => `${name}=${value === "" ? FILLED[name] : value}`);
      const asked = Object.entries(more).map(([name, value]) => `${name}=${value}`);
      await writeFile(env, [...lines, ...asked].join("\n"));
      const files = ["-f", "compose.yaml", "-f", "compose.clickhouse.yaml", "--env-file", env, "config"];
      const { status, stdout, stderr } = dockerCompose(files);
      assert.equal(status, 0, stderr);
      const url = "http://payinference:0123@clickhouse:8123/payinference";
      assert.equal(stdout.split(`ANALYTICS_URL: ${url}`).length - 1, NODES.length);
      assert.equal(readSettings({ ANALYTICS_URL: url }).analyticsUrl, url);
      await writeFile(env, [...lines, asked[0]].join("\n"));
      assert.match(dockerCompose(files).stderr, /CLICKHOUSE_PASSWORD/);
    },
  );
});
