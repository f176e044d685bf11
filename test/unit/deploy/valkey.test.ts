import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { readRoot, readYaml, VALKEY_STARTS } from "../../support/machine/deploy-files.js";

const runbook = readRoot("docs/runbooks/cache.md");
const MIB = 2 ** 20;

/** `--name value` pairs. */
const optionsOf = (words: readonly string[]): Map<string, string> =>
  new Map(words.flatMap((word, at) => (at % 2 === 0 ? [[word, words[at + 1] ?? ""] as const] : [])));

describe("deploy: the Valkey that nodes share", () => {
  for (const { file, entrypoint, options: words, probe } of VALKEY_STARTS) {
    const options = optionsOf(words);
    it(`${file}: keeps nothing on disk`, () => {
      assert.deepEqual([options.get("--save"), options.get("--appendonly")], ["", "no"]);
    });

    it(`${file}: has the memory and forgets by the policy that the runbook recommends`, () => {
      for (const name of ["maxmemory", "maxmemory-policy"]) {
        const recommended = new RegExp(String.raw`\x60${name} (\S+)\x60`).exec(runbook)?.[1];
        assert.ok(recommended !== undefined, name);
        assert.equal(options.get(`--${name}`), recommended);
      }
    });

    it(`${file}: takes TLS alone, and a password that is no argument`, () => {
      assert.deepEqual([options.get("--port"), options.get("--tls-port")], ["0", "6379"]);
      for (const [name, path] of [
        ["--tls-cert-file", "/run/valkey/tls.crt"],
        ["--tls-key-file", "/run/valkey/tls.key"],
        ["--tls-ca-cert-file", "/run/valkey/ca.crt"],
      ] as const) {
        assert.equal(options.get(name), path);
      }
      assert.equal(options.has("--requirepass"), false);
      assert.match(
        entrypoint[2] ?? "",
        /^exec valkey-server - "\$@" <<END\nrequirepass \$REDISCLI_AUTH\nEND\n$/,
      );
      assert.deepEqual(probe, ["valkey-cli", "-e", "--tls", "--cacert", "/run/valkey/ca.crt", "ping"]);
    });
  }

  it("Kubernetes leaves it half as much again as it may fill", () => {
    const workload = readYaml("deploy/kubernetes/valkey.yaml")[0] as {
      spec: {
        template: { spec: { containers: { args: string[]; resources: { limits: { memory: string } } }[] } };
      };
    };
    const [container] = workload.spec.template.spec.containers;
    assert.ok(container !== undefined);
    const maxMib = /^(\d+)mb$/.exec(optionsOf(container.args).get("--maxmemory") ?? "")?.[1];
    const limitMib = /^(\d+)Mi$/.exec(container.resources.limits.memory)?.[1];
    assert.ok(Number(limitMib) * MIB >= 1.5 * Number(maxMib) * MIB);
  });
});
