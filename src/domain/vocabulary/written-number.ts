const PARTS = /^-?(\d+)(?:\.(\d+))?(?:[eE]([+-]?\d+))?$/;
const ZERO = 0x30;

/**
 * True for a number whose fraction a double would lose: 12500.0000000000000000001 would become 12500, and 1e-400 would
 * become 0. False if the fraction is all zeros. `text` is a JSON number.
 */
export function losesFraction(text: string): boolean {
  if (!Number.isInteger(Number(text))) return false;
  const [, whole = "", fraction = "", exponent = "0"] = PARTS.exec(text) ?? [];
  const digits = whole + fraction;
  let significant = digits.length;
  while (significant > 0 && digits.charCodeAt(significant - 1) === ZERO) significant--;
  // If no digit is significant, the number is zero, which is an integer with any exponent.
  return significant > 0 && significant - whole.length - Number(exponent) > 0;
}
