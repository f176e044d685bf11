import { readFile, rename, writeFile } from "node:fs/promises";

/**
 * Reads a text of DATA_DIR that is created only one time. Null if the file is missing or empty. Rejects if the file
 * exists but cannot be read, because the caller would otherwise replace it by a new text.
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

/**
 * Writes the file with mode 0600. The text is written to another file that is then renamed, so that no start finds half
 * of it.
 */
export async function keep(path: string, text: string): Promise<void> {
  await writeFile(`${path}.new`, `${text}\n`, { mode: 0o600, flush: true });
  await rename(`${path}.new`, path);
}
