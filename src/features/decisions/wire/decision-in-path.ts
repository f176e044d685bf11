/** The path parameter of operations on one decision. */
export const decisionInPath = {
  decisionId: { schema: { type: "string" }, description: "Of a decision." },
} as const;
export const NO_DECISION = "Unknown, or of another workspace, mode or merchant: all alike.";
