/**
 * The kinds of records that are skipped one at a time, because they cannot be stored, copied or read. `attempts` counts
 * orders whose attempts were deleted early for lack of room.
 */
export const SKIPPED_RECORDS = ["copy", "evidence", "alert", "webhook_event", "attempts"] as const;
export type SkippedRecord = (typeof SKIPPED_RECORDS)[number];
