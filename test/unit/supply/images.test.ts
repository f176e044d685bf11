import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { IMAGE_FILES, imagesIn, withDigests } from "../../../deploy/images.js";
import { IMAGE, readRoot } from "../../support/machine/deploy-files.js";

const DIGEST = /^sha256:[0-9a-f]{64}$/;
const named = IMAGE_FILES.flatMap((file) =>
  imagesIn(readRoot(file)).map(({ image, digest }) => ({ file, image, digest })),
);

describe("supply chain: images", () => {
  it("every image of Dockerfile, Compose and Kubernetes is name:tag@sha256, but for the service's own", () => {
    // Finds any text that begins like a reference. If `imagesIn` overlooks one, the test fails here.
    for (const file of IMAGE_FILES) {
      const lines = Array.from(
        readRoot(file).matchAll(/^\s*(?:- )?(?:FROM|image:)\s+(\S+)/gm),
        ([, name]) => name,
      );
      const others = lines.filter((name) => name !== IMAGE && name !== `\${PAYINFERENCE_IMAGE:-${IMAGE}}`);
      assert.deepEqual(
        others,
        imagesIn(readRoot(file)).map(({ image, digest }) => `${image}@${digest}`),
        file,
      );
    }
    for (const { file, image, digest } of named) assert.match(digest ?? "", DIGEST, `${file}: ${image}`);
    assert.deepEqual([...new Set(named.map(({ image }) => image.replace(/:.*/, "")))].toSorted(), [
      "grafana/grafana",
      "haproxy",
      "node",
      "postgres",
      "prom/prometheus",
      "valkey/valkey",
    ]);
  });

  it("one image has one tag and one digest everywhere", () => {
    const names = new Set(named.map(({ image }) => image.split(":")[0]));
    const references = new Set(named.map(({ image, digest }) => `${image}@${digest}`));
    assert.equal(references.size, names.size);
  });

  it("the service's image is Node 22 on glibc, for building and for running", () => {
    const bases = imagesIn(readRoot("Dockerfile")).map(({ image }) => image);
    assert.deepEqual(bases, ["node:22-bookworm-slim", "node:22-bookworm-slim"]);
  });
});

describe("supply chain: npm run images:pin writes digests and nothing else", () => {
  const digest = (character: string): string => `sha256:${character.repeat(64)}`;
  const digests = new Map([
    ["node:22-slim", digest("a")],
    ["valkey/valkey:8.1", digest("b")],
  ]);

  it("adds one where there is none, and replaces an older one", () => {
    const text = `FROM node:22-slim AS build\nFROM node:22-slim@${digest("0")}\n`;
    const pinned = `FROM node:22-slim@${digest("a")} AS build\nFROM node:22-slim@${digest("a")}\n`;
    assert.equal(withDigests(text, digests), pinned);
    assert.equal(withDigests(pinned, digests), pinned);
  });

  it("leaves comments, the service's own image and unknown ones as they are", () => {
    const text = "# FROM node:22-slim\n    image: payinference:0.1.0\n    image: redis:7\n";
    assert.equal(withDigests(text, digests), text);
    assert.equal(
      withDigests("      - image: valkey/valkey:8.1\n", digests),
      `      - image: valkey/valkey:8.1@${digest("b")}\n`,
    );
  });

  it("finds every image of our files again, with its own digest", () => {
    for (const file of IMAGE_FILES) {
      const own = new Map(imagesIn(readRoot(file)).map(({ image, digest: known }) => [image, known ?? ""]));
      assert.equal(withDigests(readRoot(file), own), readRoot(file));
    }
  });
});
