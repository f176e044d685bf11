import { useLocation } from "wouter";
import { usePolicies } from "../../api/policies.js";
import { Loaded } from "../../design/feedback/loaded.js";
import { useActorNames } from "../../session/actor-names.js";
import { NamesProvider } from "../policies/versions/people.js";
import { VersionsPanel } from "../policies/versions/versions-panel.js";
import "../policies/policies.css";

const HEIGHT_PX = 240;

/** Shows the live policy and its versions. The policies page edits and publishes them. */
export function PoliciesPanel({ merchantId }: { merchantId: string }) {
  const policies = usePolicies(merchantId);
  const { isReady, nameOf } = useActorNames();
  const [, go] = useLocation();
  const edit = (version: string): void =>
    go(`/policies?${new URLSearchParams({ merchant: merchantId, version }).toString()}`);
  return (
    <Loaded query={policies} heightPx={HEIGHT_PX} isReady={isReady}>
      {({ policies: versions }) => (
        <NamesProvider value={nameOf}>
          <VersionsPanel
            policies={versions}
            openId={null}
            mayWrite={false}
            onOpen={({ policy_id }) => edit(policy_id)}
            onPublish={({ policy_id }) => edit(policy_id)}
            onNew={() => edit("new")}
          />
        </NamesProvider>
      )}
    </Loaded>
  );
}
