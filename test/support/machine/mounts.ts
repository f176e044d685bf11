import { execFile } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after } from "node:test";
import { promisify } from "node:util";

const run = promisify(execFile);
const unmount = (dir: string): Promise<unknown> => run("umount", ["-l", dir]);

const closers: (() => Promise<unknown>)[] = [];
after(async () => {
  for (const close of closers.toReversed()) await close();
});

/** The reason to skip a test of disks. */
export const NO_MOUNTS = "mounting a small tmpfs needs root";

/** Mounts a small disk, which is unmounted when the test file is done. Null where mounting is not allowed. */
export async function mountSmallDisk(bytes: number): Promise<string | null> {
  const dir = await mkdtemp(join(tmpdir(), "payinference-disk-"));
  const mounted = await run("mount", ["-t", "tmpfs", "-o", `size=${bytes},mode=0700`, "tmpfs", dir]).then(
    () => true,
    () => false,
  );
  closers.push(async () => {
    if (mounted) await unmount(dir);
    await rm(dir, { recursive: true, force: true });
  });
  return mounted ? dir : null;
}

/**
 * Mounts the directory read-only. From then on no file in it can be opened for writing, and access(2) reports that.
 * Files that are already open keep their mode, because a test cannot change that. Resolves to a function that unmounts
 * it.
 */
export async function mountReadOnly(dir: string): Promise<() => Promise<unknown>> {
  await run("mount", ["--bind", dir, dir]);
  await run("mount", ["-o", "remount,bind,ro", dir]);
  return () => unmount(dir);
}
