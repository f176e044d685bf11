import { serveErrands } from "../src/actors/errand-worker.js";
import type { TranslateTask } from "../src/actors/messages.js";
import { translatePolicy } from "../src/translate/translate-policy.js";

serveErrands(({ text, providers }: TranslateTask) => translatePolicy(text, providers));
