import { open } from "node:fs/promises";

/** A new file, which is written from its beginning to its end. */
export interface NewFile {
  write(bytes: Uint8Array): Promise<void>;
  /** Resolves once the disk has it. */
  sync(): Promise<void>;
  close(): Promise<void>;
}

/** How files of an archive are made. */
export type CreateFile = (path: string) => Promise<NewFile>;

export const createFile: CreateFile = async (path) => {
  const handle = await open(path, "wx", 0o600);
  return {
    async write(bytes) {
      // One call may take a part only.
      for (let at = 0; at < bytes.byteLength;) at += (await handle.write(bytes, at)).bytesWritten;
    },
    sync: () => handle.sync(),
    close: () => handle.close(),
  };
};

/** A name in a folder is safe once the folder is. */
export async function syncFolder(path: string): Promise<void> {
  const handle = await open(path, "r");
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}
