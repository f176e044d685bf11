import { readdirSync } from "node:fs";

/** The files that name images, from the repository's root. */
export const IMAGE_FILES: readonly string[] = [
  "Dockerfile",
  "deploy/compose.yaml",
  "deploy/compose.cells.yaml",
  ...readdirSync(new URL("../../deploy/kubernetes/", import.meta.url))
    .filter((file) => file.endsWith(".yaml"))
    .toSorted()
    .map((file) => `deploy/kubernetes/${file}`),
];

/** `FROM` in a Dockerfile, `image:` in a YAML file; a comment names none. */
const REFERENCE = /^([ \t]*(?:FROM|(?:- )?image:)[ \t]+)([\w./-]+:[\w.-]+)(@sha256:[0-9a-f]*)?(?=\s)/gm;
/** Built from this repository: its digest is the deployer's registry's. */
const OWN = /^payinference:/;

/** `name:tag` of every image that others build, in the order of the text. */
export function imagesIn(text: string): { image: string; digest: string | null }[] {
  return Array.from(text.matchAll(REFERENCE), ([, , image = "", digest]) => ({
    image,
    digest: digest?.slice(1) ?? null,
  })).filter(({ image }) => !OWN.test(image));
}

/** Returns the text with `name:tag@digest` for each image in `digests`. Everything else stays the same. */
export function withDigests(text: string, digests: ReadonlyMap<string, string>): string {
  return text.replaceAll(REFERENCE, (reference, before: string, image: string) => {
    const digest = digests.get(image);
    return digest === undefined ? reference : `${before}${image}@${digest}`;
  });
}
