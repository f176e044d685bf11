import { encode } from "uqr";
import "./qr-code.css";

/** ISO/IEC 18004 §5.3.8: readers need this many light modules around the code. */
const QUIET_ZONE_MODULES = 4;

interface QrCodeProps {
  text: string;
  /** Describes the content of the code in words. */
  label: string;
}

/** DASH-40: shows a text as a QR code. It is dark on light in both schemes, because many readers expect that. */
export function QrCode({ text, label }: QrCodeProps) {
  const { data, size } = encode(text, { ecc: "M", border: QUIET_ZONE_MODULES });
  const dark = data.flatMap((row, y) => row.flatMap((isDark, x) => (isDark ? `M${x},${y}h1v1h-1z` : [])));
  return (
    <svg className="qr-code" viewBox={`0 0 ${size} ${size}`} role="img" aria-label={label}>
      <path d={dark.join("")} />
    </svg>
  );
}
