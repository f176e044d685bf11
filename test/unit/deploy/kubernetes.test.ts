import assert from "node:assert/strict";
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { describe, it } from "node:test";
import { isDeepStrictEqual } from "node:util";
import { Deployment, StatefulSet } from "kubernetes-models/apps/v1";
import { NetworkPolicy } from "kubernetes-models/networking.k8s.io/v1";
import { PodDisruptionBudget } from "kubernetes-models/policy/v1";
import { ConfigMap, Service } from "kubernetes-models/v1";
import { readSettings } from "../../../src/config/settings.js";
import { DEPLOY_DIR, IMAGE, readRoot, readYaml, SETTING_NAMES } from "../../support/deploy-files.js";

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
    valueFrom?: { secretKeyRef?: { name: string; key: string }; fieldRef?: { fieldPath: string } };
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
  exec?: object;
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
        topologySpreadConstraints?: { labelSelector: { matchLabels: Labels } }[];
        containers: Container[];
      };
    };
    volumeClaimTemplates?: { metadata: { name: string } }[];
  };
}
interface GuardingPolicy extends Manifest {
  spec: {
    podSelector: { matchLabels: Labels };
    ingress: { from: { podSelector?: { matchLabels: Labels } }[]; ports: { port: string }[] }[];
  };
}

const FILES = readdirSync(join(DEPLOY_DIR, "kubernetes")).map((file) => `deploy/kubernetes/${file}`);
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

/** Every value that a workload's containers read, those of the ConfigMap included. */
const settingsOf = ({ spec }: Workload): string[] =>
  spec.template.spec.containers.flatMap(({ env = [], envFrom = [] }) => [
    ...env.flatMap(({ value }) => value ?? []),
    ...(envFrom.length > 0 ? Object.values(settings) : []),
  ]);

/** Kubernetes' own schema of each kind; a ServiceMonitor is the Prometheus operator's. */
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

  it("which a wrong type and a missing field do not pass", () => {
    assert.throws(() => validate({ ...nodes, spec: { ...nodes.spec, replicas: "three" } } as never));
    assert.throws(() => validate({ ...nodes, spec: { ...nodes.spec, selector: undefined } } as never));
  });

  it("and no two of one kind and name", () => {
    const names = manifests.map(({ kind, metadata }) => `${kind} ${metadata.name}`);
    assert.equal(new Set(names).size, names.length);
  });
});

describe("deploy/kubernetes: the nodes", () => {
  it("run this version's image with settings that the service takes", () => {
    assert.equal(node.image, IMAGE);
    const own = (node.env ?? []).map(({ name }) => name);
    for (const name of [...Object.keys(settings), ...own]) assert.ok(SETTING_NAMES.has(name), name);
    assert.deepEqual(
      node.envFrom?.map(({ configMapRef }) => configMapRef.name),
      ["payinference"],
    );
    assert.match(settings["CACHE_URL"] ?? "", /^redis:\/\/valkey:6379$/);
    const read = readSettings({
      ...settings,
      ...Object.fromEntries((node.env ?? []).flatMap(({ name, value }) => (value ? [[name, value]] : []))),
    });
    assert.equal(read.trustProxyHops, 1);
    assert.equal(read.host, "0.0.0.0");
  });

  it("take secrets from a Secret alone, and docs/deployment.md makes every key of it", () => {
    const secret = (node.env ?? []).filter(({ name }) => /URL|SECRET|PLATFORM/.test(name));
    assert.ok(secret.length >= 4);
    const guide = readRoot("docs/deployment.md");
    for (const { name, value, valueFrom } of secret) {
      assert.equal(value, undefined, name);
      assert.deepEqual(valueFrom?.secretKeyRef?.name, "payinference");
      assert.ok(guide.includes(`--from-literal=${valueFrom?.secretKeyRef?.key}=`), name);
    }
    assert.ok(manifests.every(({ kind }) => kind !== "Secret"));
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

  it("are not scaled by an autoscaler: a journal goes with its pod", () => {
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

    it(`${metadata.name} says what it needs and is probed`, () => {
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
    assert.equal(policies.length, 2);
    const known = workloads.map(({ spec }) => JSON.stringify(spec.template.metadata.labels));
    for (const { spec } of policies) {
      const own = known.indexOf(JSON.stringify(spec.podSelector.matchLabels));
      const ports = workloads[own]?.spec.template.spec.containers[0]?.ports.map(({ name }) => name) ?? [];
      for (const { from, ports: admitted } of spec.ingress) {
        for (const { port } of admitted) assert.ok(ports.includes(port), port);
        for (const { podSelector } of from) {
          if (podSelector) assert.ok(known.includes(JSON.stringify(podSelector.matchLabels)));
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
      if (guard === undefined) continue;
      const admitted = guard.spec.ingress.flatMap(({ from }) =>
        from.flatMap(({ podSelector }) =>
          workloads.filter(({ spec: { template } }) =>
            isDeepStrictEqual(template.metadata.labels, podSelector?.matchLabels),
          ),
        ),
      );
      const values = admitted.flatMap(settingsOf);
      // As a URL or `host:port` begins with it.
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
    const read = readRoot("deploy/haproxy/haproxy.cfg").matchAll(/"\$\{([A-Z_]+)(?:-[^}]*)?\}"/g);
    assert.deepEqual(
      edgeEnv.map(({ name }) => name).toSorted(),
      ["NAMESPACE", ...new Set(Array.from(read, ([, name = ""]) => name))].toSorted(),
    );
  });

  it("the edge knows nodes by their full name, in its own namespace: HAProxy's resolver takes no search domains", () => {
    assert.equal(nodesHost, `${nodes.spec.serviceName}.$(NAMESPACE).svc.cluster.local`);
    // Kubernetes puts in only what stands before.
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
