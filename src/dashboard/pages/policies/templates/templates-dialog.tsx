import type { PolicyTemplate } from "../../../../client/wire-types.js";
import { usePolicyTemplates } from "../../../api/policies.js";
import { Dialog } from "../../../design/feedback/dialog.js";
import { Loaded } from "../../../design/feedback/loaded.js";
import { Button } from "../../../design/forms/button.js";
import { useTemplatesDialog } from "./use-templates-dialog.js";
import "./templates.css";

const HEIGHT_PX = 560;

/** DASH-42: policies to begin with. Which values they leave to choose is said before one is taken. */
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
                    To choose: {template.choices.map(({ english }) => lowerFirst(english)).join(" ")}
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

function lowerFirst(text: string): string {
  return text.slice(0, 1).toLowerCase() + text.slice(1);
}
