import { Icon } from "../design/base/icon.js";
import { useAccount } from "../session/session.js";
import { PlaceLink } from "./mode.js";
import { mayOpen, SECTION_TITLES, type Page } from "./page.js";

/** Lists the `pages` that the person may open, grouped by section. */
export function Navigation({ pages, onNavigate }: { pages: readonly Page[]; onNavigate(): void }) {
  const account = useAccount();
  const sections = new Map<Page["section"], Page[]>();
  for (const page of pages) {
    if (page.icon === undefined || !mayOpen(page, account)) continue;
    sections.set(page.section, [...(sections.get(page.section) ?? []), page]);
  }
  return (
    <nav aria-label="Pages">
      {Array.from(sections, ([section, shown]) => (
        <div key={section} className="nav-section">
          <h2 className="nav-heading">{SECTION_TITLES[section]}</h2>
          <ul>
            {shown.map(({ path, title, icon }) => (
              <li key={path}>
                <PlaceLink to={path} className="nav-link" onClick={onNavigate}>
                  {icon === undefined ? null : <Icon name={icon} />}
                  {title}
                </PlaceLink>
              </li>
            ))}
          </ul>
        </div>
      ))}
      <div className="nav-section">
        <ul>
          <li>
            {/* The API reference is outside of the dashboard, so it is a plain link. */}
            <a className="nav-link" href="/docs">
              <Icon name="reference" />
              API reference
            </a>
          </li>
        </ul>
      </div>
    </nav>
  );
}
