import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { parseAllDocuments } from "yaml";

/** deploy/, as text and as documents. */

const ROOT = new URL("../../../", import.meta.url);
export const DEPLOY_DIR = fileURLToPath(new URL("deploy/", ROOT));
export const readRoot = (path: string): string => readFileSync(new URL(path, ROOT), "utf8");

/** Every document of a YAML file, merge keys resolved; a duplicate key or a bad anchor is an error. */
export function readYaml(path: string): unknown[] {
  return parseAllDocuments(readRoot(path), { merge: true }).map((document) => {
    const [error] = [...document.errors, ...document.warnings];
    if (error !== undefined) throw error;
    return document.toJS() as unknown;
  });
}

/** The name of every setting the service reads. */
export const SETTING_NAMES: ReadonlySet<string> = new Set(
  Array.from(readRoot("src/config/settings.ts").matchAll(/^ {6}([A-Z][A-Z_]+): /gm), ([, name = ""]) => name),
);

/** The image that a release of this version has. */
export const IMAGE = `payinference:${(JSON.parse(readRoot("package.json")) as { version: string }).version}`;

interface ValkeyFile {
  kind?: string;
  services?: Record<string, { command?: string[] }>;
  spec?: { template: { spec: { containers: { args: string[] }[] } } };
}
/** The files that start a Valkey, and with what: its command line. */
export const VALKEY_COMMANDS: readonly { file: string; command: readonly string[] }[] = [
  { file: "deploy/compose.yaml", pick: ({ services }: ValkeyFile) => services?.["valkey"]?.command },
  {
    file: "deploy/kubernetes/valkey.yaml",
    pick: ({ kind, spec }: ValkeyFile) =>
      kind === "Deployment" ? spec?.template.spec.containers[0]?.args : undefined,
  },
].map(({ file, pick }) => ({
  file,
  command: readYaml(file).flatMap((document) => pick(document as ValkeyFile) ?? []),
}));
