import { randomBytes } from "node:crypto";
import { readFile, rename, writeFile } from "node:fs/promises";
import { join } from "node:path";

const KEY_BYTES = 32;

/**
 * The key made for an embedded database where SECRET_KEY is unset: DATA_DIR/secret-key, mode 0600 (contract §8). It is
 * written beside its place and moved there, so that no start finds half of it.
 */
export async function ownSecretKey(dataDir: string): Promise<string> {
  const path = join(dataDir, "secret-key");
  const known = (await readFile(path, "utf8").catch(() => "")).trim();
  if (known !== "") return known;
  const made = randomBytes(KEY_BYTES).toString("base64");
  await writeFile(`${path}.new`, `${made}\n`, { mode: 0o600, flush: true });
  await rename(`${path}.new`, path);
  return made;
}
