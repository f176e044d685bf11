import { useState } from "react";
import type { Policy } from "../../../client/wire-policy.js";
import { usePolicies } from "../../api/policies.js";
import { useProviderIds } from "../../api/provider-ids.js";
import { ErrorState } from "../../design/error-state.js";
import { Skeleton } from "../../design/skeleton.js";
import { useHasRole } from "../../session/session.js";
import { MerchantPicker } from "../../shell/merchant-picker.js";
import { DiscardDialog } from "./discard-dialog.js";
import { draftOf, EMPTY_DRAFT, type Draft } from "./draft.js";
import { PolicyEditor } from "./policy-editor.js";
import { ProvidersProvider } from "./providers.js";
import { PublishDialog } from "./publish-dialog.js";
import { VersionsPanel } from "./versions-panel.js";
import { WRITERS } from "./writers.js";
import "./policies.css";

/** What decides: the merchant's policy, its versions and the next one. */
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
      <Versions merchantId={merchantId} policies={policies.data.policies} />
    </ProvidersProvider>
  );
}

/** What the editor began with; each one gets an editor of its own. */
interface Opened {
  count: number;
  stored: Policy | null;
  draft: Draft;
}

function Versions({ merchantId, policies }: { merchantId: string; policies: readonly Policy[] }) {
  const live = policies.find(({ status }) => status === "published") ?? null;
  const [opened, setOpened] = useState<Opened>(() => openedOf(live ?? policies[0] ?? null, 0));
  const [isEdited, setEdited] = useState(false);
  const [asked, setAsked] = useState<Policy | "new" | null>(null);
  const [publishing, setPublishing] = useState<Policy | null>(null);
  const mayWrite = useHasRole(WRITERS);
  const show = (policy: Policy | null): void => {
    setAsked(null);
    setEdited(false);
    setOpened((before) => openedOf(policy, before.count + 1));
  };
  const ask = (what: Policy | "new"): void => {
    if (isEdited) setAsked(what);
    else show(what === "new" ? null : what);
  };
  // What is known of the version has changed when it was published since.
  const stored = policies.find(({ policy_id }) => policy_id === opened.stored?.policy_id) ?? opened.stored;
  return (
    <>
      <VersionsPanel
        policies={policies}
        openId={stored?.policy_id ?? null}
        mayWrite={mayWrite}
        onOpen={ask}
        onPublish={setPublishing}
        onNew={() => ask("new")}
      />
      <PolicyEditor
        key={opened.count}
        merchantId={merchantId}
        base={opened.draft}
        stored={stored}
        live={live}
        mayWrite={mayWrite}
        onEdited={setEdited}
        onStored={show}
      />
      {asked === null ? null : (
        <DiscardDialog
          onDiscard={() => show(asked === "new" ? null : asked)}
          onClose={() => setAsked(null)}
        />
      )}
      {publishing === null ? null : (
        <PublishDialog
          merchantId={merchantId}
          draft={draftOf(publishing)}
          stored={publishing}
          live={live}
          onDone={() => setPublishing(null)}
          onClose={() => setPublishing(null)}
        />
      )}
    </>
  );
}

function openedOf(stored: Policy | null, count: number): Opened {
  return { count, stored, draft: stored === null ? EMPTY_DRAFT : draftOf(stored) };
}
