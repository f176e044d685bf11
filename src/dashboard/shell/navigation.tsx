import { Icon } from "../design/base/icon.js";
import { mayOpen, PAGES, SECTION_TITLES, type Page } from "../pages.js";
import { useAccount } from "../session/session.js";
import { PlaceLink } from "./mode.js";

/** The pages that this role may read, by section. */
export function Navigation({ onNavigate }: { onNavigate(): void }) {
  const account = useAccount();
  const sections = new Map<Page["section"], Page[]>();
  for (const page of PAGES) {
    if (page.icon === undefined || !mayOpen(page, account)) continue;
    sections.set(page.section, [...(sections.get(page.section) ?? []), page]);
  }
  return (
    <nav aria-label="Pages">
      {Array.from(sections, ([section, pages]) => (
        <div key={section} className="nav-section">
          <h2 className="nav-heading">{SECTION_TITLES[section]}</h2>
          <ul>
            {pages.map(({ path, title, icon }) => (
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
    </nav>
  );
}
