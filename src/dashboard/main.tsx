import { StrictMode } from "react";
import { createRoot } from "react-dom/client";
import { App } from "./app.js";
import { applyKeptZone } from "./design/base/kept-zone.js";
import { applyChosenTheme } from "./design/base/theme.js";
import { sessionHint } from "./session/session-hint.js";
import { watchPageCode } from "./shell/page-code.js";
import "./design/base/tokens.css";
import "./design/base/base.css";

applyChosenTheme();
applyKeptZone();
watchPageCode();
sessionHint.setOnArrival();
const root = document.getElementById("root");
if (root === null) throw new Error("index.html has no #root");
createRoot(root).render(
  <StrictMode>
    <App />
  </StrictMode>,
);
