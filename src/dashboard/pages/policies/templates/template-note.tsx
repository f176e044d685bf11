import type { PolicyTemplate } from "../../../../client/wire-types.js";

/** POL-25, DASH-42: names the values of the template that the person still has to choose. */
export function TemplateNote({ name, choices }: Pick<PolicyTemplate, "name" | "choices">) {
  return (
    <div className="note tone-watch" role="status">
      <p>Begun with “{name}”. Choose these values before you publish:</p>
      <ul>
        {choices.map(({ path, english }) => (
          <li key={path}>
            Rule {Number(path.split(".")[1]) + 1}: {english}
          </li>
        ))}
      </ul>
    </div>
  );
}
