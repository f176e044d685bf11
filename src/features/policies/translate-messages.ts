/** A policy text in plain English to translate. */
export interface TranslateTask {
  text: string;
  /** The deployment's providers. */
  providers: readonly string[];
}
