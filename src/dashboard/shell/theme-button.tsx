import { Button } from "../design/forms/button.js";
import { Icon } from "../design/base/icon.js";
import { useTheme } from "../design/base/theme.js";

/** Switches between the light and the dark scheme. */
export function ThemeButton() {
  const { scheme, toggle } = useTheme();
  const isDark = scheme === "dark";
  return (
    <Button
      kind="quiet"
      size="icon"
      aria-label={isDark ? "Use the light theme" : "Use the dark theme"}
      onClick={toggle}
    >
      <Icon name={isDark ? "sun" : "moon"} />
    </Button>
  );
}
