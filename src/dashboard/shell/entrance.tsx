import { useEffect, type ReactNode } from "react";
import { Brand } from "../shell/brand.js";
import { ThemeButton } from "../shell/theme-button.js";
import "../shell/shell.css";
import "./entrance.css";

/** The frame of the pages that need no session. */
export function Entrance({
  title,
  children,
  foot,
}: {
  title: string;
  children?: ReactNode;
  foot?: ReactNode;
}) {
  useEffect(() => {
    document.title = title === "PayInference" ? title : `${title} · PayInference`;
  }, [title]);
  return (
    <main className="entrance">
      <div className="entrance-theme">
        <ThemeButton />
      </div>
      <Brand />
      <div className="entrance-card">
        <h1>{title}</h1>
        {children}
      </div>
      {foot === undefined ? null : <p className="entrance-foot">{foot}</p>}
    </main>
  );
}
