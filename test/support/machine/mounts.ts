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

/** Why a test of disks is skipped. */
export const NO_MOUNTS = "mounting a small tmpfs needs root";

/** A disk of its own, gone when the test file is done; null where mounting is not allowed. */
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
 * A read-only mount on top of the directory: nothing can be opened for writing in it any more, and access(2) says so. Files
 * that are open stay what they are, which a kernel allows no test to change. Resolves to what lifts it.
 */
export async function mountReadOnly(dir: string): Promise<() => Promise<unknown>> {
  await run("mount", ["--bind", dir, dir]);
  await run("mount", ["-o", "remount,bind,ro", dir]);
  return () => unmount(dir);
}
