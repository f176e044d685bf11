import { Panel } from "../../../design/layout/panel.js";
import { Tabs } from "../../../design/layout/tabs.js";
import { useChoice } from "../../../shell/address.js";
import { BacktestPanel } from "./backtest-panel.js";
import type { Draft } from "../draft/draft.js";
import { SimulatePanel } from "./simulate-panel.js";
import { TranslatePanel } from "./translate-panel.js";

const TOOLS = [
  { value: "simulate", label: "Simulate" },
  { value: "backtest", label: "Backtest" },
  { value: "translate", label: "Write in English" },
] as const;

const TOOL_NAMES = TOOLS.map(({ value }) => value);

interface WorkbenchProps {
  merchantId: string;
  draft: Draft;
  mayWrite: boolean;
  onDraft(draft: Draft): void;
}

/** The tools that try a draft without storing it. Each tool keeps its result while another is used. */
export function Workbench({ merchantId, draft, mayWrite, onDraft }: WorkbenchProps) {
  const [tool, setTool] = useChoice("tool", TOOL_NAMES, "simulate");
  return (
    <Panel title="Try it" note="nothing is stored">
      <Tabs label="Tools" value={tool} options={TOOLS} onChange={setTool}>
        <div className="tool" hidden={tool !== "simulate"}>
          <SimulatePanel merchantId={merchantId} draft={draft} />
        </div>
        <div className="tool" hidden={tool !== "backtest"}>
          <BacktestPanel merchantId={merchantId} draft={draft} />
        </div>
        <div className="tool" hidden={tool !== "translate"}>
          <TranslatePanel merchantId={merchantId} draft={draft} mayWrite={mayWrite} onDraft={onDraft} />
        </div>
      </Tabs>
    </Panel>
  );
}
