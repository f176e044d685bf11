import { open } from "node:fs/promises";

/** A new file that is written from its beginning to its end. */
export interface NewFile {
  write(bytes: Uint8Array): Promise<void>;
  /** Resolves once the bytes are on disk. */
  sync(): Promise<void>;
  close(): Promise<void>;
}

/** Creates the files of an archive. */
export type CreateFile = (path: string) => Promise<NewFile>;

export const createFile: CreateFile = async (path) => {
  const handle = await open(path, "wx", 0o600);
  return {
    async write(bytes) {
      // A single write may store only a part of the bytes.
      for (let at = 0; at < bytes.byteLength;) at += (await handle.write(bytes, at)).bytesWritten;
    },
    sync: () => handle.sync(),
    close: () => handle.close(),
  };
};

/** A new or renamed file is durable only once its folder is synced. */
export async function syncFolder(path: string): Promise<void> {
  const handle = await open(path, "r");
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}
