import { readFile, rename, writeFile } from "node:fs/promises";

/**
 * Reads a text of DATA_DIR that is made only once. Null if it does not exist yet. Rejects if it exists and cannot be
 * read, because a new text would replace it.
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

/** The file has mode 0600. It is written beside its place and moved there, so that no start finds half of it. */
export async function keep(path: string, text: string): Promise<void> {
  await writeFile(`${path}.new`, `${text}\n`, { mode: 0o600, flush: true });
  await rename(`${path}.new`, path);
}
