import { useState } from "react";
import type { Policy } from "../../../client/wire-types.js";
import { usePolicies, type LivePolicy, type MerchantPolicies } from "../../api/policies.js";
import { useProviderIds } from "../../api/provider-ids.js";
import { ErrorState } from "../../design/feedback/error-state.js";
import { Skeleton } from "../../design/base/skeleton.js";
import { randomKey } from "../../api/transport/idempotency-key.js";
import { useActorNames } from "../../session/actor-names.js";
import { useHasRole } from "../../session/session.js";
import { useAddress } from "../../shell/address.js";
import { MerchantPicker } from "../../shell/merchant/merchant-picker.js";
import { DiscardDialog } from "./editor/discard-dialog.js";
import { draftOf } from "./draft/draft.js";
import { useKeptDrafts } from "./draft/kept-drafts.js";
import { CompareDialog } from "./versions/compare-dialog.js";
import { continueKept, mergeOnto, type Opening } from "./versions/opening.js";
import { KeptDraftOffers } from "./editor/kept-draft-offers.js";
import { PolicyEditor } from "./editor/policy-editor.js";
import { NamesProvider } from "./versions/people.js";
import { ProvidersProvider } from "./rules/providers.js";
import { TemplatesDialog } from "./templates/templates-dialog.js";
import { RetryRulesPanel } from "./retry-rules-panel.js";
import { PublishDialog } from "./editor/publish-dialog.js";
import { VersionsPanel } from "./versions/versions-panel.js";
import { WRITERS } from "./writers.js";
import "./policies.css";

/** Shows the merchant's live policy, its versions, and the editor. */
export default function PoliciesPage() {
  return <MerchantPicker>{(merchantId) => <MerchantPolicies merchantId={merchantId} />}</MerchantPicker>;
}

function MerchantPolicies({ merchantId }: { merchantId: string }) {
  const policies = usePolicies(merchantId);
  const providers = useProviderIds();
  const { isReady, nameOf } = useActorNames();
  if (policies.data === undefined || providers.data === undefined || !isReady) {
    const error = policies.error ?? providers.error;
    if (error === null) return <Skeleton heightPx={720} />;
    const retry = () => Promise.all([policies.refetch(), providers.refetch()]);
    return <ErrorState error={error} onRetry={retry} />;
  }
  return (
    <ProvidersProvider providers={providers.data}>
      <NamesProvider value={nameOf}>
        <Versions merchantId={merchantId} known={policies.data} />
      </NamesProvider>
    </ProvidersProvider>
  );
}

/** The start of an editing session. Each session has its own editor. */
interface Opened extends Opening {
  count: number;
  id: string;
}

/** The value in the address for a draft without a stored version. */
const NEW = "new";

/** Returns the version in the address, else the live one, else the newest. Null for a new draft, or if none exists. */
function firstOf({ policies, live }: MerchantPolicies, named: string | null): Policy | null {
  if (named === NEW) return null;
  return policies.find(({ policy_id }) => policy_id === named) ?? live.policy ?? policies[0] ?? null;
}

/** Manages the edited version, the unsaved drafts, and the dialogs for switching between them. */
function useSessions(merchantId: string, known: MerchantPolicies) {
  const { policies, live } = known;
  const { parameters, edit } = useAddress();
  const drafts = useKeptDrafts(merchantId);
  const [offers, setOffers] = useState(() => drafts.list());
  const [opened, setOpened] = useState<Opened>(() => ({
    count: 0,
    id: randomKey(),
    stored: firstOf(known, parameters.get("version")),
    merge: null,
    baseLive: live,
  }));
  const [isEdited, setEdited] = useState(false);
  const [discarding, setDiscarding] = useState<Opening | null>(null);
  const withdraw = (id: string): void => setOffers((before) => before.filter((offer) => offer.id !== id));
  const show = (opening: Opening): void => {
    drafts.forget(opened.id);
    setDiscarding(null);
    setEdited(false);
    setOpened({ ...opening, count: opened.count + 1, id: opening.kept?.id ?? randomKey() });
    if (opening.kept !== undefined) withdraw(opening.kept.id);
    edit({ version: opening.stored?.policy_id ?? NEW }, { replace: true });
  };
  const askToDiscard = (opening: Opening): void => {
    if (isEdited) setDiscarding(opening);
    else show(opening);
  };
  return {
    drafts,
    offers,
    opened,
    // Publishing changes the status of a version, so the version is looked up in the latest list.
    stored: policies.find(({ policy_id }) => policy_id === opened.stored?.policy_id) ?? opened.stored,
    discarding,
    show,
    askToDiscard,
    keepEditing: () => setDiscarding(null),
    discardOffer(id: string): void {
      drafts.forget(id);
      withdraw(id);
    },
    setEdited,
  };
}

function Versions({ merchantId, known }: { merchantId: string; known: MerchantPolicies }) {
  const { policies, live } = known;
  const sessions = useSessions(merchantId, known);
  const { drafts, opened, stored, discarding, show, askToDiscard } = sessions;
  const [publishing, setPublishing] = useState<{ policy: Policy; baseLive: LivePolicy } | null>(null);
  const mayWrite = useHasRole(WRITERS);
  const opening = (policy: Policy | null): Opening => ({ stored: policy, merge: null, baseLive: live });
  const begin = (policy: Policy | null): void => askToDiscard(opening(policy));
  return (
    <>
      <KeptDraftOffers
        offers={sessions.offers}
        policies={policies}
        onContinue={(draft) => askToDiscard(continueKept(draft, policies))}
        onDiscard={({ id }) => sessions.discardOffer(id)}
      />
      <VersionsPanel
        policies={policies}
        openId={stored?.policy_id ?? null}
        mayWrite={mayWrite}
        onOpen={begin}
        onPublish={(policy) => setPublishing({ policy, baseLive: live })}
        onNew={() => begin(null)}
      />
      <PolicyEditor
        {...opened}
        key={opened.count}
        merchantId={merchantId}
        sessionId={opened.id}
        drafts={drafts}
        stored={stored}
        live={live}
        mayWrite={mayWrite}
        onEdited={sessions.setEdited}
        onOpen={show}
      />
      <TemplatesDialog onChoose={(template) => askToDiscard({ ...opening(null), template })} />
      <RetryRulesPanel />
      <CompareDialog policies={policies} />
      {discarding === null ? null : (
        <DiscardDialog onDiscard={() => show(discarding)} onClose={sessions.keepEditing} />
      )}
      {publishing === null ? null : (
        <PublishDialog
          merchantId={merchantId}
          draft={draftOf(publishing.policy)}
          stored={publishing.policy}
          comment={publishing.policy.comment ?? ""}
          base={publishing.baseLive}
          live={publishing.baseLive}
          onComment={null}
          onDone={() => setPublishing(null)}
          onClose={() => setPublishing(null)}
          onMerge={(now) => {
            setPublishing(null);
            const { policy, baseLive } = publishing;
            askToDiscard(mergeOnto(now, baseLive, draftOf(policy), policy.comment ?? ""));
          }}
          onTake={null}
        />
      )}
    </>
  );
}
