import type { PolicyTemplate } from "../../../../client/wire-types.js";
import { usePolicyTemplates } from "../../../api/policies.js";
import { Dialog } from "../../../design/feedback/dialog.js";
import { Loaded } from "../../../design/feedback/loaded.js";
import { Button } from "../../../design/forms/button.js";
import { useTemplatesDialog } from "./use-templates-dialog.js";
import "./templates.css";

const HEIGHT_PX = 560;

/** DASH-42: lists templates of policies. Each names the values that have to be chosen after it is used. */
export function TemplatesDialog({ onChoose }: { onChoose(template: PolicyTemplate): void }) {
  const { isOpen, close } = useTemplatesDialog();
  const templates = usePolicyTemplates({ enabled: isOpen });
  if (!isOpen) return null;
  const choose = (template: PolicyTemplate): void => {
    close();
    onChoose(template);
  };
  return (
    <Dialog title="Begin with a template" isWide onClose={close}>
      <Loaded query={templates} heightPx={HEIGHT_PX}>
        {({ templates: all }) => (
          <ul className="templates">
            {all.map((template) => (
              <li key={template.template_id} className="template">
                <div>
                  <h3>{template.name}</h3>
                  <p>{template.english}</p>
                  <p className="muted">
                    To choose: {inOneSentence(template.choices.map(({ english }) => english))}
                  </p>
                </div>
                <Button
                  size="small"
                  aria-label={`Begin with: ${template.name}`}
                  onClick={() => choose(template)}
                >
                  Begin
                </Button>
              </li>
            ))}
          </ul>
        )}
      </Loaded>
    </Dialog>
  );
}

/** `The first. The second.` becomes `the first; the second.` */
function inOneSentence(sentences: readonly string[]): string {
  const parts = sentences.map((text) => text.slice(0, 1).toLowerCase() + text.slice(1).replace(/\.$/, ""));
  return `${parts.join("; ")}.`;
}
