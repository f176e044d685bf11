/**
 * The kinds of records that the service skips one by one because it cannot store, copy or read them. `attempts` counts
 * orders whose attempts were deleted early for lack of room.
 */
export const SKIPPED_RECORDS = ["copy", "evidence", "alert", "webhook_event", "attempts"] as const;
export type SkippedRecord = (typeof SKIPPED_RECORDS)[number];
