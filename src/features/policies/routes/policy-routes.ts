import type { Backtests } from "../backtest/backtest-thread.js";
import type { DecisionContexts } from "../../../path/decide/context/decision-contexts.js";
import type { TranslateThread } from "../translate-thread.js";
import { createBacktestParser } from "../wire/backtest-schema.js";
import { createPolicyBodyParser } from "../wire/policy-body.js";
import type { PolicyValidator } from "../wire/policy-validator.js";
import { createSimulationParser } from "../wire/simulation-schema.js";
import type { Route } from "../../../path/front/route.js";
import { createPolicyRoute } from "./create-policy.js";
import { listPoliciesRoute } from "./list-policies.js";
import { policyBacktestRoute } from "./policy-backtest.js";
import { policySimulateRoute } from "./policy-simulate.js";
import { policyTranslateRoute } from "./policy-translate.js";
import { publishPolicyRoute } from "./publish-policy.js";
import { createPolicyStore, type PolicyStoreOptions } from "../service.js";

export interface PolicyRoutesOptions extends PolicyStoreOptions {
  providers: readonly string[];
  validator: PolicyValidator;
  contexts: DecisionContexts;
  startBacktest: Backtests["start"];
  translations: TranslateThread;
  isMerchant(workspaceId: string, merchantId: string): boolean;
  /** Unix milliseconds. */
  now(): number;
}

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
