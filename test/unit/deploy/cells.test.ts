import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, it } from "node:test";
import { readSettings } from "../../../src/platform/settings/settings.js";
import { DEPLOY_DIR, edgeVariables, readRoot, readYaml } from "../../support/machine/deploy-files.js";
import { temporaryDir } from "../../support/postgres/postgres.js";

interface ComposeService {
  image: string;
  environment?: Record<string, string>;
  volumes?: string[];
  networks?: string[] | Record<string, { aliases: string[] }>;
}
interface Compose {
  services: Record<string, ComposeService>;
  networks: Record<string, unknown>;
  volumes: Record<string, unknown>;
}

const compose = readYaml("deploy/compose.yaml")[0] as Compose;
const cells = readYaml("deploy/compose.cells.yaml")[0] as Compose;
const serviceOf = ({ services }: Compose, name: string): ComposeService => {
  const service = services[name];
  assert.ok(service !== undefined, name);
  return service;
};
/** The lines of a map without its comments. */
const readMap = (file: string): [key: string, value: string][] =>
  readRoot(`deploy/haproxy/${file}`)
    .split("\n")
    .filter((line) => line !== "" && !line.startsWith("#"))
    .map((line) => line.split(" ") as [string, string]);

describe("deploy/compose.cells.yaml", () => {
  it("CELL-1: names the cell of every node, as the edge's map has it", () => {
    const named = Object.values(cells.services).flatMap(({ environment }) => environment?.["CELL"] ?? []);
    assert.deepEqual(named, ["a", "a", "b", "b"]);
    const map = readMap("cells.map");
    assert.deepEqual(
      map.map(([cell]) => cell),
      [...new Set(named)],
    );
    for (const [cell, backend] of map) {
      assert.equal(readSettings({ CELL: cell }).cell, cell);
      for (const name of [backend, `living_${backend}`])
        assert.match(readRoot("deploy/haproxy/haproxy.cfg"), new RegExp(`^backend ${name}$`, "m"));
    }
    assert.deepEqual(readMap("moved.map"), []);
  });

  it("cell b is made as cell a is: only names, network and volumes differ", () => {
    const pairs: Readonly<Record<string, string>> = {
      "app-b-1": "app-1",
      "app-b-2": "app-2",
      "postgres-b": "postgres",
      "valkey-b": "valkey",
    };
    for (const [own, other] of Object.entries(pairs)) {
      const text = JSON.stringify(serviceOf(cells, own))
        .replaceAll(/\b(postgres|valkey|nodes|inside)-b\b/g, "$1")
        .replaceAll("journal-b-", "journal-")
        .replace('"CELL":"b",', "")
        .replace('{"inside":{"aliases":["valkey"]}}', '["inside"]');
      const { build: _build, ...expected } = serviceOf(compose, other) as ComposeService & {
        build?: unknown;
      };
      assert.deepEqual(JSON.parse(text), expected, own);
    }
    assert.deepEqual(cells.networks, { "inside-b": { internal: true } });
    assert.deepEqual(Object.keys(cells.volumes), ["journal-b-1", "journal-b-2", "postgres-b"]);
  });

  it("the edge finds cell b by one name, and has the maps beside its configuration", () => {
    const { environment = {}, volumes = [] } = serviceOf(cells, "edge");
    assert.deepEqual(environment, { NODES_B: "nodes-b:8080" });
    assert.deepEqual(edgeVariables().cells, ["EDGE_CONTROL", "NODES_B"]);
    for (const volume of volumes) {
      const [source = "", target] = volume.split(":");
      assert.ok(existsSync(join(DEPLOY_DIR, source)), source);
      assert.equal(target, `/usr/local/etc/haproxy/${source.split("/").at(-1)}`);
    }
    assert.match(readRoot("deploy/haproxy/haproxy.cfg"), /^ {4}default-path config$/m);
  });

  it("Prometheus scrapes every node of both cells, and says whose it is", () => {
    interface Scraped {
      scrape_configs: { static_configs: { targets: string[]; labels?: { cell: string } }[] }[];
    }
    const scraped = readYaml("deploy/prometheus/prometheus.cells.yml")[0] as Scraped;
    const found = scraped.scrape_configs[0]?.static_configs.flatMap(({ targets, labels }) =>
      targets.map((target) => [target.replace(":9464", ""), labels?.cell]),
    );
    const named = Object.entries(cells.services).flatMap(([name, { environment }]) =>
      environment?.["CELL"] === undefined ? [] : [[name, environment["CELL"]]],
    );
    assert.deepEqual(found, named);
    const one = readYaml("deploy/prometheus/prometheus.yml")[0] as Scraped;
    assert.deepEqual({ ...scraped, scrape_configs: [] }, { ...one, scrape_configs: [] });
  });

  const dockerCompose = (args: readonly string[]) =>
    spawnSync("docker-compose", args, { cwd: DEPLOY_DIR, encoding: "utf8" });
  const skip =
    dockerCompose(["version"]).error === undefined
      ? false
      : "docker-compose is not installed here (apt-get install docker-compose)";
  it(
    "docker-compose config takes it beside compose.yaml, with the secrets of .env.example",
    { skip },
    async () => {
      const env = join(await temporaryDir(), "env");
      await writeFile(
        env,
        readRoot("deploy/.env.example").replaceAll(/^([A-Z_]+)=$/gm, `$1=${"0".repeat(32)}`),
      );
      const files = ["-f", "compose.yaml", "-f", "compose.cells.yaml", "--env-file", env, "config"];
      const { status, stdout, stderr } = dockerCompose(files);
      assert.equal(status, 0, stderr);
      assert.equal(stdout.split("CELL: a\n").length - 1, 2);
      assert.equal(stdout.split("CELL: b\n").length - 1, 2);
      assert.match(stdout, /prometheus\.cells\.yml:\/etc\/prometheus\/prometheus\.yml/);
      assert.doesNotMatch(stdout, /prometheus\/prometheus\.yml:\/etc/);
    },
  );
});
