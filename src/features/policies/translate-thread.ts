import type { Translation } from "./translate/translate-policy.js";
import {
  superviseErrands,
  type ErrandThread,
  type ErrandThreadOptions,
} from "../../platform/threads/errand-thread.js";
import type { TranslateTask } from "./translate-messages.js";

export type TranslateThread = ErrandThread<TranslateTask, Translation>;

/**
 * The front thread's handle on the translation thread. Compiling the grammars takes that thread up to half a second,
 * and a hard text tens of milliseconds. No decision waits for either.
 */
export function superviseTranslations(options: Omit<ErrandThreadOptions, "name">): TranslateThread {
  return superviseErrands({ ...options, name: "translate" });
}
