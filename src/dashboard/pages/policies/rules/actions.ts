import type { ActionOption } from "../../../../domain/policy/action-row.js";
import { ACTION_ROWS, actionRow, type ActionType } from "../../../../domain/policy/action-rows.js";
import type { ActionDraft } from "../draft/draft.js";

/** The first value of a required number. */
const FIRST_NUMBER = 60;

interface ActionForm {
  title: string;
  options: Readonly<Record<string, ActionOption>>;
}

/** Returns undefined if the vocabulary does not know the type. */
export function actionForm(type: string): ActionForm | undefined {
  return Object.hasOwn(ACTION_ROWS, type) ? actionRow(type as ActionType) : undefined;
}

/** Returns a new action of a type. Its required options are empty. */
export function firstAction(type: string): ActionDraft {
  const options = Object.entries(actionForm(type)?.options ?? {});
  return {
    type,
    ...Object.fromEntries(
      options.flatMap(([name, option]) =>
        option.presence === "required" ? [[name, firstValue(option)]] : [],
      ),
    ),
  };
}

function firstValue(option: ActionOption): unknown {
  switch (option.kind) {
    case "providers":
    case "provider_reason_codes":
      return [];
    case "weights":
      return {};
    case "choice":
      return option.values[0];
    case "number":
      return FIRST_NUMBER;
    case "reason_code":
      return "";
    case "flag":
      return option.default;
  }
}
