import type { OwnedPolicy, RecordKey } from "../../path/changes/copied-records.js";
import { policyContent } from "../../domain/policy/policy-content.js";
import type { MerchantPrices, PriceVersion } from "../../domain/pricing/merchant-pricing.js";
import {
  amountsKey,
  MERCHANT_PREFIX,
  merchantKey,
  policyContentKey,
  pricesKey,
  ruleIdsKey,
  type CatalogEntry,
  type Replica,
  type ReplicaMerchant,
} from "../../path/replica/replica.js";
import { TUNING } from "../../domain/vocabulary/tuning.js";
import { MODES } from "../../domain/vocabulary/vocabulary.js";
import { contentNameOf, countContents, type PolicyContents } from "../../path/replica/policy-contents.js";
import { heldUnder, type RecordCopy } from "../../path/changes/record-copy.js";
import type { LivePolicy, MerchantHead } from "./queries/merchant-head.js";

export interface MerchantCopyOptions {
  /** Loads the given merchants that exist. */
  loadHeads(merchants: readonly RecordKey[]): Promise<MerchantHead[]>;
  loadPolicies(policies: readonly { workspaceId: string; policyId: string }[]): Promise<OwnedPolicy[]>;
  loadPrices(
    versions: PriceVersion & { workspaceId: string; merchantId: string },
  ): Promise<Omit<MerchantPrices, "version">>;
  stored: RecordCopy["stored"];
  replica: Pick<Replica, "refresh" | "read" | "keysAfter" | "putCatalog">;
}

/** A merchant whose copy is out of date. */
interface Outdated {
  record: RecordKey;
  held: ReplicaMerchant | null;
  /** Null when the merchant no longer exists. */
  head: MerchantHead | null;
  /** The live policy, if the copy has a different one. */
  newPolicy: LivePolicy | null;
}

/**
 * Copies merchants with their live policies and prices. The content of a policy or of a price version never changes, so
 * only missing ones are loaded. Policies are loaded in pages that are limited by their size.
 */
export function copyMerchants(options: MerchantCopyOptions): RecordCopy {
  const { loadHeads, loadPolicies, loadPrices, replica } = options;

  const outdated = async (records: readonly RecordKey[]): Promise<Outdated[]> => {
    const wanted = new Map(records.map((record) => [merchantKey(record.workspaceId, record.key), record]));
    const found = new Map(
      (await loadHeads([...wanted.values()])).map((head) => [
        merchantKey(head.workspaceId, head.merchantId),
        head,
      ]),
    );
    replica.refresh();
    return Array.from(wanted, ([key, record]): Outdated => {
      const text = replica.read(key);
      const held = text === undefined ? null : (JSON.parse(text) as ReplicaMerchant);
      const head = found.get(key) ?? null;
      const live = head?.live ?? null;
      return { record, held, head, newPolicy: holds(held, live) ? null : live };
    }).filter(isOutdated);
  };

  /** The policy's content must be in the replica too, because no decision is made for the merchant without it. */
  const holds = (held: ReplicaMerchant | null, live: LivePolicy | null): boolean =>
    held?.policy?.policy_id === live?.policyId &&
    (live === null || replica.read(policyContentKey(held?.policy?.content ?? "")) !== undefined);

  const copyPage = async (page: readonly Outdated[]): Promise<number> => {
    const wanted = page.flatMap(({ record: { workspaceId }, newPolicy }) =>
      newPolicy === null ? [] : [{ workspaceId, policyId: newPolicy.policyId }],
    );
    const policies = wanted.length === 0 ? [] : await loadPolicies(wanted);
    const byId = new Map(policies.map(({ policy }) => [policy.policy_id, policy]));
    const prices = new Map<Outdated, MerchantPrices>();
    for (const merchant of page) {
      const version = priceVersionOf(merchant.head);
      const newest = merchant.head?.prices ?? null;
      if (newest === null || version === null || version === merchant.held?.prices) continue;
      const { workspaceId, key: merchantId } = merchant.record;
      // Prices are loaded for one merchant at a time, because a contract may have a mebibyte.
      prices.set(merchant, {
        version,
        ...(await loadPrices({ workspaceId, merchantId, ...newest })),
      });
    }
    replica.refresh();
    const contents = countContents(replica);
    const entries = page.flatMap((merchant) => {
      const policy = merchant.newPolicy === null ? null : byId.get(merchant.newPolicy.policyId);
      // The merchant was deleted with its policy after the heads were read. The deletion is another change.
      if (policy === undefined) return [];
      const content = policy === null ? null : policyContent(policy);
      return entriesOf(merchant, content, contents, prices.get(merchant) ?? null);
    });
    return replica.putCatalog(entries, contents.texts()) === 0 ? 0 : page.length;
  };

  return {
    async copy(records) {
      let changed = 0;
      for (const page of pagesOf(await outdated(records))) changed += await copyPage(page);
      return changed;
    },
    stored: options.stored,
    held: (after, limit) => heldUnder(replica, MERCHANT_PREFIX, after, limit),
  };
}

function isOutdated({ held, head, newPolicy }: Outdated): boolean {
  if (held === null || head === null) return held !== head;
  return (
    newPolicy !== null || (head.live === null && held.policy !== null) || priceVersionOf(head) !== held.prices
  );
}

function priceVersionOf(head: MerchantHead | null): string | null {
  const prices = head?.prices ?? null;
  return prices === null ? null : `${prices.contractVersion}.${prices.observedVersion}`;
}

function entriesOf(
  { record: { workspaceId, key: merchantId }, held, head, newPolicy }: Outdated,
  content: { text: string; ruleIds: string[] } | null,
  contents: PolicyContents,
  prices: MerchantPrices | null,
): CatalogEntry[] {
  const heldPolicy = held?.policy ?? null;
  const isLive = (head?.live ?? null) !== null;
  const keepsPolicy = isLive && newPolicy === null;
  // Drops the content of another policy only. If the policy is the same, its content is missing in the replica and not
  // counted.
  const isAnother = heldPolicy !== null && heldPolicy.policy_id !== newPolicy?.policyId;
  if (isAnother && !keepsPolicy) contents.drop(heldPolicy.content);
  let policy = keepsPolicy ? heldPolicy : null;
  if (newPolicy !== null && content !== null) {
    const name = contentNameOf(content.text);
    contents.use(name, content.text);
    policy = { policy_id: newPolicy.policyId, version: newPolicy.version, content: name };
  }
  const priceVersion = priceVersionOf(head);
  return [
    {
      key: merchantKey(workspaceId, merchantId),
      value: head === null ? null : { policy, prices: priceVersion },
    },
    // RET-23: a merchant that no longer exists leaves no amounts in the replica.
    ...(head === null
      ? MODES.map((mode) => ({ key: amountsKey(workspaceId, mode, merchantId), value: null }))
      : []),
    ...(keepsPolicy ? [] : [{ key: ruleIdsKey(workspaceId, merchantId), value: content?.ruleIds ?? null }]),
    ...(prices === null && priceVersion !== null
      ? []
      : [{ key: pricesKey(workspaceId, merchantId), value: prices }]),
  ];
}

function* pagesOf(merchants: readonly Outdated[]): Generator<Outdated[]> {
  let page: Outdated[] = [];
  let bytes = 0;
  for (const merchant of merchants) {
    page.push(merchant);
    bytes += merchant.newPolicy?.storedBytes ?? 0;
    if (page.length < TUNING.policyPageRows && bytes < TUNING.policyPageStoredBytes) continue;
    yield page;
    page = [];
    bytes = 0;
  }
  if (page.length > 0) yield page;
}
