import { ACTION_TYPES, actionRow, type ActionType } from "../../../../domain/policy/action-rows.js";
import { formsOf } from "./condition-grammar.js";

/**
 * Maps the grammar's rule of each command to the type of its action. The later rows of the action table come first,
 * because "block provider_1" excludes a provider and does not block payments.
 */
export const COMMAND_RULES: ReadonlyMap<string, ActionType> = new Map(
  ACTION_TYPES.toReversed().flatMap((type): [string, ActionType][] =>
    actionRow(type).commands === null ? [] : [[`Do${type.replaceAll("_", "")}`, type]],
  ),
);

const PLAIN_COMMANDS = Array.from(COMMAND_RULES, ([rule, type]) => {
  const forms = (actionRow(type).commands ?? []).map((form, at) => ({ form, name: `form${at}` }));
  return `${rule} = ${formsOf(forms)}`;
}).join("\n  ");
const PLAIN_ALTERNATIVES = Array.from(
  COMMAND_RULES.keys(),
  (rule) => `                | ${rule} &stop -- ${rule.toLowerCase()}`,
).join("\n");

/**
 * The grammar of a rule's commands, built on the grammar of conditions. A command must read all of the sentence up to
 * its end, or up to the next command. Otherwise the command does not apply.
 */
export const COMMAND_GRAMMAR = String.raw`
PolicyCommands <: PolicyConditions {
  Sentence = Opening? Statement<end> end -- simple
           | Opening? Statement<StatementEnd> NextStatement+ end -- compound
  Opening = otherwise comma? -- otherwise
          | also comma? -- also
          | (and | but) comma? -- more
  Statement<stop> = Lead Command<stop> -- lead
               | Command<stop> -- plain
  NextStatement = Joint Statement<StatementEnd> -- statement
             | Joint to? Order Tail &StatementEnd -- order
             | Joint Target Tail to Order Tail &StatementEnd -- sent
  StatementEnd = end | NextStatement
  Joint = comma? otherwise comma? -- otherwise
        | comma? but also? -- but
        | comma and also? -- commaand
        | comma also? -- comma
        | and also? -- and
  Next := Lead Command<StatementEnd>
  Command<stop> = Default &stop -- default
                | MinHealth &stop -- minhealth
                | MaxCost &stop -- maxcost
                | Optimize &stop -- optimize
                | Split &stop -- split
                | Retry &stop -- retry
${PLAIN_ALTERNATIVES}
                | Prefer &stop -- prefer

  Scope = Target? Tail
  ${PLAIN_COMMANDS}
  ForReview = (for | as) (review | hold)
  Tag = tag anIdent

  Default = default to aProvider -- to
          | set default to aProvider -- set
          | (use | make | set) aProvider as? default -- as
          | use aProvider bydefault -- by
          | default (is | comma)? aProvider -- is
          | aProvider is default -- named

  Order = aProvider (OrderSep aProvider)*
  OrderSep = comma? and? (then | followed) -- then
           | Sep -- sep
  Prefer = prefer Order with boost of? Num points? Tail -- withboost
         | slightly prefer Order Tail -- soft
         | boost Order by Num points? Tail -- by
         | boost Order Tail -- boost
         | give Order boost of? Num points? Tail -- give
         | add Num points to Order Tail -- add
         | strictly? prefer Order Tail -- strict
         | use Order Tail -- use
         | Order is strictly? preferred Tail -- is
         | send SampleShare to aProvider Tail -- sample
         | send Scope (to | via | with | on) Order Tail -- send
         | Scope shouldgo to Order Tail -- go
  SampleShare = Pct (of Target Tail)?

  Least = atleast | over
  Score = Least? Num OrMore?
  ForProviders = (for | on | of) AllProviders
  MinHealth = require minimum? health Copula? Score ForProviders? Tail -- require
            | require minimum? Score health ForProviders? Tail -- score
            | minimum health Copula? Score ForProviders? Tail -- minimum
            | require (AllProviders | providerword) to has minimum? health of? Score Tail -- have
            | require AllProviders minimum? health of? Score Tail -- of
            | onlyuse providerword (with | whose) health Copula? Least Num Tail -- only
            | (avoid | exclude) providerword (with | whose) health Copula? under Num Tail -- avoid
            | (avoid | exclude) AllProviders if its health Copula? under Num Tail -- below
            | (avoid | exclude) AllProviders (with | whose) health Copula? under Num Tail -- named

  RetryOn = (on | after | for | with) -- on
          | if reasoncode is -- if
          | if previousreasoncode is -- previous
          | if prevattempt failedwith -- failed
  Declined = previousdeclinecount
  SameOther = (on | with | at | via | by)? (sameprovider | otherprovider)
  Retry = retry Target (on | after | for) anOutcome Tail SameOther? Tail -- target
        | retry (on | after | for)? anOutcome Target? Tail SameOther? Tail -- outcome
        | retry SameOther (on | after | for) anOutcome Tail -- same
        | retry Target? SameOther? Tail -- bare

  Limits = Limit (and Limit)*
  Limit = Num bpsword -- bps
        | Pct -- percent
        | Money -- money
  AtMost = atmost | under
  CapWord = (at | to) AtMost? -- at
          | AtMost -- most
  ForTarget = (for | on | of) Target
  MaxCost = (cap | limit) cost perpayment? ForTarget? CapWord Limits perpayment? Tail -- cap
          | maximum cost perpayment? (is | of | at)? Limits perpayment? Tail -- maximum
          | cost perpayment? is? AtMost Limits perpayment? Tail -- cost
          | donotpay over Limits (in | as)? cost? perpayment? Tail -- donotpay
          | pay atmost Limits (in | as)? cost? perpayment? Tail -- pay
          | (avoid | exclude | block) providerword (that | with)? cost over Limits perpayment? Tail -- avoid

  Goal = maximize? approval -- approval
       | minimize? cost -- cost
       | (balanced | balance) -- balanced
       | maximize? margin -- margin
  Rate = Pct -- percent
       | Num bpsword -- bps
  Option = comma? (with | and | allowing | at) Rate margin -- margin2
         | comma? (with | and | allowing) (maximum | atmost)? Rate approvaldrop -- drop2
         | comma? (with | and | allowing | at) margin of? Rate -- margin
         | comma? (with | and | allowing) maximum? approvaldrop of? (atmost)? Rate -- drop
  Optimize = optimize for? Goal Tail Option* Tail -- for
           | minimize cost Tail Option* Tail -- minimize
           | maximize (approval | margin) Tail Option* Tail -- maximize
           | balance (cost and approval | approval and cost) Tail -- balance
           | (use | prefer) cheapest Tail Option* Tail -- cheapest
           | send Scope to cheapest Tail Option* Tail -- sendcheapest

  Share = Pct (of Target Tail)? to aProvider
  /* The first share names the payments, and all other shares are of the same payments. */
  ShareMore = And remaining? Pct to aProvider
  Named = aProvider Pct | Pct aProvider
  Remainder = And rest to aProvider
  Ratio = Num slash Num (slash Num)*
  Split = send? Share ShareMore+ Remainder? Tail -- send
        | send Share Remainder Tail -- rest
        | split Target? Tail comma? Share ShareMore* Remainder? Tail -- shares
        | split Target? Tail comma? Named (And Named)+ Tail -- named
        | split Target? Tail Ratio (between | among) AllProviders Tail -- ratio
        | split Target? Tail (between | among) AllProviders Ratio Tail -- between
        | split Target? Tail evenly (between | among) AllProviders Tail -- evenly
        | split Target? Tail (between | among) AllProviders evenly Tail -- evenly2
}
`;
