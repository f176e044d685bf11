import { useState } from "react";
import type { Policy } from "../../../client/wire-types.js";
import { usePolicies, type LivePolicy, type MerchantPolicies } from "../../api/policies.js";
import { useProviderIds } from "../../api/provider-ids.js";
import { ErrorState } from "../../design/feedback/error-state.js";
import { Skeleton } from "../../design/base/skeleton.js";
import { useHasRole } from "../../session/session.js";
import { useAddress } from "../../shell/address.js";
import { MerchantPicker } from "../../shell/merchant-picker.js";
import { DiscardDialog } from "./editor/discard-dialog.js";
import { draftOf } from "./draft/draft.js";
import { mergeOnto, type Opening } from "./versions/opening.js";
import { PolicyEditor } from "./editor/policy-editor.js";
import { ProvidersProvider } from "./rules/providers.js";
import { RetryRulesPanel } from "./retry-rules-panel.js";
import { PublishDialog } from "./editor/publish-dialog.js";
import { VersionsPanel } from "./versions/versions-panel.js";
import { WRITERS } from "./writers.js";
import "./policies.css";

/** Shows the merchant's live policy, its versions and the next one. */
export default function PoliciesPage() {
  return <MerchantPicker>{(merchantId) => <MerchantPolicies merchantId={merchantId} />}</MerchantPicker>;
}

function MerchantPolicies({ merchantId }: { merchantId: string }) {
  const policies = usePolicies(merchantId);
  const providers = useProviderIds();
  if (policies.data === undefined || providers.data === undefined) {
    const error = policies.error ?? providers.error;
    if (error === null) return <Skeleton heightPx={720} />;
    const retry = () => Promise.all([policies.refetch(), providers.refetch()]);
    return <ErrorState error={error} onRetry={retry} />;
  }
  return (
    <ProvidersProvider providers={providers.data}>
      <Versions merchantId={merchantId} known={policies.data} />
    </ProvidersProvider>
  );
}

/** The start of one editing session. Each one gets an editor of its own. */
interface Opened extends Opening {
  count: number;
}

/** The value in the address for a draft without a stored version. */
const NEW = "new";

/** Returns the version that the address names, else the live one, else the newest. */
function firstOf({ policies, live }: MerchantPolicies, named: string | null): Policy | null {
  if (named === NEW) return null;
  return policies.find(({ policy_id }) => policy_id === named) ?? live.policy ?? policies[0] ?? null;
}

function Versions({ merchantId, known }: { merchantId: string; known: MerchantPolicies }) {
  const { policies, live } = known;
  const { parameters, edit } = useAddress();
  const [opened, setOpened] = useState<Opened>(() => ({
    count: 0,
    stored: firstOf(known, parameters.get("version")),
    merge: null,
    baseLive: live,
  }));
  const [isEdited, setEdited] = useState(false);
  const [discarding, setDiscarding] = useState<Opening | null>(null);
  const [publishing, setPublishing] = useState<{ policy: Policy; baseLive: LivePolicy } | null>(null);
  const mayWrite = useHasRole(WRITERS);
  const show = (opening: Opening): void => {
    setDiscarding(null);
    setEdited(false);
    setOpened(({ count }) => ({ ...opening, count: count + 1 }));
    edit({ version: opening.stored?.policy_id ?? NEW }, { replace: true });
  };
  const askToDiscard = (opening: Opening): void => {
    if (isEdited) setDiscarding(opening);
    else show(opening);
  };
  const begin = (stored: Policy | null): void => askToDiscard({ stored, merge: null, baseLive: live });
  // Publishing changes a version's status, so the version is looked up again.
  const stored = policies.find(({ policy_id }) => policy_id === opened.stored?.policy_id) ?? opened.stored;
  return (
    <>
      <VersionsPanel
        policies={policies}
        openId={stored?.policy_id ?? null}
        mayWrite={mayWrite}
        onOpen={begin}
        onPublish={(policy) => setPublishing({ policy, baseLive: live })}
        onNew={() => begin(null)}
      />
      <PolicyEditor
        key={opened.count}
        merchantId={merchantId}
        stored={stored}
        merge={opened.merge}
        baseLive={opened.baseLive}
        live={live}
        mayWrite={mayWrite}
        onEdited={setEdited}
        onOpen={show}
      />
      <RetryRulesPanel />
      {discarding === null ? null : (
        <DiscardDialog onDiscard={() => show(discarding)} onClose={() => setDiscarding(null)} />
      )}
      {publishing === null ? null : (
        <PublishDialog
          merchantId={merchantId}
          draft={draftOf(publishing.policy)}
          stored={publishing.policy}
          base={publishing.baseLive}
          live={publishing.baseLive}
          onDone={() => setPublishing(null)}
          onClose={() => setPublishing(null)}
          onMerge={(now) => {
            setPublishing(null);
            askToDiscard(mergeOnto(now, publishing.baseLive, draftOf(publishing.policy)));
          }}
          onTake={null}
        />
      )}
    </>
  );
}
