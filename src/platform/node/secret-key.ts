import { randomBytes } from "node:crypto";
import { join } from "node:path";
import { keep, readKept } from "./kept-file.js";

const KEY_BYTES = 32;

/**
 * HOOK-14: the secret key of a node with an embedded database and no SECRET_KEY. It is created in DATA_DIR/secret-key,
 * mode 0600.
 */
export async function ownSecretKey(dataDir: string): Promise<string> {
  const path = join(dataDir, "secret-key");
  const known = await readKept(path);
  if (known !== null) return known;
  const made = randomBytes(KEY_BYTES).toString("base64");
  await keep(path, made);
  return made;
}
