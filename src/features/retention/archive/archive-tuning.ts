/** The numbers that tune the archive. A row group is in memory as a whole. */
export const ARCHIVE_TUNING = {
  /**
   * A row group is written once it reaches one of these limits. The bytes are those of its texts and documents. The
   * whole index of a file is in memory too, and small groups would make it large.
   */
  groupRowsMax: 20_000,
  groupBytesMax: 16 * 2 ** 20,
  /** The number of rows that one statement reads. A row of documents can have a megabyte. */
  fetchRows: 100,
  fetchDocumentRows: 16,
  /** The thread never needs a larger heap. If it grows beyond this, there is a bug. */
  heapMibMax: 512,
} as const;
