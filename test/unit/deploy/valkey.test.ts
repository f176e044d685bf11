import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { readRoot, readYaml, VALKEY_COMMANDS } from "../../support/deploy-files.js";

const runbook = readRoot("docs/runbooks/cache.md");
const MIB = 2 ** 20;

/** `--name value` pairs. */
const optionsOf = ([, ...words]: readonly string[]): Map<string, string> =>
  new Map(words.flatMap((word, at) => (at % 2 === 0 ? [[word, words[at + 1] ?? ""] as const] : [])));

describe("deploy: the Valkey that nodes share", () => {
  for (const { file, command } of VALKEY_COMMANDS) {
    const options = optionsOf(command);
    it(`${file}: keeps nothing on disk`, () => {
      assert.equal(command[0], "valkey-server");
      assert.deepEqual([options.get("--save"), options.get("--appendonly")], ["", "no"]);
    });

    it(`${file}: has the memory and forgets by the policy that the runbook recommends`, () => {
      for (const name of ["maxmemory", "maxmemory-policy"]) {
        const recommended = new RegExp(String.raw`\x60${name} (\S+)\x60`).exec(runbook)?.[1];
        assert.ok(recommended !== undefined, name);
        assert.equal(options.get(`--${name}`), recommended);
      }
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
