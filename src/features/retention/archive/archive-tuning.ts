/** What operators and developers tune of the archive. A node's memory bounds the size of a row group. */
export const ARCHIVE_TUNING = {
  /** A row group is written once it has so many rows, or so many bytes of texts and documents. */
  groupRowsMax: 20_000,
  groupBytesMax: 16 * 2 ** 20,
  /** Rows that are fetched at once. A row of documents may have a megabyte. */
  fetchRows: 1000,
  fetchDocumentRows: 16,
  /** A larger heap is a bug. */
  heapMibMax: 512,
} as const;
