import type { Translation } from "./translate/translate-policy.js";
import {
  superviseErrands,
  type ErrandThread,
  type ErrandThreadOptions,
} from "../../platform/threads/errand-thread.js";
import type { TranslateTask } from "./translate-messages.js";

export type TranslateThread = ErrandThread<TranslateTask, Translation>;

/**
 * Translations as the front thread sees them: compiling the grammars takes it up to half a second, a hard text tens of
 * milliseconds, and no decision waits for either.
 */
export function superviseTranslations(options: Omit<ErrandThreadOptions, "name">): TranslateThread {
  return superviseErrands({ ...options, name: "translate" });
}
