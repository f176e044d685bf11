import { execFileSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { IMAGE_FILES, imagesIn, withDigests } from "./images.js";

/**
 * `npm run images:pin`: asks each registry, through docker, for the present digest of every tag. It writes those
 * digests into the files that name the images. Check the changes with `git diff` and the tests before you commit them.
 */
const ROOT = new URL("../../", import.meta.url);

/** The digest of the index over all platforms if there is one, so that x64 and arm64 pull the same reference. */
function digestOf(image: string): string {
  const args = ["buildx", "imagetools", "inspect", image, "--format", "{{.Manifest.Digest}}"];
  const digest = execFileSync("docker", args, { encoding: "utf8" }).trim();
  if (!/^sha256:[0-9a-f]{64}$/.test(digest)) throw new Error(`docker names no digest of ${image}: ${digest}`);
  return digest;
}

const texts = new Map(IMAGE_FILES.map((file) => [file, readFileSync(new URL(file, ROOT), "utf8")]));
const images = new Set([...texts.values()].flatMap((text) => imagesIn(text).map(({ image }) => image)));
// All digests are read before the first file is written, so a registry that does not answer leaves the files unchanged.
const digests = new Map(Array.from(images, (image) => [image, digestOf(image)]));
for (const [file, text] of texts) writeFileSync(new URL(file, ROOT), withDigests(text, digests));
for (const [image, digest] of digests) process.stdout.write(`${image}@${digest}\n`);
