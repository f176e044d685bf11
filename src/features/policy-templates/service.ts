import { defaultPriority } from "../../domain/policy/normal-form.js";
import { pageOfTable, type TablePage } from "../../platform/http/table-page.js";
import { POLICY_TEMPLATES, type PolicyTemplate } from "./templates.js";
import type { PolicyTemplateBody, PolicyTemplateListBody } from "./wire.js";

/** POL-24 and POL-25: a page of the templates that the deployment's `providers` can carry out. */
export function policyTemplatePage(providers: readonly string[], page: TablePage): PolicyTemplateListBody {
  const { rows, has_more } = pageOfTable(policyTemplates(providers), ({ template_id }) => template_id, page);
  return { templates: rows, has_more };
}

export function policyTemplates(providers: readonly string[]): PolicyTemplateBody[] {
  return POLICY_TEMPLATES.flatMap((template) => {
    const text = JSON.stringify(bodyOf(template));
    const named = Array.from(text.matchAll(PLACE), ([, place]) => Number(place));
    if (named.some((place) => place > providers.length)) return [];
    const filled = text.replace(PLACE, (_, place: string) => JSON.stringify(providers[Number(place) - 1]));
    return [JSON.parse(filled) as PolicyTemplateBody];
  });
}

/** A provider's placeholder in JSON, such as `"$1"`, as a string or as a key. */
const PLACE = /"\$(\d)"/g;

function bodyOf({ template_id, name, english, rules, choices }: PolicyTemplate): PolicyTemplateBody {
  return {
    template_id,
    name,
    english,
    default_provider: null,
    rules: rules.map((rule, index) => ({
      rule_id: `${template_id}_${index + 1}`,
      name: rule.name,
      priority: defaultPriority(index),
      enabled: true,
      when: rule.when,
      then: rule.then,
    })),
    choices: [...choices],
  };
}
