import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, it } from "node:test";
import { ROOT } from "../../house/tree.js";

const PAGE = join(ROOT, "src/dashboard");
const ADDRESS = "shell/address.ts";
/** The pages of this list are not in the address, because a reload removes the result that it shows. */
const OF_A_PASSING_RESULT = "pages/policies/trial/backtest-changes.tsx";

const files = readdirSync(PAGE, { recursive: true, encoding: "utf8" }).filter((name) => /\.tsx?$/.test(name));
const those = (pattern: RegExp): string[] =>
  files.filter((name) => pattern.test(readFileSync(join(PAGE, name), "utf8")));

describe("DASH-10: the address has one place that changes it", () => {
  it("nothing else writes parameters", () => {
    assert.deepEqual(those(/useSearchParams|history\.(?:push|replace)State/), [ADDRESS]);
  });

  it("no page keeps a range, a view or a page of a list to itself", () => {
    const kept = those(/\[(?:range|view|page|tab|tool|span|method|days|wanted|cursor), set\w+\] = useState/);
    assert.deepEqual(
      kept.filter((name) => !FORMS.has(name)),
      [OF_A_PASSING_RESULT],
    );
  });
});

/** Values of a form that is not sent yet are not choices of a view. */
const FORMS: ReadonlySet<string> = new Set(["pages/drills/drill-form.tsx"]);
