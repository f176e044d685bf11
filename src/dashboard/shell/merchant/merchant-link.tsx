import { Foreign } from "../../design/base/foreign.js";
import { PlaceLink } from "../mode.js";

/** The address of a merchant's own page. */
export function merchantPath(merchantId: string): string {
  return `/merchants/${encodeURIComponent(merchantId)}`;
}

/** DASH-36: a merchant's id leads to its page. */
export function MerchantLink({ merchantId }: { merchantId: string }) {
  return (
    <PlaceLink to={merchantPath(merchantId)}>
      <Foreign text={merchantId} />
    </PlaceLink>
  );
}
