import { CONDITION_FIELDS } from "../../../../domain/policy/condition-fields.js";
import { CONDITION_FAMILIES } from "../../../../domain/policy/condition-row.js";
import { CONDITION_FIELD_NAMES } from "../../../../domain/policy/condition-vocabulary.js";
import { formatName } from "../../../design/base/format.js";
import type { OptionGroup } from "../../../design/forms/grouped-select.js";
import { freeKey } from "./conditions.js";
import type { WhenDraft } from "../draft/draft.js";
import { FAMILY_TITLES } from "./words.js";

/** The fields that `when` does not use yet, by family. */
export function fieldGroups(when: WhenDraft): OptionGroup[] {
  return CONDITION_FAMILIES.map((family) => ({
    title: FAMILY_TITLES[family],
    options: CONDITION_FIELD_NAMES.filter(
      (field) => CONDITION_FIELDS[field].family === family && freeKey(field, when) !== undefined,
    ).map((field) => ({ value: field, label: formatName(field) })),
  })).filter(({ options }) => options.length > 0);
}
