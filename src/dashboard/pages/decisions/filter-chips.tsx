import { formatAmount, formatCount, formatName, formatTime } from "../../design/base/format.js";
import { Chips } from "../../design/forms/chips.js";
import { NO_VALUE } from "../../../domain/vocabulary/facets.js";
import { CHIP_NAMES, type ChipFilters, type ChipName } from "./use-decision-filters.js";

export const CHIP_TITLES: Readonly<Record<ChipName, string>> = {
  order_id: "Order",
  merchant_id: "Merchant",
  currency: "Currency",
  country: "Country",
  payment_method: "Payment method",
  card_network: "Card network",
  provider: "Provider",
  amount_min: "Amount from",
  amount_max: "Amount to",
  risk_band: "Risk band",
  outcome: "Outcome",
  reason_code: "Reason code",
  from: "From",
  to: "To",
};

interface FilterChipsProps {
  chips: ChipFilters;
  onLift(names: Partial<Record<ChipName, null>>): void;
}

/** Shows each active filter with a button that removes it. */
export function FilterChips({ chips, onLift }: FilterChipsProps) {
  const names = CHIP_NAMES.filter((name) => chips[name] !== undefined);
  if (names.length === 0) return null;
  return (
    <Chips
      label="Filters; press one to lift it"
      options={[]}
      chosen={names}
      textOf={(name) => `${CHIP_TITLES[name as ChipName]}: ${valueText(name as ChipName, chips)}`}
      onChange={(left) =>
        onLift(Object.fromEntries(names.filter((name) => !left.includes(name)).map((name) => [name, null])))
      }
    />
  );
}

function valueText(name: ChipName, chips: ChipFilters): string {
  const value = chips[name] ?? "";
  if (value === NO_VALUE) return "None";
  switch (name) {
    case "payment_method":
    case "card_network":
    case "risk_band":
    case "outcome":
      return formatName(value);
    case "from":
    case "to":
      return Number.isNaN(Date.parse(value)) ? value : formatTime(value);
    case "amount_min":
    case "amount_max": {
      const amount = Number(value);
      if (!Number.isSafeInteger(amount)) return value;
      return chips.currency === undefined
        ? `${formatCount(amount)} minor units`
        : formatAmount(amount, chips.currency);
    }
    case "order_id":
    case "merchant_id":
    case "currency":
    case "country":
    case "provider":
    case "reason_code":
      return value;
  }
}
