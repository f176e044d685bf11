/**
 * What can be passed over, one record at a time, since it cannot be stored, copied or read. `attempts`: those of an order,
 * which left before their time because there was no room.
 */
export const SKIPPED_RECORDS = ["copy", "evidence", "alert", "webhook_event", "attempts"] as const;
export type SkippedRecord = (typeof SKIPPED_RECORDS)[number];
