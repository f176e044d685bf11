import { createHash } from "node:crypto";

/** The parts of a CycloneDX document that are read or changed here; npm writes the rest. */
export interface BillOfMaterials {
  serialNumber?: string;
  metadata: { timestamp?: string; component: Component };
  components: Component[];
  dependencies: { ref: string; dependsOn: string[] }[];
}
export interface Component {
  "bom-ref": string;
  name: string;
  type?: string;
  properties?: { name: string; value: string }[];
}

/**
 * Development packages whose code the build copies into what the service sends to browsers: the dashboard's, with what
 * they import, and the API page's.
 */
export const BUNDLED: readonly { name: string; withDependencies: boolean }[] = [
  { name: "@tanstack/react-query", withDependencies: true },
  { name: "react", withDependencies: true },
  { name: "react-dom", withDependencies: true },
  { name: "uplot", withDependencies: true },
  { name: "wouter", withDependencies: true },
  // Two files of it, which are Swagger UI; the Fastify plugin around them stays behind.
  { name: "@fastify/swagger-ui", withDependencies: false },
];

const DEVELOPMENT = "cdx:npm:package:development";
const isDevelopment = ({ properties = [] }: Component): boolean =>
  properties.some(({ name }) => name === DEVELOPMENT);

/** What is in the image, out of npm's list of everything in package-lock.json; the same bytes for the same lock. */
export function ofTheImage(all: BillOfMaterials, name: string): BillOfMaterials {
  const bundled = bundledRefs(all);
  const components = all.components
    .filter((component) => !isDevelopment(component) || bundled.has(component["bom-ref"]))
    .map((component) => (bundled.has(component["bom-ref"]) ? asBundled(component) : component))
    .toSorted((a, b) => (a["bom-ref"] < b["bom-ref"] ? -1 : 1));
  const own = all.metadata.component;
  const kept = new Set([own["bom-ref"], ...components.map((component) => component["bom-ref"])]);
  const { timestamp: _, ...metadata } = all.metadata;
  const bill = {
    ...all,
    // npm takes the folder's name.
    metadata: { ...metadata, component: { ...own, name, type: "application" } },
    components,
    dependencies: all.dependencies
      .filter(({ ref }) => kept.has(ref))
      .map(({ ref, dependsOn }) => ({ ref, dependsOn: dependsOn.filter((on) => kept.has(on)).toSorted() }))
      .toSorted((a, b) => (a.ref < b.ref ? -1 : 1)),
  };
  return { ...bill, serialNumber: serialNumberOf(bill) };
}

function bundledRefs(all: BillOfMaterials): Set<string> {
  const dependsOn = new Map(all.dependencies.map((entry) => [entry.ref, entry.dependsOn]));
  const refs = new Set<string>();
  const add = (ref: string): void => {
    // Types end with the compiler.
    if (refs.has(ref) || ref.startsWith("@types/")) return;
    refs.add(ref);
    for (const on of dependsOn.get(ref) ?? []) add(on);
  };
  for (const { name, withDependencies } of BUNDLED) {
    const component = all.components.find((candidate) => candidate.name === name);
    if (component === undefined) throw new Error(`package-lock.json has no ${name}`);
    if (withDependencies) add(component["bom-ref"]);
    else refs.add(component["bom-ref"]);
  }
  return refs;
}

function asBundled(component: Component): Component {
  const properties = (component.properties ?? []).filter(({ name }) => name !== DEVELOPMENT);
  return { ...component, properties: [...properties, { name: "payinference:bundled", value: "true" }] };
}

/** Of the contents, in the form of a UUID of version 8: the same document has the same number. */
function serialNumberOf(bill: Omit<BillOfMaterials, "serialNumber">): string {
  const { serialNumber: _, ...contents } = bill as BillOfMaterials;
  const hex = createHash("sha256").update(JSON.stringify(contents)).digest("hex");
  const parts = [hex.slice(0, 8), hex.slice(8, 12), `8${hex.slice(13, 16)}`, `a${hex.slice(17, 20)}`];
  return `urn:uuid:${parts.join("-")}-${hex.slice(20, 32)}`;
}
