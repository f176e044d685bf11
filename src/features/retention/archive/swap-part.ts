import { readdir, rename, rm } from "node:fs/promises";
import { join } from "node:path";
import { syncFolder } from "./archive-disk.js";
import { PART_NAME } from "./manifest.js";

/**
 * Moves a finished part to its place. A part that was there stays beside it as `.old` until the new one is in place. So
 * there is a whole part at any moment, and a failure brings the old one back.
 */
export async function swapPart(dir: string, place: string): Promise<void> {
  const old = `${place}.old`;
  const hadOne = await rename(place, old).then(
    () => true,
    (error: NodeJS.ErrnoException) => {
      if (error.code !== "ENOENT") throw error;
      return false;
    },
  );
  try {
    await rename(dir, place);
  } catch (error) {
    if (hadOne) await rename(old, place);
    throw error;
  }
  await syncFolder(join(place, ".."));
  if (!hadOne) return;
  await rm(old, { recursive: true });
  await syncFolder(join(place, ".."));
}

/**
 * Completes an interrupted replacement. `part-1.old` is the old version of `part-1`. It is deleted if the new version
 * is in place, and is otherwise moved back.
 */
export async function mendSwaps(week: string): Promise<void> {
  const names = await readdir(week);
  for (const name of names) {
    const place = name.replace(/\.old$/, "");
    if (place === name || !PART_NAME.test(place)) continue;
    if (names.includes(place)) await rm(join(week, name), { recursive: true });
    else await rename(join(week, name), join(week, place));
    await syncFolder(week);
  }
}
