/** A policy in plain English. */
export interface TranslateTask {
  text: string;
  /** The deployment's. */
  providers: readonly string[];
}
