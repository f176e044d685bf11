import type { Backtests } from "../actors/backtest-thread.js";
import type { DecisionContexts } from "../actors/decision-contexts.js";
import type { TranslateThread } from "../actors/translate-thread.js";
import { createBacktestParser } from "../api/backtest-schema.js";
import { createPolicyBodyParser } from "../api/policy-body.js";
import type { PolicyValidator } from "../api/policy-validator.js";
import { createSimulationParser } from "../api/simulation-schema.js";
import type { Route } from "../http/route.js";
import { createPolicyRoute } from "../http/routes/create-policy.js";
import { listPoliciesRoute } from "../http/routes/list-policies.js";
import { policyBacktestRoute } from "../http/routes/policy-backtest.js";
import { policySimulateRoute } from "../http/routes/policy-simulate.js";
import { policyTranslateRoute } from "../http/routes/policy-translate.js";
import { publishPolicyRoute } from "../http/routes/publish-policy.js";
import { createPolicyStore, type PolicyStoreOptions } from "../persistence/policy-store.js";

export interface PolicyRoutesOptions extends PolicyStoreOptions {
  providers: readonly string[];
  validator: PolicyValidator;
  contexts: DecisionContexts;
  startBacktest: Backtests["start"];
  translations: TranslateThread;
  /** Whether PostgreSQL answers, and a backtest may begin. */
  readable(): Promise<boolean>;
  isMerchant(workspaceId: string, merchantId: string): boolean;
  /** Unix milliseconds. */
  now(): number;
}

/** Policies over HTTP. */
export function policyRoutes(options: PolicyRoutesOptions): Route[] {
  const { providers, validator, contexts, startBacktest, readable, isMerchant, now } = options;
  const policies = createPolicyStore(options);
  return [
    createPolicyRoute({ parse: createPolicyBodyParser(validator), create: policies.create }),
    publishPolicyRoute({ validator, find: policies.find, publish: policies.publish }),
    listPoliciesRoute(policies.list),
    policyTranslateRoute({
      translate: (text) => options.translations.ask({ text, providers }),
      validate: validator.validate,
      isMerchant,
    }),
    policySimulateRoute({ parse: createSimulationParser(providers, validator), contexts, now }),
    policyBacktestRoute({
      parse: createBacktestParser(validator),
      contexts,
      readable,
      start: startBacktest,
      now,
    }),
  ];
}
