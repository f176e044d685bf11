import { readFile, rename, writeFile } from "node:fs/promises";

/**
 * What a start finds of a text of DATA_DIR that is made once; null where there is none yet. Rejects for one that is there
 * and cannot be read: another made in its place would be the end of it.
 */
export async function readKept(path: string): Promise<string | null> {
  try {
    const text = (await readFile(path, "utf8")).trim();
    return text === "" ? null : text;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return null;
    throw error;
  }
}

/** Mode 0600; written beside its place and moved there, so that no start finds half of it. */
export async function keep(path: string, text: string): Promise<void> {
  await writeFile(`${path}.new`, `${text}\n`, { mode: 0o600, flush: true });
  await rename(`${path}.new`, path);
}
