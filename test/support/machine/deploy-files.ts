import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { parseAllDocuments } from "yaml";

/** The files of deploy/, both as text and as parsed documents. */

const ROOT = new URL("../../../../", import.meta.url);
export const DEPLOY_DIR = fileURLToPath(new URL("deploy/", ROOT));
export const readRoot = (path: string): string => readFileSync(new URL(path, ROOT), "utf8");

/** Parses every document of a YAML file and resolves merge keys. A duplicate key or a bad anchor is an error. */
export function readYaml(path: string): unknown[] {
  return parseAllDocuments(readRoot(path), { merge: true }).map((document) => {
    const [error] = [...document.errors, ...document.warnings];
    if (error !== undefined) throw error;
    return document.toJS() as unknown;
  });
}

/** The names of all settings that the service reads. */
export const SETTING_NAMES: ReadonlySet<string> = new Set(
  ["settings.ts", "mail-settings.ts"].flatMap((file) =>
    Array.from(
      readRoot(`src/platform/settings/${file}`).matchAll(/^ {2,6}([A-Z][A-Z_]+): \w+\(/gm),
      ([, name = ""]) => name,
    ),
  ),
);

/**
 * The variables that the edge's configuration reads. HAProxy reads the blocks with those of `cells` only if there are
 * two cells.
 */
export const edgeVariables = (): { always: string[]; cells: string[] } => {
  const text = readRoot("deploy/haproxy/haproxy.cfg");
  const read = (part: string): string[] => [
    ...new Set(Array.from(part.matchAll(/"\$\{([A-Z_]+)(?:-[^}]*)?\}"/g), ([, name = ""]) => name)),
  ];
  const block = /^\.if defined\(NODES_B\)$[^]*?^\.endif$/gm;
  return {
    always: read(text.replaceAll(block, "")).toSorted(),
    cells: read((text.match(block) ?? []).join("\n")).toSorted(),
  };
};

/** The image name of this version's release. */
export const IMAGE = `payinference:${(JSON.parse(readRoot("package.json")) as { version: string }).version}`;

interface ValkeyContainer {
  entrypoint?: string[];
  command?: string[];
  args?: string[];
  healthcheck?: { test: string[] };
  readinessProbe?: { exec: { command: string[] } };
}
interface ValkeyFile {
  kind?: string;
  services?: Record<string, ValkeyContainer>;
  spec?: { template: { spec: { containers: ValkeyContainer[] } } };
}
/** How a file starts Valkey: the command, its options, and the health probe. */
export interface ValkeyStart {
  file: string;
  entrypoint: readonly string[];
  options: readonly string[];
  probe: readonly string[];
}
function valkeyStart(file: string, pick: (document: ValkeyFile) => ValkeyContainer | undefined): ValkeyStart {
  const container = readYaml(file)
    .map((document) => pick(document as ValkeyFile))
    .find((found) => found !== undefined);
  const { entrypoint, command = [], args, healthcheck, readinessProbe } = container ?? {};
  return entrypoint === undefined
    ? { file, entrypoint: command, options: args ?? [], probe: readinessProbe?.exec.command ?? [] }
    : {
        file,
        // Compose reads a single dollar as a variable, so its files double each dollar.
        entrypoint: entrypoint.map((word) => word.replaceAll("$$", "$")),
        options: command,
        probe: healthcheck?.test.slice(1) ?? [],
      };
}
export const VALKEY_STARTS: readonly ValkeyStart[] = [
  valkeyStart("deploy/compose.yaml", ({ services }) => services?.["valkey"]),
  valkeyStart("deploy/compose.cells.yaml", ({ services }) => services?.["valkey-b"]),
  valkeyStart("deploy/kubernetes/valkey.yaml", ({ kind, spec }) =>
    kind === "Deployment" ? spec?.template.spec.containers[0] : undefined,
  ),
];
