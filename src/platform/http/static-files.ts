import { createHash } from "node:crypto";
import { readdir, readFile } from "node:fs/promises";
import { extname, join, sep } from "node:path";

/** A file's bytes in one encoding. */
interface Encoded {
  /** The value of `content-encoding`. Null for the plain bytes. */
  encoding: "br" | "gzip" | null;
  /** A strong tag with its quotes. Each encoding has another tag (RFC 9110 §8.8.3.3). */
  etag: string;
  bytes: Uint8Array;
}

/** A file in memory, so that no request reads the disk. */
export interface StaticFile {
  contentType: string;
  /** The best encoding comes first. */
  encodings: readonly [...Encoded[], Encoded];
}

/** Files by their path in the folder. A path has `/` between its parts, and none at its beginning. */
export type StaticFiles = ReadonlyMap<string, StaticFile>;

const CONTENT_TYPES: Readonly<Record<string, string>> = {
  ".css": "text/css; charset=utf-8",
  ".html": "text/html; charset=utf-8",
  ".js": "text/javascript; charset=utf-8",
  ".svg": "image/svg+xml",
  ".woff2": "font/woff2",
};

/** The encodings of the compressed copies that the build writes beside the files. */
const COMPRESSED = [
  { encoding: "br", extension: ".br" },
  { encoding: "gzip", extension: ".gz" },
] as const;

/** Reads every file under `folder` whose content type is known. The map is empty if there is no such folder. */
export async function loadStaticFiles(folder: string): Promise<StaticFiles> {
  const names = await readdir(folder, { recursive: true }).catch((error: NodeJS.ErrnoException) => {
    if (error.code === "ENOENT") return [];
    throw error;
  });
  const known = new Set(names);
  const loaded = names.flatMap((name) => {
    const contentType = CONTENT_TYPES[extname(name)];
    return contentType === undefined ? [] : [loadFile(folder, name, contentType, known)];
  });
  return new Map(await Promise.all(loaded));
}

async function loadFile(
  folder: string,
  name: string,
  contentType: string,
  known: ReadonlySet<string>,
): Promise<[string, StaticFile]> {
  const compressed = await Promise.all(
    COMPRESSED.filter(({ extension }) => known.has(name + extension)).map(async ({ encoding, extension }) =>
      encoded(encoding, await readFile(join(folder, name + extension))),
    ),
  );
  const plain = encoded(null, await readFile(join(folder, name)));
  return [name.split(sep).join("/"), { contentType, encodings: [...compressed, plain] }];
}

/** Adds the tag to encoded bytes. */
export function encoded(encoding: Encoded["encoding"], bytes: Uint8Array): Encoded {
  const hash = createHash("sha256").update(bytes).digest("base64url").slice(0, 22);
  return { encoding, etag: `"${hash}"`, bytes };
}

/** The best encoding that the request accepts. RFC 9110 §12.5.3: q=0 refuses an encoding. */
export function chooseEncoding({ encodings }: StaticFile, acceptEncoding: string | undefined): Encoded {
  const accepted = new Set<string>();
  for (const part of (acceptEncoding ?? "").split(",")) {
    const [coding = "", ...parameters] = part.split(";").map((text) => text.trim().toLowerCase());
    if (!parameters.some((parameter) => /^q=0(?:\.0*)?$/.test(parameter))) accepted.add(coding);
  }
  const chosen = encodings.find(({ encoding }) => encoding === null || accepted.has(encoding));
  return chosen ?? (encodings.at(-1) as Encoded);
}

/** RFC 9110 §13.1.2: the header is `*` or a list of tags. `W/` in front of a tag is ignored. */
export function matchesEtag(ifNoneMatch: string | undefined, etag: string): boolean {
  if (ifNoneMatch === undefined) return false;
  return ifNoneMatch.split(",").some((tag) => {
    const candidate = tag.trim();
    return candidate === "*" || candidate.replace(/^W\//, "") === etag;
  });
}
