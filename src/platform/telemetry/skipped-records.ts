/** What can be passed over, one record at a time, since it cannot be stored, copied or read. */
export const SKIPPED_RECORDS = ["copy", "evidence", "alert", "webhook_event"] as const;
export type SkippedRecord = (typeof SKIPPED_RECORDS)[number];
