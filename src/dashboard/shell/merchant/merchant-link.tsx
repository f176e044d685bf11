import { Foreign } from "../../design/base/foreign.js";
import { PlaceLink } from "../mode.js";

/** Returns the address of a merchant's page. */
export function merchantPath(merchantId: string): string {
  return `/merchants/${encodeURIComponent(merchantId)}`;
}

/** DASH-36: shows a merchant's id as a link to its page. */
export function MerchantLink({ merchantId }: { merchantId: string }) {
  return (
    <PlaceLink to={merchantPath(merchantId)}>
      <Foreign text={merchantId} />
    </PlaceLink>
  );
}
