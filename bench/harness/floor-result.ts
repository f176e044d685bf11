export interface FloorResult {
  passed: boolean;
  /** What is promised and what was measured, one line. */
  line: string;
}
