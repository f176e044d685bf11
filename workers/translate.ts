import { serveErrands } from "../src/platform/threads/errand-worker.js";
import type { TranslateTask } from "../src/features/policies/translate-messages.js";
import { translatePolicy } from "../src/features/policies/translate/translate-policy.js";

serveErrands(({ text, providers }: TranslateTask) => translatePolicy(text, providers));
