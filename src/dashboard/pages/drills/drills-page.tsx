import { useProviderHealth } from "../../api/figures.js";
import { useProviderPins } from "../../api/drills/provider-pins.js";
import { EmptyState } from "../../design/feedback/empty-state.js";
import { Loaded } from "../../design/feedback/loaded.js";
import { Panel } from "../../design/layout/panel.js";
import { Stack, StackBar, StackPair } from "../../design/layout/stack.js";
import { incidentText } from "../../explain/incident-text.js";
import { useMode } from "../../shell/mode.js";
import { DrillForm } from "./drill-form.js";
import { DrillHistory } from "./drill-history.js";
import { PinTable } from "./pin-table.js";

const FORM_HEIGHT_PX = 446;
const PINS_HEIGHT_PX = 220;

/**
 * ALRT-7: pins the health that this workspace sees for a provider, to rehearse a failure or to exclude the provider
 * by hand.
 */
export default function DrillsPage() {
  const { mode } = useMode();
  const health = useProviderHealth(mode);
  const pins = useProviderPins();
  const rows = Array.from(pins.data?.byProvider ?? [], ([provider, of]) =>
    of.map((pin) => ({ provider, ...pin })),
  ).flat();
  const incidents = incidentText(health.data?.providers ?? []);
  return (
    <Stack>
      <StackBar text="A drill changes decisions of this workspace within a second, in the modes that it holds in. Other workspaces see nothing of it." />
      <StackPair>
        <Panel title="Start a drill">
          <Loaded query={health} heightPx={FORM_HEIGHT_PX}>
            {({ providers }) =>
              providers.length === 0 ? (
                <EmptyState icon="drills" title="No provider has been probed yet" />
              ) : (
                <DrillForm segmentKeys={providers.map(({ segment_key }) => segment_key)} />
              )
            }
          </Loaded>
        </Panel>
        {/* In a narrow window this panel is below the form, so the form must have its height first. Otherwise the
            panel would move. */}
        {health.isPending ? null : (
          <Panel title="Pinned now" note={pins.data && `${rows.length}`} isFlush>
            <Loaded query={pins} heightPx={PINS_HEIGHT_PX}>
              {({ isPartial }) => (
                <>
                  {rows.length === 0 ? (
                    <EmptyState icon="check" title="No drill is on">
                      Every provider is seen as probes, your own outcomes and its webhooks show it.
                      {incidents === undefined ? null : ` ${incidents}`}
                    </EmptyState>
                  ) : (
                    <PinTable pins={rows} />
                  )}
                  {isPartial ? (
                    <p className="panel-body muted">
                      Only drills of the newest 1,000 entries of the audit log are listed.
                    </p>
                  ) : null}
                </>
              )}
            </Loaded>
          </Panel>
        )}
      </StackPair>
      {/* The history is below panels that grow while they load. It waits for them, so that it does not move. */}
      {health.isPending || pins.isPending ? null : <DrillHistory />}
    </Stack>
  );
}
