import assert from "node:assert/strict";
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { describe, it } from "node:test";
import { isDeepStrictEqual } from "node:util";
import { Deployment, StatefulSet } from "kubernetes-models/apps/v1";
import { NetworkPolicy } from "kubernetes-models/networking.k8s.io/v1";
import { PodDisruptionBudget } from "kubernetes-models/policy/v1";
import { ConfigMap, Service } from "kubernetes-models/v1";
import { readSettings } from "../../../src/platform/settings/settings.js";
import {
  DEPLOY_DIR,
  edgeVariables,
  IMAGE,
  readRoot,
  readYaml,
  SETTING_NAMES,
} from "../../support/machine/deploy-files.js";

interface Manifest {
  apiVersion: string;
  kind: string;
  metadata: { name: string; labels?: Record<string, string> };
}
type Labels = Record<string, string>;
interface Container {
  name: string;
  image: string;
  ports: { name: string; containerPort: number }[];
  envFrom?: { configMapRef: { name: string } }[];
  env?: {
    name: string;
    value?: string;
    valueFrom?: {
      secretKeyRef?: { name: string; key: string };
      configMapKeyRef?: { name: string; key: string; optional?: boolean };
      fieldRef?: { fieldPath: string };
    };
  }[];
  startupProbe: Probe;
  livenessProbe: Probe;
  readinessProbe: Probe;
  resources: { requests: Labels; limits: Labels };
  securityContext: {
    allowPrivilegeEscalation: boolean;
    readOnlyRootFilesystem: boolean;
    capabilities: { drop: string[] };
  };
  volumeMounts?: { name: string; mountPath: string }[];
}
interface Probe {
  httpGet?: { path: string; port: string };
  tcpSocket?: { port: string };
  exec?: { command: string[] };
}
interface Workload extends Manifest {
  spec: {
    serviceName?: string;
    replicas: number;
    selector: { matchLabels: Labels };
    template: {
      metadata: { labels: Labels };
      spec: {
        automountServiceAccountToken: boolean;
        terminationGracePeriodSeconds: number;
        securityContext: { runAsNonRoot: boolean; runAsUser: number };
        volumes?: {
          name: string;
          secret?: { secretName: string; items?: { key: string; path: string }[] };
        }[];
        topologySpreadConstraints?: { labelSelector: { matchLabels: Labels } }[];
        containers: Container[];
      };
    };
    volumeClaimTemplates?: { metadata: { name: string } }[];
  };
}
interface Peer {
  podSelector?: { matchLabels: Labels };
  namespaceSelector?: { matchLabels: Labels };
}
interface GuardingPolicy extends Manifest {
  spec: {
    podSelector: { matchLabels: Labels };
    policyTypes: string[];
    /** Without `from`, everybody may connect. */
    ingress: { from?: Peer[]; ports: { port: string }[] }[];
    /** Without `to`, every destination is allowed. */
    egress: { to?: Peer[]; ports: { port: number; protocol?: string }[] }[];
  };
}

const FILES = readdirSync(join(DEPLOY_DIR, "kubernetes"))
  .filter((file) => file.endsWith(".yaml"))
  .map((file) => `deploy/kubernetes/${file}`);
const manifests = FILES.flatMap((file) => readYaml(file) as Manifest[]);
const named = (kind: string, name: string): Manifest => {
  const found = manifests.find((manifest) => manifest.kind === kind && manifest.metadata.name === name);
  assert.ok(found !== undefined, `${kind} ${name}`);
  return found;
};
const workloads = manifests.filter(
  ({ kind }) => kind === "StatefulSet" || kind === "Deployment",
) as Workload[];
const nodes = named("StatefulSet", "payinference") as Workload;
const node = nodes.spec.template.spec.containers[0] as Container;
const settings = (named("ConfigMap", "payinference") as Manifest & { data: Record<string, string> }).data;

const valkeyWorkload = named("Deployment", "valkey") as Workload;
const valkey = valkeyWorkload.spec.template.spec.containers[0] as Container;

/** The command of docs/deployment.md that makes a Secret, including its further lines. */
const made = (secret: string): string =>
  new RegExp(String.raw`^kubectl create secret generic ${secret} (?:.*\\\n)*.*$`, "m").exec(
    readRoot("docs/deployment.md"),
  )?.[0] ?? "";

/** The files of the Secrets that a pod mounts. */
const secretFiles = ({ spec }: Workload): [secret: string, files: string[]][] =>
  (spec.template.spec.volumes ?? []).flatMap(({ secret }) =>
    secret === undefined ? [] : [[secret.secretName, (secret.items ?? []).map(({ key }) => key).toSorted()]],
  );

/** Every value that a workload's containers read, including the values of the ConfigMap. */
const settingsOf = ({ spec }: Workload): string[] =>
  spec.template.spec.containers.flatMap(({ env = [], envFrom = [] }) => [
    ...env.flatMap(({ value }) => value ?? []),
    ...(envFrom.length > 0 ? Object.values(settings) : []),
  ]);

/**
 * Kubernetes' own schema of each kind. ServiceMonitor is not listed, because the Prometheus operator defines its
 * schema.
 */
const MODELS = { ConfigMap, Deployment, NetworkPolicy, PodDisruptionBudget, Service, StatefulSet } as const;

function validate(manifest: Manifest): void {
  const Model = MODELS[manifest.kind as keyof typeof MODELS];
  assert.ok(Model !== undefined, `${manifest.kind} has a schema`);
  new Model(manifest).validate();
}

describe("deploy/kubernetes: every manifest against Kubernetes' schema", () => {
  for (const manifest of manifests.filter(({ kind }) => kind !== "ServiceMonitor")) {
    it(`${manifest.kind} ${manifest.metadata.name}`, () => {
      assert.doesNotThrow(() => validate(manifest));
    });
  }

  it("a wrong type and a missing field do not pass the schema", () => {
    assert.throws(() => validate({ ...nodes, spec: { ...nodes.spec, replicas: "three" } } as never));
    assert.throws(() => validate({ ...nodes, spec: { ...nodes.spec, selector: undefined } } as never));
  });

  it("no two manifests have the same kind and name", () => {
    const names = manifests.map(({ kind, metadata }) => `${kind} ${metadata.name}`);
    assert.equal(new Set(names).size, names.length);
  });
});

describe("deploy/kubernetes: two cells", () => {
  const FILE = "deploy/kubernetes/cells/policies.yaml";
  const policies = readYaml(FILE) as (GuardingPolicy & { metadata: { namespace: string } })[];

  it("the policies are Kubernetes', and open the way from the edge to the nodes' port of the other namespace", () => {
    for (const policy of policies) assert.doesNotThrow(() => validate(policy));
    const [out, into] = policies;
    assert.ok(out !== undefined && into !== undefined && policies.length === 2);
    const peerOf = ({ metadata, spec }: typeof out): Peer => ({
      namespaceSelector: { matchLabels: { "kubernetes.io/metadata.name": metadata.namespace } },
      podSelector: spec.podSelector,
    });
    assert.deepEqual(out.spec.egress, [{ to: [peerOf(into)], ports: [{ port: 8080 }] }]);
    assert.deepEqual(into.spec.ingress, [{ from: [peerOf(out)], ports: [{ port: "http" }] }]);
    const selectorOf = (kind: string, name: string): Labels =>
      (named(kind, name) as Workload).spec.selector.matchLabels;
    assert.deepEqual(out.spec.podSelector.matchLabels, selectorOf("Deployment", "payinference-edge"));
    assert.deepEqual(into.spec.podSelector.matchLabels, selectorOf("StatefulSet", "payinference"));
  });

  it("docs/deployment.md makes the maps and names that a second cell needs", () => {
    const guide = readRoot("docs/deployment.md");
    const optional = workloads.flatMap(({ spec }) =>
      spec.template.spec.containers.flatMap(({ env = [] }) =>
        env.flatMap(({ valueFrom }) => valueFrom?.configMapKeyRef ?? []),
      ),
    );
    assert.deepEqual(
      optional.map(({ name, key }) => `${name} ${key}`),
      ["payinference-cells NODES_B", "payinference-cell CELL"],
    );
    for (const { name, key, optional: isOptional } of optional) {
      assert.equal(isOptional, true);
      assert.match(
        guide,
        new RegExp(`kubectl (?:-n \\S+ )?create configmap ${name} .*--from-literal=${key}=`),
      );
    }
    for (const map of ["cells.map", "moved.map"])
      assert.ok(guide.includes(`--from-file=deploy/haproxy/${map}`), map);
    const [host] = /payinference-nodes\.payinference-b\.svc\.cluster\.local:8080/.exec(guide) ?? [];
    assert.notEqual(host, undefined);
  });
});

describe("deploy/kubernetes: the nodes", () => {
  it("run this version's image with settings that the service takes", () => {
    assert.equal(node.image, IMAGE);
    const own = (node.env ?? []).map(({ name }) => name);
    const names = [...Object.keys(settings), ...own].filter((name) => name !== "VALKEY_PASSWORD");
    for (const name of names) assert.ok(SETTING_NAMES.has(name), name);
    assert.deepEqual(
      node.envFrom?.map(({ configMapRef }) => configMapRef.name),
      ["payinference"],
    );
    const read = readSettings({
      ...settings,
      ...Object.fromEntries((node.env ?? []).flatMap(({ name, value }) => (value ? [[name, value]] : []))),
    });
    assert.equal(read.cacheUrl, "rediss://:$(VALKEY_PASSWORD)@valkey:6379");
    assert.equal(read.trustProxyHops, 1);
    assert.equal(read.host, "0.0.0.0");
  });

  it("take secrets from a Secret alone, and docs/deployment.md makes every key of it", () => {
    const secret = (node.env ?? []).filter(
      ({ name }) => name !== "CACHE_URL" && /URL|SECRET|PASSWORD|PLATFORM/.test(name),
    );
    assert.ok(secret.length >= 5);
    for (const { name, value, valueFrom } of secret) {
      assert.equal(value, undefined, name);
      const { name: owner = "", key = "" } = valueFrom?.secretKeyRef ?? {};
      assert.equal(owner, name === "VALKEY_PASSWORD" ? "valkey" : "payinference");
      assert.ok(made(owner).includes(`--from-literal=${key}=`), name);
    }
    assert.ok(manifests.every(({ kind }) => kind !== "Secret"));
  });

  it("speak TLS to Valkey with the password it was given, and take nobody else for it", () => {
    const [password, url] = (node.env ?? []).filter(({ name }) =>
      /^(?:VALKEY_PASSWORD|CACHE_URL)$/.test(name),
    );
    // Kubernetes substitutes only variables that are defined earlier.
    assert.deepEqual([password?.name, url?.name], ["VALKEY_PASSWORD", "CACHE_URL"]);
    const given = valkey.env?.find(({ name }) => name === "REDISCLI_AUTH");
    assert.deepEqual(password?.valueFrom, given?.valueFrom);
    const mount = node.volumeMounts?.find(({ name }) => name === "cache-ca");
    assert.equal(`${mount?.mountPath}/ca.crt`, settings["CACHE_CA_FILE"]);
    assert.deepEqual(secretFiles(nodes), [["valkey", ["ca.crt"]]]);
    assert.deepEqual(secretFiles(valkeyWorkload), [["valkey", ["ca.crt", "tls.crt", "tls.key"]]]);
    for (const file of ["ca.crt", "tls.crt", "tls.key"]) {
      assert.ok(made("valkey").includes(`--from-file=deploy/valkey-tls/${file}`), file);
    }
    for (const probe of [valkey.readinessProbe, valkey.livenessProbe]) {
      assert.ok(probe.exec?.command.includes("--tls"), "a bare TCP connect would pass without a certificate");
    }
  });

  it("listen, are probed, served and scraped on the ports of their settings", () => {
    const ports = Object.fromEntries(node.ports.map(({ name, containerPort }) => [name, containerPort]));
    assert.deepEqual(ports, { http: Number(settings["PORT"]), metrics: Number(settings["METRICS_PORT"]) });
    assert.deepEqual(node.readinessProbe.httpGet, { path: "/ready", port: "http" });
    assert.deepEqual(node.livenessProbe.httpGet, { path: "/health", port: "http" });
    assert.deepEqual(node.startupProbe.httpGet, { path: "/health", port: "http" });
  });

  it("keep a journal each, which outlives the pod, where DATA_DIR is", () => {
    const [claim] = nodes.spec.volumeClaimTemplates ?? [];
    const mount = node.volumeMounts?.find(({ name }) => name === claim?.metadata.name);
    assert.equal(mount?.mountPath, settings["DATA_DIR"]);
    assert.equal(named("Service", nodes.spec.serviceName ?? "").kind, "Service");
  });

  it("are killed only after the drain had its time", () => {
    const graceMs = Number(settings["SHUTDOWN_GRACE_MS"]);
    assert.ok(nodes.spec.template.spec.terminationGracePeriodSeconds * 1000 >= graceMs + 5000);
  });

  it("are not scaled by an autoscaler, because a journal is lost with its pod", () => {
    assert.ok(manifests.every(({ kind }) => kind !== "HorizontalPodAutoscaler"));
  });
});

describe("deploy/kubernetes: every workload", () => {
  for (const { metadata, spec } of workloads) {
    const pod = spec.template.spec;
    it(`${metadata.name} runs as nobody in particular, on a root it cannot write`, () => {
      assert.ok(pod.securityContext.runAsNonRoot && pod.securityContext.runAsUser > 0);
      assert.equal(pod.automountServiceAccountToken, false);
      for (const { securityContext, image } of pod.containers) {
        assert.equal(securityContext.readOnlyRootFilesystem, true);
        assert.equal(securityContext.allowPrivilegeEscalation, false);
        assert.deepEqual(securityContext.capabilities.drop, ["ALL"]);
        assert.match(image, /:v?\d/);
      }
    });

    it(`${metadata.name} declares its needs and is probed`, () => {
      for (const { resources, readinessProbe, livenessProbe, ports } of pod.containers) {
        assert.ok(resources.requests["cpu"] && resources.requests["memory"] && resources.limits["memory"]);
        for (const probe of [readinessProbe, livenessProbe]) {
          const port = probe.httpGet?.port ?? probe.tcpSocket?.port;
          assert.ok(probe.exec !== undefined || ports.some(({ name }) => name === port));
        }
      }
    });

    it(`${metadata.name} is selected by its own labels, everywhere`, () => {
      const labels = spec.template.metadata.labels;
      assert.deepEqual(spec.selector.matchLabels, labels);
      for (const { labelSelector } of pod.topologySpreadConstraints ?? [])
        assert.deepEqual(labelSelector.matchLabels, labels);
      if (spec.replicas > 1) {
        assert.ok((pod.topologySpreadConstraints ?? []).length > 0);
        const budget = named("PodDisruptionBudget", metadata.name) as Manifest & {
          spec: { selector: { matchLabels: Labels } };
        };
        assert.deepEqual(budget.spec.selector.matchLabels, labels);
      }
    });
  }

  it("every Service leads to a port that a pod of its selector names", () => {
    const services = manifests.filter(({ kind }) => kind === "Service") as (Manifest & {
      spec: { selector: Labels; ports: { targetPort: string; port: number }[] };
    })[];
    for (const { metadata, spec } of services) {
      const behind = workloads.find(
        ({ spec: { template } }) =>
          JSON.stringify(template.metadata.labels) === JSON.stringify(spec.selector),
      );
      const ports = behind?.spec.template.spec.containers[0]?.ports.map(({ name }) => name) ?? [];
      for (const { targetPort } of spec.ports) assert.ok(ports.includes(targetPort), metadata.name);
    }
  });

  it("every NetworkPolicy admits to pods and ports that exist", () => {
    const policies = manifests.filter(({ kind }) => kind === "NetworkPolicy") as GuardingPolicy[];
    assert.equal(policies.length, 3);
    const known = workloads.map(({ spec }) => JSON.stringify(spec.template.metadata.labels));
    for (const { spec } of policies) {
      const own = known.indexOf(JSON.stringify(spec.podSelector.matchLabels));
      const ports = workloads[own]?.spec.template.spec.containers[0]?.ports.map(({ name }) => name) ?? [];
      for (const { from, ports: admitted } of spec.ingress) {
        for (const { port } of admitted) assert.ok(ports.includes(port), port);
        for (const { podSelector } of from ?? []) {
          if (podSelector) assert.ok(known.includes(JSON.stringify(podSelector.matchLabels)));
        }
      }
    }
  });

  it("every workload is guarded both ways, and reaches only its dependencies", () => {
    const policies = manifests.filter(({ kind }) => kind === "NetworkPolicy") as GuardingPolicy[];
    const DNS = "kube-system/kube-dns:53";
    const reach: Readonly<Record<string, readonly string[]>> = {
      payinference: [DNS, DNS, "anywhere:5432", "valkey:6379", "monitoring:4318"],
      "payinference-edge": [DNS, DNS, "payinference:8080"],
      valkey: [],
    };
    assert.deepEqual(
      Object.keys(reach).toSorted(),
      workloads.map(({ metadata }) => metadata.name).toSorted(),
    );
    for (const { metadata, spec } of policies) {
      assert.deepEqual(spec.policyTypes, ["Ingress", "Egress"]);
      assert.deepEqual(spec.podSelector.matchLabels, { "app.kubernetes.io/name": metadata.name });
      const found = spec.egress.flatMap(({ to, ports }) => {
        const peers = to?.map(({ podSelector, namespaceSelector }) =>
          [namespaceSelector, podSelector]
            .flatMap((selector) => Object.values(selector?.matchLabels ?? {}))
            .join("/"),
        ) ?? ["anywhere"];
        return peers.flatMap((peer) => ports.map(({ port }) => `${peer}:${port}`));
      });
      assert.deepEqual(found, reach[metadata.name], metadata.name);
    }
  });

  it("a pod accepts the connections that another may open: the ports of both ends' policies are the same", () => {
    const policies = manifests.filter(({ kind }) => kind === "NetworkPolicy") as GuardingPolicy[];
    for (const { metadata, spec } of policies) {
      for (const { to = [], ports } of spec.egress) {
        for (const { podSelector, namespaceSelector } of to) {
          const name = podSelector?.matchLabels["app.kubernetes.io/name"];
          if (name === undefined || namespaceSelector !== undefined) continue;
          const guard = policies.find((policy) => policy.metadata.name === name);
          const container = workloads.find((workload) => workload.metadata.name === name)?.spec.template.spec
            .containers[0];
          const admitted = guard?.spec.ingress
            .filter(({ from }) =>
              from?.some(({ podSelector: peer }) => isDeepStrictEqual(peer, spec.podSelector)),
            )
            .flatMap((rule) => rule.ports.map(({ port }) => port));
          const numbers = container?.ports
            .filter((port) => admitted?.includes(port.name))
            .map(({ containerPort }) => containerPort);
          assert.deepEqual(
            ports.map(({ port }) => port),
            numbers,
            `${metadata.name} → ${name}`,
          );
        }
      }
    }
  });

  it("every Service of guarded pods is named by a workload that may use it: no address leads nowhere", () => {
    const policies = manifests.filter(({ kind }) => kind === "NetworkPolicy") as GuardingPolicy[];
    const services = manifests.filter(({ kind }) => kind === "Service") as (Manifest & {
      spec: { selector: Labels };
    })[];
    for (const { metadata, spec } of services) {
      const guard = policies.find((policy) =>
        isDeepStrictEqual(policy.spec.podSelector.matchLabels, spec.selector),
      );
      // If everybody may connect, clients outside these files know the address, and no file needs to name it.
      if (guard === undefined || guard.spec.ingress.some(({ from }) => from === undefined)) continue;
      const admitted = guard.spec.ingress.flatMap(({ from }) =>
        (from ?? []).flatMap(({ podSelector }) =>
          workloads.filter(({ spec: { template } }) =>
            isDeepStrictEqual(template.metadata.labels, podSelector?.matchLabels),
          ),
        ),
      );
      const values = admitted.flatMap(settingsOf);
      // Matches the Service's name as a host: in a URL, or in `host:port`.
      const asHost = new RegExp(`(?:^|[/@])${metadata.name}[.:]`);
      assert.ok(
        values.some((value) => asHost.test(value)),
        metadata.name,
      );
    }
  });

  const edge = (named("Deployment", "payinference-edge") as Workload).spec.template.spec
    .containers[0] as Container;
  const edgeEnv = edge.env ?? [];
  const [nodesHost = "", nodesPort] = (edgeEnv.find(({ name }) => name === "NODES")?.value ?? "").split(":");

  it("the edge reads the settings its configuration names, and finds every node", () => {
    const [service = ""] = nodesHost.split(".");
    const headless = named("Service", service) as Manifest & { spec: { clusterIP: string } };
    assert.deepEqual([headless.spec.clusterIP, nodesPort], ["None", settings["PORT"]]);
    const { always } = edgeVariables();
    assert.deepEqual(
      edgeEnv.map(({ name }) => name).toSorted(),
      [...always, "NAMESPACE", "NODES_B"].toSorted(),
    );
  });

  it("the edge knows nodes by their full name, in its own namespace: HAProxy's resolver takes no search domains", () => {
    assert.equal(nodesHost, `${nodes.spec.serviceName}.$(NAMESPACE).svc.cluster.local`);
    // Kubernetes substitutes only variables that are defined earlier.
    const [first, second] = edgeEnv.filter(({ name }) => name === "NAMESPACE" || name === "NODES");
    assert.deepEqual(first, {
      name: "NAMESPACE",
      valueFrom: { fieldRef: { fieldPath: "metadata.namespace" } },
    });
    assert.equal(second?.name, "NODES");
    const guide = readRoot("docs/deployment.md");
    const namespace = /^kubectl create namespace (\S+)$/m.exec(guide)?.[1];
    assert.ok(guide.includes(`\`${nodesHost.replace("$(NAMESPACE)", `${namespace}`)}\``));
  });

  it("the ServiceMonitor scrapes /metrics of every node", () => {
    const monitor = named("ServiceMonitor", "payinference") as Manifest & {
      spec: { selector: { matchLabels: Labels }; endpoints: { port: string; path: string }[] };
    };
    assert.deepEqual(
      monitor.spec.selector.matchLabels,
      named("Service", "payinference-nodes").metadata.labels,
    );
    assert.deepEqual(
      monitor.spec.endpoints.map(({ port, path }) => [port, path]),
      [["metrics", "/metrics"]],
    );
  });
});
